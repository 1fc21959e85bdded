//! Calls out of slow blocks.
//!
//! A slow block stands in the middle of code that is meant to be fast. An ordinary call there would make the register
//! allocator keep everything that lives across it out of half the registers, and look for the best places to do so, which
//! took most of the time of a build. So each module has small functions of its own that leave all general registers
//! alone, and that also spare the slow blocks what they can work out by themselves:
//!
//! ```text
//!   %site = add (load @__off_site_base), 17
//!   %a = ptrtoint %p
//!   %h = call i32 @__off_load(i64 %a, i32 8, i32 0, i32 %site)
//! ─▶
//!   %h = call preserve_mostcc i32 @__off_load.p8zs(ptr %p, i32 17)
//! ```

use super::Translator;
use crate::ir::{FUNCTION_INDEX, LLVMLinkage, LLVMOpcode, PRESERVE_MOST, Type, Value};
use std::fmt::Write;

/// An argument of a run-time function.
#[derive(Clone, Copy)]
pub(super) enum Arg {
    /// As it is; a constant 0 does not travel.
    Same(Value),
    /// A constant of which there are few.
    Fixed(Value),
    /// A scalar's low 64 bits.
    Bits(Value),
    /// The global number of this site of the module's.
    Site(u32),
}

/// How the module's function comes by an argument.
enum Source {
    Constant(Value),
    Parameter,
    Pointer,
    Narrow,
    Site,
}

impl Translator<'_, '_> {
    /// Calls the run-time function `name` from a slow block.
    pub(super) fn slow(&mut self, name: &str, result: Type, args: &[Arg]) -> Value {
        let ir = self.ir;
        let mut full_name = format!("{name}.");
        let mut sources = Vec::new();
        let mut passed = Vec::new();
        for arg in args {
            let (letter, source, value) = match *arg {
                Arg::Site(site) => ("s".into(), Source::Site, ir.i32(site)),
                Arg::Fixed(value) => {
                    (value.const_value().unwrap_or_default().to_string(), Source::Constant(value), value)
                }
                Arg::Same(value) if is_zero(value) => ("z".into(), Source::Constant(value), value),
                Arg::Same(value) => ("a".to_string(), Source::Parameter, value),
                Arg::Bits(value) if value.ty().is_pointer() => ("p".into(), Source::Pointer, value),
                Arg::Bits(value) if is_zero(value) => ("z".into(), Source::Constant(ir.i64(0)), value),
                Arg::Bits(value) => match value.ty().int_width() {
                    Some(32) => ("i".into(), Source::Narrow, value),
                    Some(width) if width < 32 => {
                        ("i".into(), Source::Narrow, ir.cast(LLVMOpcode::LLVMZExt, value, ir.int(32)))
                    }
                    _ => ("a".into(), Source::Parameter, self.to_i64(value)),
                },
            };
            let _ = write!(full_name, "{letter}");
            if !matches!(source, Source::Constant(_)) {
                passed.push(value);
            }
            sources.push(source);
        }
        let params: Vec<Type> = passed.iter().map(|value| value.ty()).collect();
        let ty = ir.function_type(result, &params, false);
        let known = ir.named_function(&full_name);
        let function = known.unwrap_or_else(|| self.make_slow(&full_name, ty, name, result, &sources));
        let call = ir.call(ty, function, &passed);
        call.set_call_convention(PRESERVE_MOST);
        call
    }

    fn make_slow(&mut self, full_name: &str, ty: Type, name: &str, result: Type, sources: &[Source]) -> Value {
        let ir = self.ir;
        let back = ir.current_block();
        let function = ir.add_function(full_name, ty);
        function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        function.set_convention(PRESERVE_MOST);
        for (attribute, value) in [("nounwind", 0), ("noinline", 0), ("cold", 0), ("uwtable", 2)] {
            function.add_attribute(FUNCTION_INDEX, ir.enum_attribute(attribute, value));
        }
        ir.at_end(ir.append_block(function, "entry"));
        let mut params = function.params().into_iter();
        let mut next = || params.next().unwrap_or(ir.i32(0));
        let args: Vec<Value> = sources
            .iter()
            .map(|source| match source {
                Source::Constant(value) => *value,
                Source::Parameter => next(),
                Source::Pointer => ir.cast(LLVMOpcode::LLVMPtrToInt, next(), ir.int(64)),
                Source::Narrow => ir.cast(LLVMOpcode::LLVMZExt, next(), ir.int(64)),
                Source::Site => {
                    let base = ir.load(ir.int(32), self.shared.site_base, 4);
                    ir.add(base, next())
                }
            })
            .collect();
        let value = self.runtime().call(name, result, &args);
        ir.ret((!result.is_void()).then_some(value));
        ir.at_end(back);
        function
    }
}

fn is_zero(value: Value) -> bool {
    value.const_value() == Some(0)
}
