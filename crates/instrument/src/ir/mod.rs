//! The FFI edge: thin, copyable wrappers over LLVM's C API, so that the transformations read as what they do.
//!
//! Every wrapper is a pointer into one [`Ir`]'s context. They are only made by that `Ir`, used while it lives, and never
//! leave this crate; that is the reason behind every `unsafe` block here. A value must not be used after
//! [`Value::erase`]; the passes erase only what they have replaced.
#![allow(clippy::undocumented_unsafe_blocks)]

mod build;
mod function;
mod value;

use crate::Error;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use llvm_sys::transforms::pass_builder::*;
pub use llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind};
use std::ffi::{CStr, CString, c_char};
use std::ptr;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(pub LLVMValueRef);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block(pub LLVMBasicBlockRef);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type(pub LLVMTypeRef);

/// A file as debug information names it: `name` is relative to `directory` unless it is absolute. The directory is not
/// always the one that the compiler ran in: clang cuts off what the two have in common.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct SourceFile {
    pub directory: String,
    pub name: String,
}

/// A module with its context, builder and data layout.
pub struct Ir {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    builder: LLVMBuilderRef,
    layout: LLVMTargetDataRef,
}

impl Drop for Ir {
    fn drop(&mut self) {
        unsafe {
            LLVMDisposeBuilder(self.builder);
            LLVMDisposeModule(self.module);
            LLVMContextDispose(self.context);
        }
    }
}

fn name(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

unsafe fn taken_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    unsafe { LLVMDisposeMessage(message) };
    text
}

