//! Instructions without side effects: arithmetic, comparisons, conversions, selection, address computation, and moving
//! leaves in and out of aggregates and vectors.

use super::leaves::{Leaf, Scalar, leaf_range, leaf_value};
use super::slow::Arg;
use super::{Shadow, Translator};
use crate::ir::{LLVMIntPredicate, LLVMOpcode, LLVMTypeKind, Value};
use offshoot_model::SiteKind;
use offshoot_trace::Op;

/// The first argument of most run-time functions: operation, width of the result, width of the operand.
pub(super) fn code(op: Op, width: u32, operand_width: u32) -> u32 {
    op as u32 | width << 8 | operand_width << 16
}

fn binary_op(opcode: LLVMOpcode) -> Option<Op> {
    Some(match opcode {
        LLVMOpcode::LLVMAdd => Op::Add,
        LLVMOpcode::LLVMSub => Op::Sub,
        LLVMOpcode::LLVMMul => Op::Mul,
        LLVMOpcode::LLVMUDiv => Op::UDiv,
        LLVMOpcode::LLVMSDiv => Op::SDiv,
        LLVMOpcode::LLVMURem => Op::URem,
        LLVMOpcode::LLVMSRem => Op::SRem,
        LLVMOpcode::LLVMShl => Op::Shl,
        LLVMOpcode::LLVMLShr => Op::LShr,
        LLVMOpcode::LLVMAShr => Op::AShr,
        LLVMOpcode::LLVMAnd => Op::And,
        LLVMOpcode::LLVMOr => Op::Or,
        LLVMOpcode::LLVMXor => Op::Xor,
        LLVMOpcode::LLVMFAdd => Op::FAdd,
        LLVMOpcode::LLVMFSub => Op::FSub,
        LLVMOpcode::LLVMFMul => Op::FMul,
        LLVMOpcode::LLVMFDiv => Op::FDiv,
        LLVMOpcode::LLVMFRem => Op::FRem,
        _ => return None,
    })
}

fn cast_op(opcode: LLVMOpcode) -> Option<Op> {
    Some(match opcode {
        LLVMOpcode::LLVMTrunc => Op::Extract,
        LLVMOpcode::LLVMZExt => Op::Zext,
        LLVMOpcode::LLVMSExt => Op::Sext,
        LLVMOpcode::LLVMFPToSI => Op::FToS,
        LLVMOpcode::LLVMFPToUI => Op::FToU,
        LLVMOpcode::LLVMSIToFP => Op::SToF,
        LLVMOpcode::LLVMUIToFP => Op::UToF,
        LLVMOpcode::LLVMFPTrunc | LLVMOpcode::LLVMFPExt => Op::FToF,
        _ => return None,
    })
}

/// The comparison, and whether its operands change places.
fn comparison(predicate: LLVMIntPredicate) -> (Op, bool) {
    match predicate {
        LLVMIntPredicate::LLVMIntEQ => (Op::Eq, false),
        LLVMIntPredicate::LLVMIntNE => (Op::Ne, false),
        LLVMIntPredicate::LLVMIntULT => (Op::Ult, false),
        LLVMIntPredicate::LLVMIntULE => (Op::Ule, false),
        LLVMIntPredicate::LLVMIntUGT => (Op::Ult, true),
        LLVMIntPredicate::LLVMIntUGE => (Op::Ule, true),
        LLVMIntPredicate::LLVMIntSLT => (Op::Slt, false),
        LLVMIntPredicate::LLVMIntSLE => (Op::Sle, false),
        LLVMIntPredicate::LLVMIntSGT => (Op::Slt, true),
        LLVMIntPredicate::LLVMIntSGE => (Op::Sle, true),
    }
}

