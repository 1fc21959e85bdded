//! Calls: argument and return shadows through thread-local storage (docs/architecture.md, "Calls").

use super::leaves::{Scalar, leaves};
use super::runtime::tls;
use super::slow::Arg;
use super::{Shadow, Translator};
use crate::bodies::WRAPPER_PREFIX;
use crate::ir::{LLVMIntPredicate, LLVMOpcode, LLVMTypeKind, Value};
use crate::mark::{as_marker, as_vector};
use crate::plain::vector_cell;
use offshoot_model::SiteKind;

/// Copies of the thread-local block's variadic part, made on entry, used by `va_start`.
pub(super) struct Variadic {
    pub saved: Value,
}

/// `[64 x i32] handles, [64 x i8] kinds, i32 count, i32 stack bytes`
const SAVED_VARIADICS: u64 = 64 * 4 + 64 + 8;

/// How the shadows of a call reach the callee.
struct Plan {
    /// Handles in order, one a leaf of each argument.
    handles: Vec<Shadow>,
    /// Sources of by-value arguments.
    byval: Vec<Value>,
    variadic: Option<VariadicPlan>,
}

#[derive(Clone)]
struct VariadicPlan {
    kinds: Vec<u8>,
    stack: u32,
}

impl Translator<'_, '_> {
    pub(super) fn visit_call(&mut self, old: Value) {
        if let Some((site, value, is_switch)) = as_marker(old) {
            return self.visit_marker(old, site, value, is_switch);
        }
        if let Some((site, way)) = as_vector(old) {
            let cell = vector_cell(self.ir, self.shared.coverage, site, self.value(way));
            self.ir.store(self.ir.const_int(self.ir.int(8), 1), cell, 1);
            return self.set_shadow(old, Vec::new());
        }
        if let Some(name) = old.intrinsic_name() {
            return self.visit_intrinsic(old, &name);
        }
        if old.called().is_inline_asm() {
            return self.visit_assembly(old);
        }
        let (target, tag, site) = self.before_call(old);
        let frames = old.returns_twice().then(|| self.ir.load(self.ir.ptr(), self.runtime().tls_at(tls::FRAMES), 8));
        let new = self.emit_clone(old);
        new.set_called(target);
        new.drop_call_effects();
        if let Some(frames) = frames {
            // `longjmp` has left the frames in between; their records are gone.
            self.ir.store(frames, self.runtime().tls_at(tls::FRAMES), 8);
        }
        if old.is_must_tail() {
            self.set_shadow(old, Vec::new());
            return;
        }
        new.drop_tail();
        self.after_call(old, tag, target, site);
    }

    pub(super) fn visit_invoke(&mut self, old: Value) {
        let (target, tag, site) = self.before_call(old);
        let new = self.emit_clone(old);
        new.set_called(target);
        new.drop_call_effects();
        let here = self.ir.current_block();
        let from = old.parent();
        let targets = old.successors();
        let edge = self.ir.append_block(self.body, "returned");
        new.set_successor(0, edge);
        new.set_successor(1, self.blocks[&targets[1]]);
        self.ir.at_end(edge);
        self.after_call(old, tag, target, site);
        self.group.members.push(old);
        self.flush();
        self.ir.br(self.blocks[&targets[0]]);
        self.edges.insert((from, targets[0]), self.ir.current_block());
        self.edges.insert((from, targets[1]), here);
    }

    /// What the call does with this address, it does with this one only: it goes there, or copies from there.
    fn concretise_address(&mut self, pointer: Value, site: u32) {
        let shadow = self.scalar_shadow(pointer);
        if shadow != Shadow::Zero {
            let address = self.value(pointer);
            self.action(&[shadow], 0, move |t, handles| {
                let args = [Arg::Site(site), Arg::Same(handles.get(shadow)), Arg::Bits(address)];
                t.slow("__off_concretise", t.ir.void(), &args);
                Vec::new()
            });
        }
    }

