//! The FFI edge: thin, copyable wrappers over LLVM's C API, so that the transformations read as what they do.
//!
//! Every wrapper is a pointer into one [`Ir`]'s context. They are only made by that `Ir`, used while it lives, and never
//! leave this crate; that is the reason behind every `unsafe` block here. A value must not be used after
//! [`Value::erase`]; the passes erase only what they have replaced.
#![allow(clippy::undocumented_unsafe_blocks)]

use crate::Error;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::comdat::{LLVMGetComdat, LLVMSetComdat};
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
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bitcode.as_ptr().cast(),
                bitcode.len(),
                c"bitcode".as_ptr(),
            );
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
            let broken =
                LLVMVerifyModule(self.module, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message);
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

    // ----- building -----

    pub fn at_end(&self, block: Block) {
        unsafe { LLVMPositionBuilderAtEnd(self.builder, block.0) };
        // The builder still has the location of where it stood before, which may be in another function.
        unsafe { LLVMSetCurrentDebugLocation2(self.builder, std::ptr::null_mut()) };
    }
    pub fn before(&self, instruction: Value) {
        unsafe { LLVMPositionBuilderBefore(self.builder, instruction.0) };
    }
    pub fn current_block(&self) -> Block {
        Block(unsafe { LLVMGetInsertBlock(self.builder) })
    }
    pub fn append_block(&self, function: Value, text: &str) -> Block {
        Block(unsafe { LLVMAppendBasicBlockInContext(self.context, function.0, name(text).as_ptr()) })
    }
    pub fn insert(&self, instruction: Value) {
        unsafe { LLVMInsertIntoBuilder(self.builder, instruction.0) };
    }
    pub fn br(&self, to: Block) -> Value {
        Value(unsafe { LLVMBuildBr(self.builder, to.0) })
    }
    pub fn cond_br(&self, condition: Value, yes: Block, no: Block) -> Value {
        Value(unsafe { LLVMBuildCondBr(self.builder, condition.0, yes.0, no.0) })
    }
    /// A branch that is nearly never taken.
    pub fn cold_br(&self, condition: Value, cold: Block, otherwise: Block) {
        let branch = self.cond_br(condition, cold, otherwise);
        unsafe {
            let kind = LLVMGetMDKindIDInContext(self.context, c"prof".as_ptr(), 4);
            let weight = |n| LLVMValueAsMetadata(self.i32(n).0);
            let mut parts = [
                LLVMMDStringInContext2(self.context, c"branch_weights".as_ptr(), 14),
                weight(1),
                weight(1 << 20),
            ];
            let node = LLVMMDNodeInContext2(self.context, parts.as_mut_ptr(), parts.len());
            LLVMSetMetadata(branch.0, kind, LLVMMetadataAsValue(self.context, node));
        }
    }
    pub fn switch(&self, value: Value, default: Block, cases: &[(Value, Block)]) -> Value {
        unsafe {
            let switch = LLVMBuildSwitch(self.builder, value.0, default.0, cases.len() as u32);
            for (case, block) in cases {
                LLVMAddCase(switch, case.0, block.0);
            }
            Value(switch)
        }
    }
    pub fn ret(&self, value: Option<Value>) {
        unsafe {
            match value {
                Some(value) => LLVMBuildRet(self.builder, value.0),
                None => LLVMBuildRetVoid(self.builder),
            };
        }
    }
    pub fn unreachable(&self) -> Value {
        Value(unsafe { LLVMBuildUnreachable(self.builder) })
    }
    pub fn phi(&self, ty: Type) -> Value {
        Value(unsafe { LLVMBuildPhi(self.builder, ty.0, c"".as_ptr()) })
    }
    pub fn call(&self, ty: Type, callee: Value, args: &[Value]) -> Value {
        let mut raw: Vec<_> = args.iter().map(|v| v.0).collect();
        Value(unsafe {
            LLVMBuildCall2(self.builder, ty.0, callee.0, raw.as_mut_ptr(), raw.len() as u32, c"".as_ptr())
        })
    }
    pub fn load(&self, ty: Type, from: Value, align: u32) -> Value {
        unsafe {
            let load = LLVMBuildLoad2(self.builder, ty.0, from.0, c"".as_ptr());
            LLVMSetAlignment(load, align);
            Value(load)
        }
    }
    pub fn store(&self, value: Value, to: Value, align: u32) -> Value {
        unsafe {
            let store = LLVMBuildStore(self.builder, value.0, to.0);
            LLVMSetAlignment(store, align);
            Value(store)
        }
    }
    pub fn alloca(&self, ty: Type) -> Value {
        Value(unsafe { LLVMBuildAlloca(self.builder, ty.0, c"".as_ptr()) })
    }
    /// `base + offset` bytes.
    pub fn byte_offset(&self, base: Value, offset: Value) -> Value {
        let mut index = offset.0;
        Value(unsafe { LLVMBuildGEP2(self.builder, self.int(8).0, base.0, &mut index, 1, c"".as_ptr()) })
    }
    pub fn binary(&self, opcode: LLVMOpcode, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildBinOp(self.builder, opcode, a.0, b.0, c"".as_ptr()) })
    }
    pub fn or(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMOpcode::LLVMOr, a, b)
    }
    pub fn add(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMOpcode::LLVMAdd, a, b)
    }
    pub fn cast(&self, opcode: LLVMOpcode, value: Value, to: Type) -> Value {
        Value(unsafe { LLVMBuildCast(self.builder, opcode, value.0, to.0, c"".as_ptr()) })
    }
    pub fn select(&self, condition: Value, yes: Value, no: Value) -> Value {
        Value(unsafe { LLVMBuildSelect(self.builder, condition.0, yes.0, no.0, c"".as_ptr()) })
    }
    pub fn icmp(&self, predicate: LLVMIntPredicate, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildICmp(self.builder, predicate, a.0, b.0, c"".as_ptr()) })
    }
    pub fn extract_value(&self, from: Value, index: u32) -> Value {
        Value(unsafe { LLVMBuildExtractValue(self.builder, from.0, index, c"".as_ptr()) })
    }
    pub fn extract_element(&self, from: Value, index: u64) -> Value {
        Value(unsafe { LLVMBuildExtractElement(self.builder, from.0, self.i64(index).0, c"".as_ptr()) })
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

impl Type {
    pub fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }
    pub fn int_width(self) -> Option<u32> {
        (self.kind() == LLVMTypeKind::LLVMIntegerTypeKind).then(|| unsafe { LLVMGetIntTypeWidth(self.0) })
    }
    pub fn is_void(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVoidTypeKind
    }
    pub fn is_pointer(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMPointerTypeKind
    }
    pub fn is_vector(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVectorTypeKind
    }
    pub fn fields(self) -> Vec<Type> {
        unsafe {
            let count = LLVMCountStructElementTypes(self.0);
            (0..count).map(|i| Type(LLVMStructGetTypeAtIndex(self.0, i))).collect()
        }
    }
    pub fn element(self) -> Type {
        Type(unsafe { LLVMGetElementType(self.0) })
    }
    pub fn array_len(self) -> u64 {
        unsafe { LLVMGetArrayLength2(self.0) }
    }
    pub fn vector_len(self) -> u32 {
        unsafe { LLVMGetVectorSize(self.0) }
    }
    pub fn return_type(self) -> Type {
        Type(unsafe { LLVMGetReturnType(self.0) })
    }
    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }
    pub fn params(self) -> Vec<Type> {
        unsafe {
            let mut raw = vec![ptr::null_mut(); LLVMCountParamTypes(self.0) as usize];
            LLVMGetParamTypes(self.0, raw.as_mut_ptr());
            raw.into_iter().map(Type).collect()
        }
    }
}