impl Translator<'_, '_> {
    /// `old` has been cloned already.
    pub(super) fn visit_pure(&mut self, old: Value) {
        if !self.maybe.contains(old) {
            self.set_shadow(old, Vec::new());
            return;
        }
        let opcode = old.opcode();
        if let Some(op) = binary_op(opcode) {
            return self.lanewise2(old, op);
        }
        if let Some(op) = cast_op(opcode) {
            return self.lanewise_cast(old, op);
        }
        match opcode {
            LLVMOpcode::LLVMICmp => {
                let (op, swapped) = comparison(old.int_predicate());
                let (a, b) = (old.operand(0), old.operand(1));
                if swapped { self.lanewise(old, op, b, a) } else { self.lanewise(old, op, a, b) }
            }
            LLVMOpcode::LLVMFCmp => self.visit_float_comparison(old),
            LLVMOpcode::LLVMFNeg => self.flip_signs(old),
            LLVMOpcode::LLVMSelect => self.visit_select(old),
            LLVMOpcode::LLVMFreeze | LLVMOpcode::LLVMAddrSpaceCast => {
                let shadow = self.all_shadows(old.operand(0));
                self.set_shadow(old, shadow);
            }
            LLVMOpcode::LLVMPtrToInt | LLVMOpcode::LLVMIntToPtr => self.visit_pointer_cast(old),
            LLVMOpcode::LLVMBitCast => self.visit_bitcast(old),
            LLVMOpcode::LLVMGetElementPtr => self.visit_gep(old),
            LLVMOpcode::LLVMExtractValue => {
                let from = old.operand(0);
                let all = self.all_shadows(from);
                let shadow = match leaf_range(self.ir, from.ty(), &old.indices()) {
                    Some((first, count)) if all.len() >= first + count => all[first..first + count].to_vec(),
                    _ => Vec::new(),
                };
                self.set_shadow(old, shadow);
            }
            LLVMOpcode::LLVMInsertValue => {
                let mut shadow = self.all_shadows(old.operand(0));
                let part = self.all_shadows(old.operand(1));
                if let Some((first, count)) = leaf_range(self.ir, old.ty(), &old.indices())
                    && count == part.len()
                    && shadow.len() >= first + count
                {
                    shadow[first..first + count].copy_from_slice(&part);
                }
                self.set_shadow(old, shadow);
            }
            LLVMOpcode::LLVMExtractElement => match old.operand(1).const_value() {
                Some(index) => {
                    let shadow = self.shadow(old.operand(0), index as usize);
                    self.set_shadow(old, vec![shadow]);
                }
                None => self.give_up(old, "extractelement with a variable index"),
            },
            LLVMOpcode::LLVMInsertElement => match old.operand(2).const_value() {
                Some(index) => {
                    let mut shadow = self.all_shadows(old.operand(0));
                    if let Some(lane) = shadow.get_mut(index as usize) {
                        *lane = self.shadow(old.operand(1), 0);
                    }
                    self.set_shadow(old, shadow);
                }
                None => self.give_up(old, "insertelement with a variable index"),
            },
            LLVMOpcode::LLVMShuffleVector => {
                let (a, b) = (old.operand(0), old.operand(1));
                let lanes = a.ty().vector_len();
                let shadow = old
                    .shuffle_mask()
                    .into_iter()
                    .map(|from| match from {
                        Some(lane) if lane < lanes => self.shadow(a, lane as usize),
                        Some(lane) => self.shadow(b, (lane - lanes) as usize),
                        None => Shadow::Zero,
                    })
                    .collect();
                self.set_shadow(old, shadow);
            }
            other => self.give_up(old, &format!("{other:?}").trim_start_matches("LLVM").to_lowercase()),
        }
    }

    /// The result goes on concretely, and the ledger hears of it.
    pub(super) fn give_up(&mut self, old: Value, what: &str) {
        let shadows: Vec<Shadow> = old.operands().into_iter().flat_map(|o| self.all_shadows(o)).collect();
        self.loss_of(old, &shadows, what);
        self.set_shadow(old, Vec::new());
    }

