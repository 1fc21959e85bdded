//! LLVM's intrinsics.

use super::leaves::{Scalar, leaf_value};
use super::slow::Arg;
use super::{Shadow, Translator};
use crate::ir::{LLVMIntPredicate, LLVMOpcode, Value};
use offshoot_model::SiteKind;
use offshoot_trace::Op;

/// Operations that the run-time library puts together from terms; the numbers are the first argument of
/// `__off_composite` (`crates/runtime/src/composite.rs`).
const COMPOSITES: &[(&str, u32)] = &[
    ("fshl", 1),
    ("fshr", 2),
    ("umin", 3),
    ("umax", 4),
    ("smin", 5),
    ("smax", 6),
    ("abs", 7),
    ("uadd.sat", 8),
    ("usub.sat", 9),
    ("sadd.sat", 10),
    ("ssub.sat", 11),
    ("ushl.sat", 12),
    ("sshl.sat", 13),
    ("fabs", 14),
    ("copysign", 15),
    ("fmuladd", 16),
    ("fma", 17),
    ("ucmp", 18),
    ("scmp", 19),
];

const UNARY: &[(&str, Op)] = &[
    ("bswap", Op::Bswap),
    ("bitreverse", Op::Bitreverse),
    ("ctpop", Op::Ctpop),
    ("ctlz", Op::Ctlz),
    ("cttz", Op::Cttz),
    ("sqrt", Op::FSqrt),
    ("floor", Op::FFloor),
    ("ceil", Op::FCeil),
    ("trunc", Op::FTrunc),
    ("rint", Op::FRint),
    ("nearbyint", Op::FRint),
    ("roundeven", Op::FRint),
    ("round", Op::FRound),
];

const BINARY: &[(&str, Op)] = &[("minnum", Op::FMin), ("maxnum", Op::FMax)];

/// Overflow flags; the numbers are the first argument of `__off_overflow`.
const OVERFLOW: &[(&str, Op, u32)] = &[
    ("uadd.with.overflow", Op::Add, 1),
    ("sadd.with.overflow", Op::Add, 2),
    ("usub.with.overflow", Op::Sub, 3),
    ("ssub.with.overflow", Op::Sub, 4),
    ("umul.with.overflow", Op::Mul, 5),
    ("smul.with.overflow", Op::Mul, 6),
];

/// How a reduction takes one more lane.
#[derive(Clone, Copy)]
enum Reduce {
    Binary(Op, LLVMOpcode),
    /// The composite, and when the first operand is the result.
    Extreme(&'static str, LLVMIntPredicate),
}

const REDUCE: &[(&str, Reduce)] = &[
    ("vector.reduce.add", Reduce::Binary(Op::Add, LLVMOpcode::LLVMAdd)),
    ("vector.reduce.mul", Reduce::Binary(Op::Mul, LLVMOpcode::LLVMMul)),
    ("vector.reduce.and", Reduce::Binary(Op::And, LLVMOpcode::LLVMAnd)),
    ("vector.reduce.or", Reduce::Binary(Op::Or, LLVMOpcode::LLVMOr)),
    ("vector.reduce.xor", Reduce::Binary(Op::Xor, LLVMOpcode::LLVMXor)),
    ("vector.reduce.umin", Reduce::Extreme("umin", LLVMIntPredicate::LLVMIntULT)),
    ("vector.reduce.umax", Reduce::Extreme("umax", LLVMIntPredicate::LLVMIntUGT)),
    ("vector.reduce.smin", Reduce::Extreme("smin", LLVMIntPredicate::LLVMIntSLT)),
    ("vector.reduce.smax", Reduce::Extreme("smax", LLVMIntPredicate::LLVMIntSGT)),
];

/// No value of interest and no effect on what we shadow.
const SILENT: &[&str] = &[
    "dbg.",
    "lifetime.",
    "assume",
    "invariant.",
    "prefetch",
    "donothing",
    "sideeffect",
    "experimental.noalias",
    "trap",
    "debugtrap",
    "ubsantrap",
    "stacksave",
    "stackrestore",
    "va_end",
    "eh.",
    "frameaddress",
    "returnaddress",
    "addressofreturnaddress",
    "threadlocal.address",
    "is.constant",
    "objectsize",
    "readcyclecounter",
    "get.rounding",
    "set.rounding",
    "allow.",
    "pseudoprobe",
    "clear_cache",
    "thread.pointer",
    "sponentry",
    "get.dynamic.area.offset",
    "x86.sse2.pause",
    "x86.rdtsc",
    "x86.sse2.mfence",
    "x86.sse2.lfence",
    "x86.sse.sfence",
    "type.test",
];

fn lookup<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(key, _)| is(name, key)).map(|(_, value)| *value)
}

