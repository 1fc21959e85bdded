//! Values that are functions or globals.

use super::{Block, FUNCTION_INDEX, LLVMLinkage, Type, Value, name, some};
use llvm_sys::comdat::{LLVMGetComdat, LLVMSetComdat};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::ffi::CStr;
use std::ptr;

impl Value {
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
    pub fn set_convention(self, convention: u32) {
        unsafe { LLVMSetFunctionCallConv(self.0, convention) };
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
    /// Of an alias.
    pub fn aliasee(self) -> Value {
        Value(unsafe { LLVMAliasGetAliasee(self.0) })
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
}