    fn lanewise2(&mut self, old: Value, op: Op) {
        self.lanewise(old, op, old.operand(0), old.operand(1));
    }

    /// `a op b`, lane by lane.
    pub(super) fn lanewise(&mut self, old: Value, op: Op, a: Value, b: Value) {
        let lanes = self.leaves_of(a);
        if lanes.is_empty() || lanes.iter().any(|l| l.scalar == Scalar::Opaque) {
            return self.give_up(old, op.name());
        }
        let division = matches!(op, Op::UDiv | Op::SDiv | Op::URem | Op::SRem);
        let site = if division { self.site(SiteKind::Division, &[old]) } else { 0 };
        let (va, vb) = (self.value(a), self.value(b));
        let mut shadow = Vec::new();
        for (i, lane) in lanes.into_iter().enumerate() {
            let (sa, sb) = (self.shadow(a, i), self.shadow(b, i));
            if sa == Shadow::Zero && sb == Shadow::Zero {
                shadow.push(Shadow::Zero);
                continue;
            }
            let index = self.action(&[sa, sb], 1, move |t, handles| {
                let (ha, hb) = (handles.get(sa), handles.get(sb));
                let (x, y) = (leaf_value(t.ir, va, &lane.path), leaf_value(t.ir, vb, &lane.path));
                if division && sb != Shadow::Zero {
                    let code = t.ir.i32(code(op, 0, lane.scalar.width()));
                    let args = [Arg::Same(code), Arg::Same(ha), Arg::Same(hb), Arg::Bits(y), Arg::Site(site)];
                    t.slow("__off_divide", t.ir.void(), &args);
                }
                vec![t.emit_binary(op, lane.scalar.width(), ha, hb, x, y)]
            });
            shadow.push(Shadow::Pending(index, 0));
        }
        self.set_shadow(old, shadow);
    }

    /// In the slow block: the handle of `x op y`.
    pub(super) fn emit_binary(&mut self, op: Op, width: u32, ha: Value, hb: Value, x: Value, y: Value) -> Value {
        let result = if op.is_comparison() { 1 } else { width };
        let code = self.ir.i32(code(op, result, width));
        let i32 = self.int_type(32);
        if width > 64 {
            let args = [code, ha, hb, self.to_i64(x), self.high_i64(x), self.to_i64(y), self.high_i64(y)];
            return self.slow("__off_binary_wide", i32, &args.map(Arg::Same));
        }
        // If one operand is never symbolic, then the other one is, or there is nothing to do: its value is of no use.
        let unused = self.ir.i64(0);
        let is_zero = |handle: Value| handle.const_value() == Some(0);
        let (x, y) = (if is_zero(hb) { unused } else { x }, if is_zero(ha) { unused } else { y });
        let args = [Arg::Same(code), Arg::Same(ha), Arg::Same(hb), Arg::Bits(x), Arg::Bits(y)];
        self.slow("__off_binary", i32, &args)
    }

    /// In the slow block: the handle of an operand that is too wide for its value to go along with it. `any`: the handles
    /// of all operands, `or`ed.
    pub(super) fn emit_wide(&mut self, width: u32, any: Value, handle: Value, value: Value) -> Value {
        if width <= 64 {
            return handle;
        }
        let args = [self.ir.i32(width), any, handle, self.to_i64(value), self.high_i64(value)];
        self.slow("__off_wide", self.int_type(32), &args.map(Arg::Same))
    }

    /// In the slow block: an operation on one operand.
    pub(super) fn emit_unary(&mut self, op: Op, width: u32, operand_width: u32, handle: Value) -> Value {
        let args = [self.ir.i32(code(op, width, operand_width)), handle];
        self.slow("__off_unary", self.int_type(32), &args.map(Arg::Same))
    }