/// `name` is the intrinsic `key` with its type suffixes.
fn is(name: &str, key: &str) -> bool {
    name.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || key.ends_with('.'))
}

impl Translator<'_, '_> {
    pub(super) fn visit_intrinsic(&mut self, old: Value, full_name: &str) {
        let name = full_name.trim_start_matches("llvm.");
        if is(name, "memcpy") || is(name, "memmove") || is(name, "memset") {
            return self.visit_memory_intrinsic(old, is(name, "memset"));
        }
        if is(name, "va_start") {
            return self.visit_va_start(old);
        }
        if is(name, "va_copy") {
            self.flush();
            self.emit_clone(old);
            let (to, from) = (self.to_i64(self.value(old.operand(0))), self.to_i64(self.value(old.operand(1))));
            self.runtime().call("__off_copy_shadow", self.ir.void(), &[to, from, self.ir.i64(24)]);
            return;
        }
        self.emit_clone(old);
        if SILENT.iter().any(|key| is(name, key)) || !self.maybe.contains(old) {
            self.set_shadow(old, Vec::new());
            return;
        }
        if is(name, "expect")
            || is(name, "ssa.copy")
            || is(name, "launder.invariant.group")
            || is(name, "strip.invariant.group")
            || is(name, "expect.with.probability")
            || is(name, "annotation")
            || is(name, "ptr.annotation")
            || is(name, "arithmetic.fence")
        {
            let shadow = self.all_shadows(old.operand(0));
            return self.set_shadow(old, shadow);
        }
        if is(name, "load.relative") {
            return self.visit_load_relative(old);
        }
        if let Some(op) = lookup(UNARY, name) {
            let from = old.operand(0);
            let (sources, targets) = (self.leaves_of(from), self.leaves_of(old));
            return self.unary_lanes(old, op, &sources, &targets, from);
        }
        if is(name, "lrint") || is(name, "llrint") || is(name, "lround") || is(name, "llround") {
            let rounding = if name.contains("rint") { Op::FRint } else { Op::FRound };
            return self.visit_round_to_int(old, rounding);
        }
        if let Some(op) = lookup(BINARY, name) {
            return self.lanewise(old, op, old.operand(0), old.operand(1));
        }
        if let Some((_, op, kind)) = OVERFLOW.iter().find(|(key, ..)| is(name, key)) {
            return self.visit_overflow(old, *op, *kind);
        }
        if let Some(kind) = lookup(COMPOSITES, name) {
            return self.visit_composite(old, kind);
        }
        if let Some(how) = lookup(REDUCE, name) {
            return self.visit_reduce(old, how);
        }
        if is(name, "is.fpclass") {
            return self.visit_classify(old);
        }
        self.give_up(old, name);
    }

    fn visit_memory_intrinsic(&mut self, old: Value, is_set: bool) {
        let args = old.args();
        let site = self.site(SiteKind::Call { callee: if is_set { "memset" } else { "memcpy" }.into() }, &[old]);
        self.flush();
        let ir = self.ir;
        let resolve = |t: &Self, v: Value| match t.scalar_shadow(v) {
            Shadow::Handle(handle) => handle,
            _ => t.ir.i32(0),
        };
        let handles: Vec<Value> = args[..3].iter().map(|a| resolve(self, *a)).collect();
        let values: Vec<Value> = args[..3].iter().map(|a| self.to_i64(self.value(*a))).collect();
        let site = self.global_site(site);
        let name = if is_set { "__off_memset_shadow" } else { "__off_memmove_shadow" };
        let all = [values[0], values[1], values[2], handles[0], handles[1], handles[2], site];
        self.runtime().call(name, ir.void(), &all);
        self.emit_clone(old);
    }

    fn visit_va_start(&mut self, old: Value) {
        self.flush();
        self.emit_clone(old);
        if let Some(variadic) = &self.variadic {
            let args = [self.value(old.operand(0)), variadic.saved];
            self.runtime().call("__off_va_start", self.ir.void(), &args);
        }
    }