impl Block {
    pub fn instructions(self) -> Vec<Value> {
        list(unsafe { LLVMGetFirstInstruction(self.0) }, |i| unsafe { LLVMGetNextInstruction(i) })
    }
    pub fn terminator(self) -> Option<Value> {
        some(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }
    pub fn as_value(self) -> Value {
        Value(unsafe { LLVMBasicBlockAsValue(self.0) })
    }
    pub fn successors(self) -> Vec<Block> {
        let Some(end) = self.terminator() else { return Vec::new() };
        end.successors()
    }
}

macro_rules! is_a {
    ($($method:ident = $raw:ident;)*) => {
        $(pub fn $method(self) -> bool { unsafe { !$raw(self.0).is_null() } })*
    };
}

impl Value {
    is_a! {
        is_phi = LLVMIsAPHINode;
        is_select = LLVMIsASelectInst;
        is_load = LLVMIsALoadInst;
        is_store = LLVMIsAStoreInst;
        is_call = LLVMIsACallInst;
        is_alloca = LLVMIsAAllocaInst;
        is_gep = LLVMIsAGetElementPtrInst;
        is_instruction = LLVMIsAInstruction;
        is_const_int = LLVMIsAConstantInt;
        is_constant = LLVMIsAConstant;
        is_global_variable = LLVMIsAGlobalVariable;
        is_function = LLVMIsAFunction;
        is_inline_asm = LLVMIsAInlineAsm;
        is_block_address = LLVMIsABlockAddress;
    }