    fn lanewise_cast(&mut self, old: Value, op: Op) {
        let from = old.operand(0);
        let (sources, targets) = (self.leaves_of(from), self.leaves_of(old));
        self.unary_lanes(old, op, &sources, &targets, from);
    }

    pub(super) fn unary_lanes(&mut self, old: Value, op: Op, sources: &[Leaf], targets: &[Leaf], from: Value) {
        let opaque = |l: &Leaf| l.scalar == Scalar::Opaque;
        if sources.len() != targets.len() || sources.iter().any(opaque) || targets.iter().any(opaque) {
            return self.give_up(old, op.name());
        }
        let mut shadow = Vec::new();
        for (i, (source, target)) in sources.iter().zip(targets).enumerate() {
            let operand = self.shadow(from, i);
            if operand == Shadow::Zero {
                shadow.push(Shadow::Zero);
                continue;
            }
            let (from_width, to_width) = (source.scalar.width(), target.scalar.width());
            let index = self.action(&[operand], 1, move |t, handles| {
                vec![t.emit_unary(op, to_width, from_width, handles.get(operand))]
            });
            shadow.push(Shadow::Pending(index, 0));
        }
        self.set_shadow(old, shadow);
    }

    fn visit_float_comparison(&mut self, old: Value) {
        let (a, b) = (old.operand(0), old.operand(1));
        let lanes = self.leaves_of(a);
        if lanes.iter().any(|l| l.scalar == Scalar::Opaque) {
            return self.give_up(old, "comparison of long doubles");
        }
        let predicate = old.real_predicate() as u32;
        let (va, vb) = (self.value(a), self.value(b));
        let mut shadow = Vec::new();
        for (i, lane) in lanes.into_iter().enumerate() {
            let (sa, sb) = (self.shadow(a, i), self.shadow(b, i));
            let index = self.action(&[sa, sb], 1, move |t, handles| {
                let (x, y) = (leaf_value(t.ir, va, &lane.path), leaf_value(t.ir, vb, &lane.path));
                let args = [
                    Arg::Same(t.ir.i32(predicate | lane.scalar.width() << 8)),
                    Arg::Same(handles.get(sa)),
                    Arg::Same(handles.get(sb)),
                    Arg::Bits(x),
                    Arg::Bits(y),
                ];
                vec![t.slow("__off_compare_floats", t.int_type(32), &args)]
            });
            shadow.push(Shadow::Pending(index, 0));
        }
        self.set_shadow(old, shadow);
    }

    fn flip_signs(&mut self, old: Value) {
        let from = old.operand(0);
        let lanes = self.leaves_of(from);
        if lanes.iter().any(|l| l.scalar == Scalar::Opaque) {
            return self.give_up(old, "fneg");
        }
        let mut shadow = Vec::new();
        for (i, lane) in lanes.into_iter().enumerate() {
            let operand = self.shadow(from, i);
            let index = self.action(&[operand], 1, move |t, handles| {
                let width = lane.scalar.width();
                vec![t.emit_with_constant(Op::Xor, width, handles.get(operand), 1 << (width - 1))]
            });
            shadow.push(Shadow::Pending(index, 0));
        }
        self.set_shadow(old, shadow);
    }

    /// In the slow block: `handle op constant` for widths up to 64.
    pub(super) fn emit_with_constant(&mut self, op: Op, width: u32, handle: Value, constant: u64) -> Value {
        let result = if op.is_comparison() { 1 } else { width };
        let zero = self.ir.i32(0);
        let args = [self.ir.i32(code(op, result, width)), handle, zero, self.ir.i64(0), self.ir.i64(constant)];
        self.slow("__off_binary", self.int_type(32), &args.map(Arg::Same))
    }