    /// `base + sext(*(i32 *)(base + offset))`
    fn visit_load_relative(&mut self, old: Value) {
        let (base, offset) = (old.operand(0), old.operand(1));
        let shadow = self.scalar_shadow(offset);
        if shadow == Shadow::Zero {
            return self.set_shadow(old, Vec::new());
        }
        let site = self.site(SiteKind::Access { write: false }, &[old]);
        let (table, at) = (self.value(base), self.value(offset));
        let width = offset.ty().int_width().unwrap_or(64);
        self.action_for(old, &[shadow], 1, move |t, handles| {
            let zero = t.ir.i32(0);
            let start = t.to_i64(table);
            let index = t.sign_extended(at);
            let i32 = t.int_type(32);
            let args = [zero, handles.get(shadow), t.ir.i32(width), start, index, t.ir.i64(1)];
            let handle = t.slow("__off_index", i32, &args.map(Arg::Same));
            let address = t.ir.add(start, index);
            let args = [Arg::Same(address), Arg::Fixed(t.ir.i32(4)), Arg::Same(handle), Arg::Site(site)];
            let loaded = t.slow("__off_load", i32, &args);
            let wide = t.emit_unary(Op::Sext, 64, 32, loaded);
            let pointer = t.ir.cast(LLVMOpcode::LLVMIntToPtr, address, t.ir.ptr());
            let difference = t.ir.load(i32, pointer, 4);
            let difference = t.sign_extended(difference);
            vec![t.emit_binary(Op::Add, 64, zero, wide, start, difference)]
        });
    }

    fn visit_round_to_int(&mut self, old: Value, rounding: Op) {
        let from = old.operand(0);
        let shadow = self.scalar_shadow(from);
        let widths = (self.leaves_of(from)[0].scalar.width(), self.leaves_of(old)[0].scalar.width());
        if widths.0 == 0 {
            return self.give_up(old, "rounding of a long double");
        }
        self.action_for(old, &[shadow], 1, move |t, handles| {
            let rounded = t.emit_unary(rounding, widths.0, widths.0, handles.get(shadow));
            vec![t.emit_unary(Op::FToS, widths.1, widths.0, rounded)]
        });
    }

    /// One of the float's classes is in the mask, the second operand.
    fn visit_classify(&mut self, old: Value) {
        let (from, Some(mask)) = (old.operand(0), old.operand(1).const_value()) else {
            return self.give_up(old, "is.fpclass");
        };
        let lanes = self.leaves_of(from);
        if lanes.iter().any(|l| l.scalar == Scalar::Opaque) {
            return self.give_up(old, "is.fpclass of a long double");
        }
        let mut shadow = Vec::new();
        for (i, lane) in lanes.into_iter().enumerate() {
            let operand = self.shadow(from, i);
            let index = self.action(&[operand], 1, move |t, handles| {
                let args = [t.ir.i32(lane.scalar.width()), handles.get(operand), t.ir.i32(mask as u32)];
                vec![t.slow("__off_classify", t.int_type(32), &args.map(Arg::Same))]
            });
            shadow.push(Shadow::Pending(index, 0));
        }
        self.set_shadow(old, shadow);
    }

    fn visit_overflow(&mut self, old: Value, op: Op, kind: u32) {
        let (a, b) = (old.operand(0), old.operand(1));
        let (sa, sb) = (self.scalar_shadow(a), self.scalar_shadow(b));
        let width = a.ty().int_width().unwrap_or(0);
        if width == 0 || width > 128 {
            return self.give_up(old, "overflow check of a vector");
        }
        let (va, vb) = (self.value(a), self.value(b));
        self.action_for(old, &[sa, sb], 2, move |t, handles| {
            let (ha, hb) = (handles.get(sa), handles.get(sb));
            let result = t.emit_binary(op, width, ha, hb, va, vb);
            let any = t.ir.or(ha, hb);
            let (ha, hb) = (t.emit_wide(width, any, ha, va), t.emit_wide(width, any, hb, vb));
            let args = [t.ir.i32(kind | width << 8), ha, hb, t.to_i64(va), t.to_i64(vb)];
            let overflow = t.slow("__off_overflow", t.int_type(32), &args.map(Arg::Same));
            vec![result, overflow]
        });
    }

