//! The run-time library's functions and data as instrumented code sees them. The other side is `crates/runtime`.

use crate::ir::{FUNCTION_INDEX, Ir, Type, Value};

/// Offsets in the thread-local block `__off_tls`; `crates/runtime/src/tls.rs` asserts the same.
pub mod tls {
    pub const SIZE: u64 = 768;
    /// Address of the function whose result the `RET` handles are; 0 if none.
    pub const RET_TAG: u64 = 0;
    pub const RET: u64 = 8;
    pub const RETS: usize = 8;
    /// Address of the function that the `ARGS` are for; 0 if none.
    pub const ARG_TAG: u64 = 40;
    pub const ARGS: u64 = 48;
    pub const MAX_ARGS: usize = 64;
    /// Class of each variadic argument: 0 none, 1 general register, 2 vector register, 3 sixteen bytes of stack.
    pub const VA_KINDS: u64 = 304;
    /// Number of variadic arguments whose classes are known.
    pub const VA_COUNT: u64 = 368;
    /// Bytes of stack that the variadic arguments take.
    pub const VA_STACK: u64 = 372;
    /// Where the caller's by-value arguments came from.
    pub const BYVAL: u64 = 376;
    pub const BYVALS: usize = 8;
    /// Innermost record of stack objects.
    pub const FRAMES: u64 = 440;
    /// Site of the call into an interceptor.
    pub const CALL_SITE: u64 = 448;
}

/// Declares on first use; every run-time function is `nounwind`.
pub struct Runtime<'a> {
    pub ir: &'a Ir,
}

impl<'a> Runtime<'a> {
    fn function(&self, name: &str, result: Type, params: &[Type]) -> (Type, Value) {
        let ty = self.ir.function_type(result, params, false);
        let known = self.ir.named_function(name);
        let function = self.ir.declare(name, ty);
        if known.is_none() {
            function.add_attribute(FUNCTION_INDEX, self.ir.enum_attribute("nounwind", 0));
        }
        (ty, function)
    }

    /// Calls `name` with arguments whose types give the signature.
    pub fn call(&self, name: &str, result: Type, args: &[Value]) -> Value {
        let params: Vec<Type> = args.iter().map(|a| a.ty()).collect();
        let (ty, function) = self.function(name, result, &params);
        self.ir.call(ty, function, args)
    }

    pub fn tls(&self) -> Value {
        self.ir.named_global("__off_tls").unwrap_or_else(|| {
            let global = self.ir.add_global("__off_tls", self.ir.array(self.ir.int(8), tls::SIZE));
            global.set_initial_exec();
            global.set_alignment(16);
            global
        })
    }

    pub fn tls_at(&self, offset: u64) -> Value {
        self.ir.const_byte_offset(self.tls(), offset)
    }

    fn external(&self, name: &str, ty: Type) -> Value {
        self.ir.named_global(name).unwrap_or_else(|| self.ir.add_global(name, ty))
    }

    /// A byte: run symbolic bodies?
    pub fn active(&self) -> Value {
        self.external("__off_active", self.ir.int(8))
    }

    /// An `i32`, not 0 if concrete branches are wanted in the trace.
    pub fn concrete_branches(&self) -> Value {
        self.external("__off_concrete_branches", self.ir.int(32))
    }
}