    pub fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }
    pub fn name(self) -> String {
        let mut len = 0;
        unsafe { bytes(LLVMGetValueName2(self.0, &mut len), len) }
    }
    pub fn set_name(self, text: &str) {
        unsafe { LLVMSetValueName2(self.0, text.as_ptr().cast(), text.len()) };
    }
    pub fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0) as u32 }
    }
    pub fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }
    pub fn operands(self) -> Vec<Value> {
        (0..self.operand_count()).map(|i| self.operand(i)).collect()
    }
    pub fn set_operand(self, index: u32, value: Value) {
        unsafe { LLVMSetOperand(self.0, index, value.0) };
    }
    pub fn users(self) -> Vec<Value> {
        let mut found = Vec::new();
        let mut at = unsafe { LLVMGetFirstUse(self.0) };
        while !at.is_null() {
            found.push(Value(unsafe { LLVMGetUser(at) }));
            at = unsafe { LLVMGetNextUse(at) };
        }
        found
    }
    pub fn replace_all_uses(self, with: Value) {
        unsafe { LLVMReplaceAllUsesWith(self.0, with.0) };
    }
    pub fn erase(self) {
        unsafe { LLVMInstructionEraseFromParent(self.0) };
    }
    pub fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }
    pub fn parent(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }
    pub fn clone_instruction(self) -> Value {
        Value(unsafe { LLVMInstructionClone(self.0) })
    }
    pub fn const_value(self) -> Option<u64> {
        self.is_const_int().then(|| unsafe { LLVMConstIntGetZExtValue(self.0) })
    }
    pub fn int_predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }
    pub fn real_predicate(self) -> LLVMRealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }
    pub fn indices(self) -> Vec<u32> {
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
        }
    }
    pub fn gep_source_type(self) -> Type {
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }
    pub fn allocated_type(self) -> Type {
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }
    /// `None` for the lanes that are undefined.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        unsafe {
            let count = LLVMGetNumMaskElements(self.0);
            (0..count).map(|i| u32::try_from(LLVMGetMaskValue(self.0, i)).ok()).collect()
        }
    }
    pub fn atomic_operation(self) -> llvm_sys::LLVMAtomicRMWBinOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }
    /// Text and constraints of inline assembly.
    pub fn assembly(self) -> (String, String) {
        let (mut text, mut constraints) = (0, 0);
        unsafe {
            let first = LLVMGetInlineAsmAsmString(self.0, &mut text);
            let second = LLVMGetInlineAsmConstraintString(self.0, &mut constraints);
            (bytes(first, text), bytes(second, constraints))
        }
    }
    /// Of a load or store.
    pub fn alignment(self) -> u64 {
        u64::from(unsafe { LLVMGetAlignment(self.0) })
    }

    // ----- control flow -----

    pub fn successors(self) -> Vec<Block> {
        unsafe { (0..LLVMGetNumSuccessors(self.0)).map(|i| Block(LLVMGetSuccessor(self.0, i))).collect() }
    }
    pub fn set_successor(self, index: u32, block: Block) {
        unsafe { LLVMSetSuccessor(self.0, index, block.0) };
    }
    pub fn is_conditional(self) -> bool {
        unsafe { LLVMIsConditional(self.0) != 0 }
    }
    pub fn incoming(self) -> Vec<(Value, Block)> {
        unsafe {
            let count = LLVMCountIncoming(self.0);
            (0..count)
                .map(|i| (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i))))
                .collect()
        }
    }
    pub fn add_incoming(self, value: Value, block: Block) {
        let (mut value, mut block) = (value.0, block.0);
        unsafe { LLVMAddIncoming(self.0, &mut value, &mut block, 1) };
    }

    // ----- calls -----

    pub fn called(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }
    pub fn called_type(self) -> Type {
        Type(unsafe { LLVMGetCalledFunctionType(self.0) })
    }
    pub fn args(self) -> Vec<Value> {
        unsafe { (0..LLVMGetNumArgOperands(self.0)).map(|i| Value(LLVMGetArgOperand(self.0, i))).collect() }
    }
    /// The callee is the last operand of a call or invoke.
    pub fn set_called(self, callee: Value) {
        self.set_operand(self.operand_count() - 1, callee);
    }
    pub fn intrinsic_name(self) -> Option<String> {
        let function = self.called();
        if !function.is_function() {
            return None;
        }
        let name = function.name();
        name.starts_with("llvm.").then_some(name)
    }
    pub fn set_must_tail(self) {
        unsafe { LLVMSetTailCallKind(self.0, llvm_sys::LLVMTailCallKind::LLVMTailCallKindMustTail) };
    }
    pub fn drop_tail(self) {
        unsafe { LLVMSetTailCallKind(self.0, llvm_sys::LLVMTailCallKind::LLVMTailCallKindNone) };
    }
    pub fn is_must_tail(self) -> bool {
        unsafe { LLVMGetTailCallKind(self.0) == llvm_sys::LLVMTailCallKind::LLVMTailCallKindMustTail }
    }
    pub fn call_param_type_attribute(self, param: u32, attribute: &str) -> Option<Type> {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(attribute.as_ptr().cast(), attribute.len());
            let found = LLVMGetCallSiteEnumAttribute(self.0, param + 1, kind);
            (!found.is_null()).then(|| Type(LLVMGetTypeAttributeValue(found)))
        }
    }
    /// Forgets what is known of the callee's effects on memory.
    pub fn drop_call_effects(self) {
        unsafe {
            for text in ["memory", "nosync", "nofree", "willreturn"] {
                let kind = LLVMGetEnumAttributeKindForName(text.as_ptr().cast(), text.len());
                LLVMRemoveCallSiteEnumAttribute(self.0, FUNCTION_INDEX, kind);
            }
        }
    }
    /// Gives a call the calling convention and all parameter attributes of `function`.
    pub fn copy_call_attributes(self, function: Value, params: u32) {
        unsafe {
            LLVMSetInstructionCallConv(self.0, LLVMGetFunctionCallConv(function.0));
            for index in 0..=params {
                for attribute in function.attributes(index) {
                    LLVMAddCallSiteAttribute(self.0, index, attribute);
                }
            }
        }
    }

    // ----- functions and globals -----

    pub fn value_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }
    pub fn linkage(self) -> LLVMLinkage {
        unsafe { LLVMGetLinkage(self.0) }
    }
    pub fn set_linkage(self, linkage: LLVMLinkage) {
        unsafe { LLVMSetLinkage(self.0, linkage) };
    }
    /// Internal or private: nobody outside the module can name it.
    pub fn is_local(self) -> bool {
        matches!(self.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }
    pub fn is_constant_global(self) -> bool {
        self.is_global_variable() && unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }
    pub fn is_thread_local(self) -> bool {
        unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }
    pub fn set_initial_exec(self) {
        unsafe {
            LLVMSetThreadLocal(self.0, 1);
            LLVMSetThreadLocalMode(self.0, llvm_sys::LLVMThreadLocalMode::LLVMInitialExecTLSModel);
        }
    }
    pub fn initializer(self) -> Option<Value> {
        some(unsafe { LLVMGetInitializer(self.0) })
    }
    pub fn set_initializer(self, value: Value) {
        unsafe { LLVMSetInitializer(self.0, value.0) };
    }
    pub fn set_constant(self) {
        unsafe { LLVMSetGlobalConstant(self.0, 1) };
    }
    pub fn set_alignment(self, align: u32) {
        unsafe { LLVMSetAlignment(self.0, align) };
    }
    pub fn section(self) -> String {
        unsafe {
            let raw = LLVMGetSection(self.0);
            if raw.is_null() { String::new() } else { CStr::from_ptr(raw).to_string_lossy().into_owned() }
        }
    }
    pub fn set_section(self, text: &str) {
        unsafe { LLVMSetSection(self.0, name(text).as_ptr()) };
    }
    pub fn delete_global(self) {
        unsafe { LLVMDeleteGlobal(self.0) };
    }
    pub fn delete_function(self) {
        unsafe { LLVMDeleteFunction(self.0) };
    }
    pub fn blocks(self) -> Vec<Block> {
        unsafe {
            let mut raw = vec![ptr::null_mut(); LLVMCountBasicBlocks(self.0) as usize];
            LLVMGetBasicBlocks(self.0, raw.as_mut_ptr());
            raw.into_iter().map(Block).collect()
        }
    }
    pub fn entry(self) -> Block {
        Block(unsafe { LLVMGetEntryBasicBlock(self.0) })
    }
    pub fn params(self) -> Vec<Value> {
        unsafe { (0..LLVMCountParams(self.0)).map(|i| Value(LLVMGetParam(self.0, i))).collect() }
    }
    /// Attributes at 0 (result), 1.. (parameters) or [`FUNCTION_INDEX`].
    pub fn attributes(self, index: u32) -> Vec<LLVMAttributeRef> {
        unsafe {
            let mut raw = vec![ptr::null_mut(); LLVMGetAttributeCountAtIndex(self.0, index) as usize];
            LLVMGetAttributesAtIndex(self.0, index, raw.as_mut_ptr());
            raw
        }
    }
    pub fn add_attribute(self, index: u32, attribute: LLVMAttributeRef) {
        unsafe { LLVMAddAttributeAtIndex(self.0, index, attribute) };
    }
    pub fn has_attribute(self, index: u32, attribute: &str) -> bool {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(attribute.as_ptr().cast(), attribute.len());
            !LLVMGetEnumAttributeAtIndex(self.0, index, kind).is_null()
        }
    }
    pub fn type_attribute(self, index: u32, attribute: &str) -> Option<Type> {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(attribute.as_ptr().cast(), attribute.len());
            let found = LLVMGetEnumAttributeAtIndex(self.0, index, kind);
            (!found.is_null()).then(|| Type(LLVMGetTypeAttributeValue(found)))
        }
    }
    pub fn remove_attribute(self, index: u32, attribute: &str) {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(attribute.as_ptr().cast(), attribute.len());
            LLVMRemoveEnumAttributeAtIndex(self.0, index, kind);
        }
    }
    /// Makes this function what `other` is to callers and to code generation: attributes, convention, personality.
    pub fn copy_function_traits(self, other: Value) {
        unsafe {
            LLVMSetFunctionCallConv(self.0, LLVMGetFunctionCallConv(other.0));
            let params = LLVMCountParams(other.0);
            for index in (0..=params).chain([FUNCTION_INDEX]) {
                for attribute in other.attributes(index) {
                    self.add_attribute(index, attribute);
                }
            }
            if LLVMHasPersonalityFn(other.0) != 0 {
                LLVMSetPersonalityFn(self.0, LLVMGetPersonalityFn(other.0));
            }
        }
    }
    /// Makes this global what `other` is to the linker.
    pub fn copy_linkage_traits(self, other: Value) {
        unsafe {
            LLVMSetLinkage(self.0, LLVMGetLinkage(other.0));
            LLVMSetVisibility(self.0, LLVMGetVisibility(other.0));
            LLVMSetUnnamedAddress(self.0, LLVMGetUnnamedAddress(other.0));
            self.copy_placement(other);
        }
    }
    /// Same section and comdat as `other`.
    pub fn copy_placement(self, other: Value) {
        unsafe {
            let comdat = LLVMGetComdat(other.0);
            if !comdat.is_null() {
                LLVMSetComdat(self.0, comdat);
            }
            let section = LLVMGetSection(other.0);
            if !section.is_null() {
                LLVMSetSection(self.0, section);
            }
        }
    }
    pub fn has_comdat(self) -> bool {
        unsafe { !LLVMGetComdat(self.0).is_null() }
    }

    // ----- debug locations -----

    pub fn copy_location(self, from: Value) {
        unsafe { LLVMInstructionSetDebugLoc(self.0, LLVMInstructionGetDebugLoc(from.0)) };
    }
    pub fn drop_location(self) {
        unsafe { LLVMInstructionSetDebugLoc(self.0, ptr::null_mut()) };
    }
    /// File, line and column, if the value has a debug location.
    pub fn location(self) -> Option<(String, u32, u32)> {
        unsafe {
            if !self.is_instruction() || LLVMInstructionGetDebugLoc(self.0).is_null() {
                return None;
            }
            let line = LLVMGetDebugLocLine(self.0);
            let column = LLVMGetDebugLocColumn(self.0);
            let mut len = 0;
            let file = bytes(LLVMGetDebugLocFilename(self.0, &mut len), len as usize);
            Some((file, line, column))
        }
    }
    /// File and line of a function's definition.
    pub fn definition(self) -> (String, u32) {
        unsafe {
            let subprogram = LLVMGetSubprogram(self.0);
            if subprogram.is_null() {
                return (String::new(), 0);
            }
            let file = LLVMDIScopeGetFile(subprogram);
            let mut len = 0;
            let text = if file.is_null() { String::new() } else { bytes(LLVMDIFileGetFilename(file, &mut len), len as usize) };
            (text, LLVMDISubprogramGetLine(subprogram))
        }
    }
}

/// The index of a function's own attributes.
pub const FUNCTION_INDEX: u32 = llvm_sys::LLVMAttributeFunctionIndex;