    /// In the slow block: a composite of two scalars of one width.
    pub(super) fn emit_composite(&mut self, name: &str, width: u32, handles: [Value; 2], values: [Value; 2]) -> Value {
        let kind = lookup(COMPOSITES, name).unwrap_or(0);
        let any = self.ir.or(handles[0], handles[1]);
        let (a, b) =
            (self.emit_wide(width, any, handles[0], values[0]), self.emit_wide(width, any, handles[1], values[1]));
        let (x, y) = (self.to_i64(values[0]), self.to_i64(values[1]));
        let args = [self.ir.i32(kind | width << 8 | width << 16), a, b, self.ir.i32(0), x, y, self.ir.i64(0)];
        self.slow("__off_composite", self.int_type(32), &args.map(Arg::Same))
    }

    /// All lanes into one.
    ///
    /// ```text
    ///   llvm.vector.reduce.add(<a, b, c>)     ─▶     (a + b) + c
    /// ```
    fn visit_reduce(&mut self, old: Value, how: Reduce) {
        let from = old.operand(0);
        let lanes = self.leaves_of(from);
        if lanes.is_empty() || lanes.iter().any(|l| l.scalar == Scalar::Opaque) {
            return self.give_up(old, "reduction of a large vector");
        }
        let shadows = self.all_shadows(from);
        let value = self.value(from);
        self.action_for(old, &shadows.clone(), 1, move |t, handles| {
            let width = lanes[0].scalar.width();
            let mut handle = handles.get(shadows[0]);
            let mut sum = leaf_value(t.ir, value, &lanes[0].path);
            for (lane, shadow) in lanes.iter().zip(&shadows).skip(1) {
                let (next, with) = (leaf_value(t.ir, value, &lane.path), handles.get(*shadow));
                match how {
                    Reduce::Binary(op, opcode) => {
                        handle = t.emit_binary(op, width, handle, with, sum, next);
                        sum = t.ir.binary(opcode, sum, next);
                    }
                    Reduce::Extreme(name, predicate) => {
                        handle = t.emit_composite(name, width, [handle, with], [sum, next]);
                        let first = t.ir.icmp(predicate, sum, next);
                        sum = t.ir.select(first, sum, next);
                    }
                }
            }
            vec![handle]
        });
    }

    /// Up to three operands of the result's type, lane by lane.
    fn visit_composite(&mut self, old: Value, kind: u32) {
        let operands: Vec<Value> = old.args().into_iter().filter(|a| kind != 7 || a.ty() == old.ty()).collect();
        let lanes = self.leaves_of(operands[0]);
        let result_width = self.leaves_of(old).first().map_or(0, |l| l.scalar.width());
        if lanes.iter().any(|l| l.scalar == Scalar::Opaque) || result_width == 0 {
            return self.give_up(old, "intrinsic on a long double");
        }
        let values: Vec<Value> = operands.iter().map(|o| self.value(*o)).collect();
        let mut shadow = Vec::new();
        for (i, lane) in lanes.into_iter().enumerate() {
            let shadows: Vec<Shadow> = operands.iter().map(|o| self.shadow(*o, i)).collect();
            if shadows.iter().all(|s| *s == Shadow::Zero) {
                shadow.push(Shadow::Zero);
                continue;
            }
            let values = values.clone();
            let index = self.action(&shadows.clone(), 1, move |t, handles| {
                let zero = t.ir.i32(0);
                let width = lane.scalar.width();
                let leaves: Vec<Value> = values.iter().map(|v| leaf_value(t.ir, *v, &lane.path)).collect();
                let any = shadows.iter().fold(zero, |any, s| t.ir.or(any, handles.get(*s)));
                let mut args = vec![t.ir.i32(kind | width << 8 | result_width << 16)];
                for (leaf, shadow) in leaves.iter().zip(&shadows) {
                    args.push(t.emit_wide(width, any, handles.get(*shadow), *leaf));
                }
                args.resize(4, zero);
                args.extend(leaves.iter().map(|leaf| t.to_i64(*leaf)));
                args.resize(7, t.ir.i64(0));
                let args: Vec<Arg> = args.into_iter().map(Arg::Same).collect();
                vec![t.slow("__off_composite", t.int_type(32), &args)]
            });
            shadow.push(Shadow::Pending(index, 0));
        }
        self.set_shadow(old, shadow);
    }
}