impl Ir {
    pub fn parse(bitcode: &[u8]) -> Result<Ir, Error> {
        unsafe {
            let context = LLVMContextCreate();
            let buffer =
                LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode.as_ptr().cast(), bitcode.len(), c"bitcode".as_ptr());
            let mut module = ptr::null_mut();
            let failed = LLVMParseBitcodeInContext2(context, buffer, &mut module);
            LLVMDisposeMemoryBuffer(buffer);
            if failed != 0 {
                LLVMContextDispose(context);
                return Err(Error::Parse("not bitcode of LLVM 19".into()));
            }
            let builder = LLVMCreateBuilderInContext(context);
            Ok(Ir { context, module, builder, layout: LLVMGetModuleDataLayout(module) })
        }
    }

    pub fn to_bitcode(&self) -> Vec<u8> {
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.module);
            let bytes =
                std::slice::from_raw_parts(LLVMGetBufferStart(buffer).cast::<u8>(), LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    pub fn verify(&self) -> Result<(), Error> {
        unsafe {
            let mut message = ptr::null_mut();
            let broken = LLVMVerifyModule(self.module, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message);
            let text = taken_message(message);
            if broken != 0 { Err(Error::Verify(text)) } else { Ok(()) }
        }
    }

    /// Runs a pass pipeline, vectorisers and unrolling off: both multiply code that is to be shadowed.
    pub fn run_passes(&self, pipeline: &str) -> Result<(), Error> {
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
            LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
            LLVMPassBuilderOptionsSetLoopInterleaving(options, 0);
            LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
            let error = LLVMRunPasses(self.module, name(pipeline).as_ptr(), ptr::null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            if error.is_null() {
                return Ok(());
            }
            let message = LLVMGetErrorMessage(error);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(message);
            Err(Error::Pass(text))
        }
    }

    pub fn source_name(&self) -> String {
        let mut len = 0;
        unsafe { bytes(LLVMGetSourceFileName(self.module, &mut len), len) }
    }

    pub fn strip_debug(&self) {
        unsafe { LLVMStripModuleDebugInfo(self.module) };
    }

    // ----- types -----

    pub fn int(&self, bits: u32) -> Type {
        Type(unsafe { LLVMIntTypeInContext(self.context, bits) })
    }
    pub fn ptr(&self) -> Type {
        Type(unsafe { LLVMPointerTypeInContext(self.context, 0) })
    }
    pub fn void(&self) -> Type {
        Type(unsafe { LLVMVoidTypeInContext(self.context) })
    }
    pub fn array(&self, of: Type, len: u64) -> Type {
        Type(unsafe { LLVMArrayType2(of.0, len) })
    }
    pub fn structure(&self, fields: &[Type]) -> Type {
        let mut raw: Vec<_> = fields.iter().map(|t| t.0).collect();
        Type(unsafe { LLVMStructTypeInContext(self.context, raw.as_mut_ptr(), raw.len() as u32, 0) })
    }
    pub fn function_type(&self, result: Type, params: &[Type], variadic: bool) -> Type {
        let mut raw: Vec<_> = params.iter().map(|t| t.0).collect();
        Type(unsafe { LLVMFunctionType(result.0, raw.as_mut_ptr(), raw.len() as u32, variadic as i32) })
    }
    pub fn size_bits(&self, ty: Type) -> u64 {
        unsafe { LLVMSizeOfTypeInBits(self.layout, ty.0) }
    }
    /// Bytes that a store of this type writes.
    pub fn store_size(&self, ty: Type) -> u64 {
        unsafe { LLVMStoreSizeOfType(self.layout, ty.0) }
    }
    /// Distance between array elements.
    pub fn alloc_size(&self, ty: Type) -> u64 {
        unsafe { LLVMABISizeOfType(self.layout, ty.0) }
    }
    pub fn field_offset(&self, ty: Type, field: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(self.layout, ty.0, field) }
    }

    // ----- constants -----

    pub fn const_int(&self, ty: Type, value: u64) -> Value {
        Value(unsafe { LLVMConstInt(ty.0, value, 0) })
    }
    pub fn i32(&self, value: u32) -> Value {
        self.const_int(self.int(32), value as u64)
    }
    pub fn i64(&self, value: u64) -> Value {
        self.const_int(self.int(64), value)
    }
    pub fn null(&self, ty: Type) -> Value {
        Value(unsafe { LLVMConstNull(ty.0) })
    }
    pub fn const_array(&self, of: Type, values: &[Value]) -> Value {
        let mut raw: Vec<_> = values.iter().map(|v| v.0).collect();
        Value(unsafe { LLVMConstArray2(of.0, raw.as_mut_ptr(), raw.len() as u64) })
    }
    pub fn const_struct(&self, values: &[Value]) -> Value {
        let mut raw: Vec<_> = values.iter().map(|v| v.0).collect();
        Value(unsafe { LLVMConstStructInContext(self.context, raw.as_mut_ptr(), raw.len() as u32, 0) })
    }
    pub fn const_string(&self, text: &str) -> Value {
        Value(unsafe { LLVMConstStringInContext2(self.context, text.as_ptr().cast(), text.len(), 0) })
    }
    pub fn const_int_to_ptr(&self, value: Value) -> Value {
        Value(unsafe { LLVMConstIntToPtr(value.0, self.ptr().0) })
    }
    pub fn const_byte_offset(&self, base: Value, offset: u64) -> Value {
        let mut index = self.i64(offset).0;
        Value(unsafe { LLVMConstGEP2(self.int(8).0, base.0, &mut index, 1) })
    }

    // ----- globals and functions -----

    pub fn functions(&self) -> Vec<Value> {
        list(unsafe { LLVMGetFirstFunction(self.module) }, |f| unsafe { LLVMGetNextFunction(f) })
    }
    pub fn globals(&self) -> Vec<Value> {
        list(unsafe { LLVMGetFirstGlobal(self.module) }, |g| unsafe { LLVMGetNextGlobal(g) })
    }
    pub fn aliases(&self) -> Vec<Value> {
        list(unsafe { LLVMGetFirstGlobalAlias(self.module) }, |g| unsafe { LLVMGetNextGlobalAlias(g) })
    }
    pub fn ifuncs(&self) -> Vec<Value> {
        list(unsafe { LLVMGetFirstGlobalIFunc(self.module) }, |g| unsafe { LLVMGetNextGlobalIFunc(g) })
    }
    pub fn named_function(&self, text: &str) -> Option<Value> {
        some(unsafe { LLVMGetNamedFunction(self.module, name(text).as_ptr()) })
    }
    pub fn named_global(&self, text: &str) -> Option<Value> {
        some(unsafe { LLVMGetNamedGlobal(self.module, name(text).as_ptr()) })
    }
    pub fn declare(&self, text: &str, ty: Type) -> Value {
        self.named_function(text).unwrap_or_else(|| self.add_function(text, ty))
    }
    pub fn add_function(&self, text: &str, ty: Type) -> Value {
        Value(unsafe { LLVMAddFunction(self.module, name(text).as_ptr(), ty.0) })
    }
    pub fn add_global(&self, text: &str, ty: Type) -> Value {
        Value(unsafe { LLVMAddGlobal(self.module, ty.0, name(text).as_ptr()) })
    }
    pub fn add_alias(&self, text: &str, ty: Type, target: Value) -> Value {
        Value(unsafe { LLVMAddAlias2(self.module, ty.0, 0, target.0, name(text).as_ptr()) })
    }
    /// The declaration of an intrinsic overloaded on nothing.
    pub fn enum_attribute(&self, text: &str, value: u64) -> LLVMAttributeRef {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(text.as_ptr().cast(), text.len());
            LLVMCreateEnumAttribute(self.context, kind, value)
        }
    }
    /// Adds to the module's constructors, with the given priority.
    pub fn add_constructor(&self, function: Value, priority: u32) {
        let entry = self.const_struct(&[self.i32(priority), function, self.null(self.ptr())]);
        let mut entries = Vec::new();
        if let Some(old) = self.named_global("llvm.global_ctors") {
            let init = old.initializer();
            entries = (0..init.map_or(0, |i| i.operand_count())).filter_map(|i| Some(init?.operand(i))).collect();
            unsafe { LLVMSetValueName2(old.0, c"llvm.global_ctors.old".as_ptr(), 21) };
            unsafe { LLVMDeleteGlobal(old.0) };
        }
        entries.push(entry);
        let array = self.const_array(entry.ty(), &entries);
        let global = self.add_global("llvm.global_ctors", array.ty());
        global.set_initializer(array);
        global.set_linkage(LLVMLinkage::LLVMAppendingLinkage);
    }
}

unsafe fn bytes(start: *const c_char, len: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(start.cast::<u8>(), len) }).into_owned()
}

fn some(raw: LLVMValueRef) -> Option<Value> {
    (!raw.is_null()).then_some(Value(raw))
}

fn list(mut at: LLVMValueRef, next: impl Fn(LLVMValueRef) -> LLVMValueRef) -> Vec<Value> {
    let mut found = Vec::new();
    while !at.is_null() {
        found.push(Value(at));
        at = next(at);
    }
    found
}

/// The calling convention under which the callee saves all general registers but one.
pub const PRESERVE_MOST: u32 = llvm_sys::LLVMCallConv::LLVMPreserveMostCallConv as u32;
/// The index of a function's own attributes.
pub const FUNCTION_INDEX: u32 = llvm_sys::LLVMAttributeFunctionIndex;
