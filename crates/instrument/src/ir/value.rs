//! Types, blocks, and values that are instructions.

use super::{
    Block, FUNCTION_INDEX, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind, SourceFile, Type, Value,
    bytes, list, some, taken_message,
};
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use std::ptr;

impl Type {
    pub fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }
    pub fn int_width(self) -> Option<u32> {
        (self.kind() == LLVMTypeKind::LLVMIntegerTypeKind).then(|| unsafe { LLVMGetIntTypeWidth(self.0) })
    }
    /// As LLVM prints it.
    pub fn text(self) -> String {
        unsafe { taken_message(LLVMPrintTypeToString(self.0)) }
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
        is_alias = LLVMIsAGlobalAlias;
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
    pub fn set_call_convention(self, convention: u32) {
        unsafe { LLVMSetInstructionCallConv(self.0, convention) };
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
    /// A call like that of `setjmp`.
    pub fn returns_twice(self) -> bool {
        let attribute = "returns_twice";
        let callee = self.called();
        let here = unsafe {
            let kind = LLVMGetEnumAttributeKindForName(attribute.as_ptr().cast(), attribute.len());
            !LLVMGetCallSiteEnumAttribute(self.0, FUNCTION_INDEX, kind).is_null()
        };
        here || (callee.is_function() && callee.has_attribute(FUNCTION_INDEX, attribute))
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

    // ----- debug locations -----

    pub fn copy_location(self, from: Value) {
        unsafe { LLVMInstructionSetDebugLoc(self.0, LLVMInstructionGetDebugLoc(from.0)) };
    }
    pub fn drop_location(self) {
        unsafe { LLVMInstructionSetDebugLoc(self.0, ptr::null_mut()) };
    }
    /// File, line and column, if the value has a debug location.
    pub fn location(self) -> Option<(SourceFile, u32, u32)> {
        unsafe {
            if !self.is_instruction() || LLVMInstructionGetDebugLoc(self.0).is_null() {
                return None;
            }
            let line = LLVMGetDebugLocLine(self.0);
            let column = LLVMGetDebugLocColumn(self.0);
            let mut len = 0;
            let name = bytes(LLVMGetDebugLocFilename(self.0, &mut len), len as usize);
            let directory = bytes(LLVMGetDebugLocDirectory(self.0, &mut len), len as usize);
            Some((SourceFile { directory, name }, line, column))
        }
    }
    /// File and line of a function's definition.
    pub fn definition(self) -> (SourceFile, u32) {
        unsafe {
            let subprogram = LLVMGetSubprogram(self.0);
            if subprogram.is_null() {
                return (SourceFile::default(), 0);
            }
            let line = LLVMDISubprogramGetLine(subprogram);
            let file = LLVMDIScopeGetFile(subprogram);
            if file.is_null() {
                return (SourceFile::default(), line);
            }
            let mut len = 0;
            let name = bytes(LLVMDIFileGetFilename(file, &mut len), len as usize);
            let directory = bytes(LLVMDIFileGetDirectory(file, &mut len), len as usize);
            (SourceFile { directory, name }, line)
        }
    }
}