    fn visit_select(&mut self, old: Value) {
        let (condition, a, b) = (old.operand(0), old.operand(1), old.operand(2));
        let lanes = self.leaves_of(old);
        let by_lane = condition.ty().is_vector();
        let (vc, va, vb) = (self.value(condition), self.value(a), self.value(b));
        let mut shadow = Vec::new();
        for (i, lane) in lanes.into_iter().enumerate() {
            let sc = self.shadow(condition, if by_lane { i } else { 0 });
            let (sa, sb) = (self.shadow(a, i), self.shadow(b, i));
            if [sc, sa, sb].iter().all(|s| *s == Shadow::Zero) {
                shadow.push(Shadow::Zero);
                continue;
            }
            if lane.scalar == Scalar::Opaque {
                self.loss_of(old, &[sc, sa, sb], "select of a long double");
                shadow.push(Shadow::Zero);
                continue;
            }
            let index = self.action(&[sc, sa, sb], 1, move |t, handles| {
                let chosen = if by_lane { leaf_value(t.ir, vc, &lane.path) } else { vc };
                let (x, y) = (leaf_value(t.ir, va, &lane.path), leaf_value(t.ir, vb, &lane.path));
                let condition = handles.get(sc);
                let width = lane.scalar.width();
                let args = [
                    Arg::Same(t.ir.i32(width)),
                    Arg::Same(condition),
                    // Where the condition is concrete, one of them is the result as it is.
                    Arg::Same(t.emit_wide(width, condition, handles.get(sa), x)),
                    Arg::Same(t.emit_wide(width, condition, handles.get(sb), y)),
                    Arg::Bits(chosen),
                    Arg::Bits(x),
                    Arg::Bits(y),
                ];
                vec![t.slow("__off_ite", t.int_type(32), &args)]
            });
            shadow.push(Shadow::Pending(index, 0));
        }
        self.set_shadow(old, shadow);
    }

    fn visit_pointer_cast(&mut self, old: Value) {
        let from = old.operand(0);
        let (sources, targets) = (self.leaves_of(from), self.leaves_of(old));
        let width = |l: &[Leaf]| l.first().map_or(0, |l| l.scalar.width());
        let (source, target) = (width(&sources), width(&targets));
        if source == target {
            let shadow = self.all_shadows(from);
            self.set_shadow(old, shadow);
        } else {
            let op = if target < source { Op::Extract } else { Op::Zext };
            self.unary_lanes(old, op, &sources, &targets, from);
        }
    }

    /// Bits keep their place; lanes are glued together and cut anew where they differ.
    fn visit_bitcast(&mut self, old: Value) {
        let from = old.operand(0);
        let (sources, targets) = (self.leaves_of(from), self.leaves_of(old));
        let widths = |l: &[Leaf]| l.iter().map(|l| l.scalar.width()).collect::<Vec<_>>();
        let (source, target) = (widths(&sources), widths(&targets));
        if source == target {
            let shadow = self.all_shadows(from);
            self.set_shadow(old, shadow);
            return;
        }
        let total: u32 = source.iter().sum();
        if source.contains(&0) || target.contains(&0) || total > 128 || source.is_empty() || target.is_empty() {
            return self.give_up(old, "bitcast");
        }
        let shadows = self.all_shadows(from);
        let value = self.value(from);
        let count = target.len();
        let inputs = shadows.clone();
        let index = self.action(&inputs, count, move |t, handles| {
            let mut joined = handles.get(shadows[0]);
            let mut low = leaf_value(t.ir, value, &sources[0].path);
            let mut width = source[0];
            let wide = t.int_type(128);
            let mut bits = t.emit_widen(low, wide);
            for (i, leaf) in sources.iter().enumerate().skip(1) {
                let high = leaf_value(t.ir, value, &leaf.path);
                let any = t.ir.or(handles.get(shadows[i]), joined);
                let args = [
                    t.ir.i32(source[i] | width << 8),
                    handles.get(shadows[i]),
                    t.emit_wide(width, any, joined, bits),
                    t.to_i64(high),
                    t.ir.cast(LLVMOpcode::LLVMTrunc, bits, t.int_type(64)),
                ];
                joined = t.slow("__off_concat", t.int_type(32), &args.map(Arg::Same));
                let shifted = t.emit_widen(high, wide);
                let shifted = t.ir.binary(LLVMOpcode::LLVMShl, shifted, t.ir.const_int(wide, u64::from(width)));
                bits = t.ir.or(bits, shifted);
                width += source[i];
                low = high;
            }
            let _ = low;
            let mut at = 0;
            let mut made = Vec::new();
            for part in target {
                let args = [t.ir.i32(part | at << 8), joined];
                made.push(if part == width {
                    joined
                } else {
                    t.slow("__off_extract", t.int_type(32), &args.map(Arg::Same))
                });
                at += part;
            }
            made
        });
        self.set_shadow(old, (0..count).map(|i| Shadow::Pending(index, i)).collect());
    }

