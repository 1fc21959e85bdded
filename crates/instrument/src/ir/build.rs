//! Building instructions.

use super::{Block, Ir, LLVMIntPredicate, LLVMOpcode, Type, Value, name};
use llvm_sys::core::*;

impl Ir {
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
            let mut parts =
                [LLVMMDStringInContext2(self.context, c"branch_weights".as_ptr(), 14), weight(1), weight(1 << 20)];
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
        Value(unsafe { LLVMBuildCall2(self.builder, ty.0, callee.0, raw.as_mut_ptr(), raw.len() as u32, c"".as_ptr()) })
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