    /// Passes shadows and ends the group. Returns the function to call, the address that tags its shadows, and the
    /// call's site.
    fn before_call(&mut self, old: Value) -> (Value, Value, u32) {
        let callee = old.called();
        let (target, tag) = match self.shared.direct.get(&callee) {
            Some(&body) => (body, callee),
            None => (self.value(callee), self.value(callee)),
        };
        let name = if callee.is_function() { callee.name() } else { String::new() };
        let wrapped = name.strip_prefix(WRAPPER_PREFIX);
        let shown = wrapped.unwrap_or(if name.is_empty() { "(pointer)" } else { &name }).to_string();
        let site = self.site(SiteKind::Call { callee: shown }, &[old]);
        if !callee.is_function() {
            self.concretise_address(callee, site);
        }
        for (i, argument) in old.args().into_iter().enumerate() {
            if old.call_param_type_attribute(i as u32, "byval").is_some() {
                self.concretise_address(argument, site);
            }
        }
        let plan = self.plan(old);
        if plan.byval.is_empty() {
            let symbolic = plan.handles.iter().any(|s| *s != Shadow::Zero);
            let variadic = plan.variadic.clone();
            if symbolic {
                let inputs = plan.handles.clone();
                self.action(&inputs, 0, move |t, handles| {
                    let resolved: Vec<Value> = plan.handles.iter().map(|s| handles.get(*s)).collect();
                    t.emit_pass(&resolved, &[], plan.variadic.as_ref(), tag);
                    Vec::new()
                });
                self.group.members.push(old);
            }
            self.flush();
            if let Some(variadic) = variadic {
                let stack = self.ir.i32(variadic.stack);
                self.ir.store(stack, self.runtime().tls_at(tls::VA_STACK), 4);
            }
        } else {
            self.flush();
            let resolved: Vec<Value> = self
                .plan(old)
                .handles
                .into_iter()
                .map(|s| match s {
                    Shadow::Handle(handle) => handle,
                    _ => self.ir.i32(0),
                })
                .collect();
            self.emit_pass(&resolved, &plan.byval, plan.variadic.as_ref(), tag);
        }
        if wrapped.is_some() {
            let site = self.global_site(site);
            self.ir.store(site, self.runtime().tls_at(tls::CALL_SITE), 4);
        }
        (target, tag, site)
    }

    fn plan(&mut self, old: Value) -> Plan {
        let fixed = old.called_type().params().len();
        let mut plan = Plan { handles: Vec::new(), byval: Vec::new(), variadic: None };
        let (mut general, mut vector, mut kinds, mut stack) = (0u32, 0u32, Vec::new(), 0u32);
        for (i, argument) in old.args().into_iter().enumerate() {
            let byval = old.call_param_type_attribute(i as u32, "byval");
            let parts = leaves(self.ir, argument.ty()).unwrap_or_default();
            if byval.is_some() && i < fixed && plan.byval.len() < tls::BYVALS {
                plan.byval.push(self.value(argument));
            }
            // The callee's pointer is one to its own copy.
            let shadow = |leaf| if byval.is_some() { Shadow::Zero } else { self.shadow(argument, leaf) };
            let shadows: Vec<Shadow> = (0..parts.len()).map(shadow).collect();
            if plan.handles.len() + shadows.len() > tls::MAX_ARGS {
                self.loss_of(old, &shadows, "more than 64 scalars in a call");
                continue;
            }
            plan.handles.extend(shadows);
            // The classes of the x86-64 ABI, for what `va_arg` will read.
            let is_fp80 = argument.ty().kind() == LLVMTypeKind::LLVMX86_FP80TypeKind;
            let kind = match parts.first().map(|l| l.scalar) {
                Some(_) if byval.is_some() => 0,
                Some(Scalar::Float(_)) => 2,
                Some(Scalar::Opaque) if is_fp80 => 3,
                Some(Scalar::Int(_)) => 1,
                _ => 0,
            };
            let in_register = match kind {
                1 if general < 6 => {
                    general += 1;
                    true
                }
                2 if vector < 8 => {
                    vector += 1;
                    true
                }
                _ => false,
            };
            if i >= fixed {
                kinds.push(kind);
                if !in_register {
                    stack += match (byval, kind) {
                        (Some(ty), _) => self.ir.alloc_size(ty).next_multiple_of(8) as u32,
                        (_, 3) => 16 + stack % 16,
                        _ => 8,
                    };
                }
            }
        }
        if old.called_type().is_variadic() {
            kinds.truncate(64);
            plan.variadic = Some(VariadicPlan { kinds, stack });
        }
        plan
    }

    fn emit_pass(&mut self, handles: &[Value], byval: &[Value], variadic: Option<&VariadicPlan>, tag: Value) {
        let ir = self.ir;
        let runtime = self.runtime();
        for (i, handle) in handles.iter().enumerate() {
            ir.store(*handle, runtime.tls_at(tls::ARGS + 4 * i as u64), 4);
        }
        for (i, source) in byval.iter().enumerate() {
            ir.store(*source, runtime.tls_at(tls::BYVAL + 8 * i as u64), 8);
        }
        if let Some(variadic) = variadic {
            for (i, kind) in variadic.kinds.iter().enumerate() {
                let kind = ir.const_int(ir.int(8), u64::from(*kind));
                ir.store(kind, runtime.tls_at(tls::VA_KINDS + i as u64), 1);
            }
            ir.store(ir.i32(variadic.kinds.len() as u32), runtime.tls_at(tls::VA_COUNT), 4);
        }
        let address = ir.cast(LLVMOpcode::LLVMPtrToInt, tag, ir.int(64));
        ir.store(address, runtime.tls_at(tls::ARG_TAG), 8);
    }