    fn emit_widen(&self, value: Value, wide: crate::ir::Type) -> Value {
        let narrow = self.to_i64(value);
        self.ir.cast(LLVMOpcode::LLVMZExt, narrow, wide)
    }

    fn visit_gep(&mut self, old: Value) {
        if old.ty().is_vector() {
            return self.give_up(old, "vector of addresses");
        }
        let base = old.operand(0);
        let operands = old.operands();
        let mut inputs = vec![self.scalar_shadow(base)];
        // Constant bytes, or an index with its scale.
        let mut steps: Vec<(Shadow, Value, u32, u64)> = Vec::new();
        let mut constant: u64 = 0;
        let mut ty = old.gep_source_type();
        for (i, &index) in operands[1..].iter().enumerate() {
            let scale;
            if i == 0 {
                scale = self.ir.alloc_size(ty);
            } else if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
                let field = index.const_value().unwrap_or(0) as u32;
                constant = constant.wrapping_add(self.ir.field_offset(ty, field));
                ty = ty.fields()[field as usize];
                continue;
            } else {
                ty = ty.element();
                scale = self.ir.alloc_size(ty);
            }
            let shadow = self.scalar_shadow(index);
            let width = index.ty().int_width().unwrap_or(64);
            match index.const_value() {
                Some(value) => {
                    let signed = ((value << (64 - width.min(64))) as i64) >> (64 - width.min(64));
                    constant = constant.wrapping_add((signed as u64).wrapping_mul(scale));
                }
                None => {
                    inputs.push(shadow);
                    steps.push((shadow, self.value(index), width, scale));
                }
            }
        }
        if inputs.iter().all(|s| *s == Shadow::Zero) {
            self.set_shadow(old, vec![Shadow::Zero]);
            return;
        }
        let base_shadow = inputs[0];
        let base_value = self.value(base);
        self.action_for(old, &inputs.clone(), 1, move |t, handles| {
            let mut handle = handles.get(base_shadow);
            if constant != 0 {
                handle = t.emit_with_constant(Op::Add, 64, handle, constant);
            }
            let mut address = if steps.is_empty() { t.ir.i64(0) } else { t.to_i64(base_value) };
            if constant != 0 && !steps.is_empty() {
                address = t.ir.add(address, t.ir.i64(constant));
            }
            let last = steps.len().saturating_sub(1);
            for (i, (shadow, index, width, scale)) in steps.into_iter().enumerate() {
                let wide = t.sign_extended(index);
                let args = [
                    Arg::Same(handle),
                    Arg::Same(handles.get(shadow)),
                    Arg::Fixed(t.ir.i32(width.min(64))),
                    Arg::Same(address),
                    Arg::Same(wide),
                    Arg::Same(t.ir.i64(scale)),
                ];
                handle = t.slow("__off_index", t.int_type(32), &args);
                if i != last {
                    let bytes = t.ir.binary(LLVMOpcode::LLVMMul, wide, t.ir.i64(scale));
                    address = t.ir.add(address, bytes);
                }
            }
            vec![handle]
        });
    }
}
