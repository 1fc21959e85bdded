//! A value's shadow is one handle for each scalar in it: its *leaves*.

use crate::ir::{Ir, LLVMTypeKind, Type, Value};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// Integers, and pointers as 64 bits.
    Int(u32),
    /// Single or double.
    Float(u32),
    /// Long double, half, MMX, integers over 128 bits: always concrete.
    Opaque,
}

impl Scalar {
    pub fn of(ty: Type) -> Option<Scalar> {
        Some(match ty.kind() {
            LLVMTypeKind::LLVMIntegerTypeKind => match ty.int_width() {
                Some(width @ 1..=128) => Scalar::Int(width),
                _ => Scalar::Opaque,
            },
            LLVMTypeKind::LLVMPointerTypeKind => Scalar::Int(64),
            LLVMTypeKind::LLVMFloatTypeKind => Scalar::Float(32),
            LLVMTypeKind::LLVMDoubleTypeKind => Scalar::Float(64),
            LLVMTypeKind::LLVMHalfTypeKind
            | LLVMTypeKind::LLVMBFloatTypeKind
            | LLVMTypeKind::LLVMX86_FP80TypeKind
            | LLVMTypeKind::LLVMFP128TypeKind
            | LLVMTypeKind::LLVMPPC_FP128TypeKind
            | LLVMTypeKind::LLVMX86_MMXTypeKind
            | LLVMTypeKind::LLVMTokenTypeKind
            | LLVMTypeKind::LLVMMetadataTypeKind
            | LLVMTypeKind::LLVMTargetExtTypeKind => Scalar::Opaque,
            _ => return None,
        })
    }

    /// Width in bits; 0 for opaque.
    pub fn width(self) -> u32 {
        match self {
            Scalar::Int(width) | Scalar::Float(width) => width,
            Scalar::Opaque => 0,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Leaf {
    pub ty: Type,
    pub scalar: Scalar,
    /// Byte offset when the whole is in memory.
    pub offset: u64,
    /// How to get at it: indices of nested fields, elements or lanes.
    pub path: Vec<u32>,
}

/// Past this many scalars a value is handled as concrete (and said to be lost).
const MAX_LEAVES: usize = 64;

/// The scalars of a type in order; `None` if there are too many or the type has none of a fixed number.
pub fn leaves(ir: &Ir, ty: Type) -> Option<Vec<Leaf>> {
    let mut found = Vec::new();
    collect(ir, ty, 0, &mut Vec::new(), &mut found).then_some(found)
}

fn collect(ir: &Ir, ty: Type, offset: u64, path: &mut Vec<u32>, found: &mut Vec<Leaf>) -> bool {
    if let Some(scalar) = Scalar::of(ty) {
        found.push(Leaf { ty, scalar, offset, path: path.clone() });
        return found.len() <= MAX_LEAVES;
    }
    let step = |index: u32, ty: Type, offset: u64, path: &mut Vec<u32>, found: &mut Vec<Leaf>| {
        path.push(index);
        let fits = collect(ir, ty, offset, path, found);
        path.pop();
        fits
    };
    match ty.kind() {
        LLVMTypeKind::LLVMVoidTypeKind => true,
        LLVMTypeKind::LLVMStructTypeKind => ty
            .fields()
            .into_iter()
            .enumerate()
            .all(|(i, field)| step(i as u32, field, offset + ir.field_offset(ty, i as u32), path, found)),
        LLVMTypeKind::LLVMArrayTypeKind => {
            let element = ty.element();
            let size = ir.alloc_size(element);
            ty.array_len() <= MAX_LEAVES as u64
                && (0..ty.array_len()).all(|i| step(i as u32, element, offset + i * size, path, found))
        }
        LLVMTypeKind::LLVMVectorTypeKind => {
            let element = ty.element();
            let bits = ir.size_bits(element);
            (0..ty.vector_len()).all(|i| step(i, element, offset + u64::from(i) * bits / 8, path, found))
        }
        _ => false,
    }
}

/// Vectors of bits are packed in memory: there is no byte for each lane.
pub fn is_packed(ir: &Ir, ty: Type) -> bool {
    match ty.kind() {
        LLVMTypeKind::LLVMVectorTypeKind => !ir.size_bits(ty.element()).is_multiple_of(8),
        LLVMTypeKind::LLVMArrayTypeKind => is_packed(ir, ty.element()),
        LLVMTypeKind::LLVMStructTypeKind => ty.fields().into_iter().any(|field| is_packed(ir, field)),
        _ => false,
    }
}

/// The concrete value of one leaf.
pub fn leaf_value(ir: &Ir, mut value: Value, path: &[u32]) -> Value {
    for &index in path {
        value = if value.ty().is_vector() {
            ir.extract_element(value, u64::from(index))
        } else {
            ir.extract_value(value, index)
        };
    }
    value
}

/// First leaf and number of leaves of the part of `ty` that `path` leads to.
pub fn leaf_range(ir: &Ir, ty: Type, path: &[u32]) -> Option<(usize, usize)> {
    let all = leaves(ir, ty)?;
    let inside = |leaf: &Leaf| leaf.path.len() >= path.len() && leaf.path[..path.len()] == *path;
    let first = all.iter().position(inside)?;
    Some((first, all[first..].iter().take_while(|l| inside(l)).count()))
}