    /// Begins a group with the result's shadow, and with the loss if nobody took the arguments' shadows.
    fn after_call(&mut self, old: Value, tag: Value, target: Value, site: u32) {
        let ir = self.ir;
        let parts = leaves(ir, old.ty()).filter(|l| l.len() <= tls::RETS).unwrap_or_default();
        let direct = target != tag;
        // The run-time library's own functions look at shadows where they have a use for them.
        let ours = tag.is_function() && tag.name().starts_with("__off_") && !tag.name().starts_with(WRAPPER_PREFIX);
        let passed = !ours && old.args().into_iter().any(|a| self.maybe.contains(a));
        let wanted = !parts.is_empty() && !old.users().is_empty();
        if !wanted && (direct || !passed) {
            self.set_shadow(old, Vec::new());
            return;
        }
        if wanted {
            let returned = ir.load(ir.int(64), self.runtime().tls_at(tls::RET_TAG), 8);
            self.condition(returned);
        }
        if !direct && passed {
            let unconsumed = ir.load(ir.int(64), self.runtime().tls_at(tls::ARG_TAG), 8);
            self.condition(unconsumed);
        }
        let count = if wanted { parts.len() } else { 0 };
        let index = self.action(&[], count, move |t, _| {
            t.slow("__off_after_call", t.ir.void(), &[Arg::Bits(tag), Arg::Site(site)]);
            (0..count).map(|i| t.ir.load(t.ir.int(32), t.runtime().tls_at(tls::RET + 4 * i as u64), 4)).collect()
        });
        self.set_shadow(old, (0..count).map(|i| Shadow::Pending(index, i)).collect());
    }

    /// The callee's side, at the end of the entry block.
    pub(super) fn receive_arguments(&mut self, plain: Value) {
        let ir = self.ir;
        let runtime = self.runtime();
        let params = plain.params();
        let address = ir.cast(LLVMOpcode::LLVMPtrToInt, self.thunk, ir.int(64));
        let mut slots: Vec<(Value, Vec<usize>)> = Vec::new();
        let mut next = 0;
        let mut byval = Vec::new();
        for (i, param) in params.iter().enumerate() {
            let count = leaves(ir, param.ty()).map_or(0, |l| l.len());
            let mine = (next..next + count).filter(|slot| *slot < tls::MAX_ARGS).collect();
            slots.push((*param, mine));
            next += count;
            if let Some(ty) = plain.type_attribute(i as u32 + 1, "byval") {
                byval.push((self.value(*param), ir.alloc_size(ty)));
            }
        }
        if plain.value_type().is_variadic() {
            let saved = ir.alloca(ir.array(ir.int(8), SAVED_VARIADICS));
            saved.set_alignment(16);
            let args = [saved, address, ir.i32(next as u32)];
            runtime.call("__off_save_variadics", ir.void(), &args);
            self.variadic = Some(Variadic { saved });
        }
        if slots.iter().all(|(_, mine)| mine.is_empty()) {
            return;
        }
        for (param, size) in &byval {
            runtime.call("__off_clear", ir.void(), &[self.to_i64(*param), ir.i64(*size)]);
        }
        let tag = ir.load(ir.int(64), runtime.tls_at(tls::ARG_TAG), 8);
        let tagged = ir.icmp(LLVMIntPredicate::LLVMIntEQ, tag, address);
        let before = ir.current_block();
        let receive = ir.append_block(self.body, "receive");
        let rest = ir.append_block(self.body, "");
        ir.cold_br(tagged, receive, rest);
        ir.at_end(receive);
        ir.store(ir.i64(0), runtime.tls_at(tls::ARG_TAG), 8);
        let mut loaded = Vec::new();
        for (param, mine) in &slots {
            for slot in mine {
                loaded.push((*param, ir.load(ir.int(32), runtime.tls_at(tls::ARGS + 4 * *slot as u64), 4)));
            }
        }
        for (i, (param, size)) in byval.iter().enumerate().take(tls::BYVALS) {
            let source = ir.load(ir.int(64), runtime.tls_at(tls::BYVAL + 8 * i as u64), 8);
            runtime.call("__off_copy_shadow", ir.void(), &[self.to_i64(*param), source, ir.i64(*size)]);
        }
        let received = ir.current_block();
        ir.br(rest);
        ir.at_end(rest);
        for (param, handle) in loaded {
            let phi = ir.phi(ir.int(32));
            phi.add_incoming(ir.i32(0), before);
            phi.add_incoming(handle, received);
            self.shadows.entry(param).or_default().push(Shadow::Handle(phi));
        }
    }
}
