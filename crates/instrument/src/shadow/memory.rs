//! Loads, stores, atomics, stack objects.

use super::leaves::{Leaf, Scalar, is_packed, leaf_value, leaves};
use super::runtime::tls;
use super::slow::Arg;
use super::{Shadow, Translator, analysis::reads_constant};
use crate::ir::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode, Value};
use llvm_sys::LLVMAtomicRMWBinOp as Rmw;
use offshoot_model::SiteKind;
use offshoot_trace::Op;

/// One taint byte for each eight bytes, at `(a >> 3) + TAINT_BASE`; `crates/runtime/src/shadow.rs` has the same number.
const TAINT_BASE: u64 = 0x6000_0000_0000;

/// What an atomic operation does to memory.
#[derive(Clone, Copy)]
enum Change {
    Exchange,
    Binary(Op),
    /// An intrinsic's name.
    Composite(&'static str),
}

/// The function's record in the list of stack objects.
pub(super) struct Frame {
    record: Value,
}

impl Translator<'_, '_> {
    /// The taint of `size` bytes at `address + offset`: not 0 if one of them may be symbolic. One load: an access that
    /// is aligned to its size lies in one granule, any other of up to eight bytes in two.
    fn taint(&mut self, address: Value, offset: u64, size: u64, align: u64) -> Value {
        let ir = self.ir;
        let mut at = self.to_i64(address);
        if offset != 0 {
            at = ir.add(at, ir.i64(offset));
        }
        let granule = ir.binary(LLVMOpcode::LLVMLShr, at, ir.i64(3));
        let place = ir.cast(LLVMOpcode::LLVMIntToPtr, ir.add(granule, ir.i64(TAINT_BASE)), ir.ptr());
        let aligned = offset.is_multiple_of(size) && align >= size && size.is_power_of_two();
        let bits = match size {
            1 => 8,
            _ if aligned && size <= 8 => 8,
            2..=8 => 16,
            _ => 32,
        };
        ir.load(ir.int(bits), place, 1)
    }

    pub(super) fn visit_load(&mut self, old: Value) {
        let address = old.operand(0);
        let shadow = self.scalar_shadow(address);
        let target = self.value(address);
        self.emit_clone(old);
        if !self.maybe.contains(old) {
            self.set_shadow(old, Vec::new());
            return;
        }
        let Some(parts) = leaves(self.ir, old.ty()) else {
            return self.load_is_lost(old, target);
        };
        if parts.iter().any(|l| l.scalar == Scalar::Opaque) || is_packed(self.ir, old.ty()) {
            return self.load_is_lost(old, target);
        }
        let constant = reads_constant(address);
        let mut made = Vec::new();
        let site =
            if shadow == Shadow::Zero { 0 } else { self.site(SiteKind::Access { write: false }, &[old, address]) };
        for leaf in parts {
            let size = self.ir.store_size(leaf.ty);
            if !constant {
                let taint = self.taint(target, leaf.offset, size, old.alignment());
                self.condition(taint);
            }
            let index = self
                .action(&[shadow], 1, move |t, handles| vec![t.emit_load(target, &leaf, handles.get(shadow), site)]);
            made.push(Shadow::Pending(index, 0));
        }
        self.set_shadow(old, made);
    }

    /// In the slow block: the handle of a leaf in memory.
    pub(super) fn emit_load(&mut self, base: Value, leaf: &Leaf, address_handle: Value, site: u32) -> Value {
        let ir = self.ir;
        let size = ir.store_size(leaf.ty);
        let address = if leaf.offset == 0 { base } else { ir.byte_offset(base, ir.i64(leaf.offset)) };
        let site = if site == 0 { Arg::Same(ir.i32(0)) } else { Arg::Site(site) };
        let handle = if leaf.offset != 0 {
            self.emit_with_constant(Op::Add, 64, address_handle, leaf.offset)
        } else {
            address_handle
        };
        let args = [Arg::Bits(address), Arg::Fixed(ir.i32(size as u32)), Arg::Same(handle), site];
        let loaded = self.slow("__off_load", self.int_type(32), &args);
        let width = leaf.scalar.width();
        if u64::from(width) == 8 * size { loaded } else { self.emit_unary(Op::Extract, width, 8 * size as u32, loaded) }
    }

    fn load_is_lost(&mut self, old: Value, target: Value) {
        let size = self.ir.store_size(old.ty());
        let site = self.site(SiteKind::Unmodelled { what: "load of a large or long double value".into() }, &[old]);
        let taint = self.taint(target, 0, size.min(16), 1);
        self.condition(taint);
        self.action(&[], 0, move |t, _| {
            let args = [Arg::Site(site), Arg::Bits(target), Arg::Same(t.ir.i64(size))];
            t.slow("__off_lose_memory", t.ir.void(), &args);
            Vec::new()
        });
        self.set_shadow(old, Vec::new());
    }

    pub(super) fn visit_store(&mut self, old: Value) {
        let (value, address) = (old.operand(0), old.operand(1));
        self.shadow_store(old, value, address);
        self.group.members.push(old);
        self.flush();
        self.emit_clone(old);
    }

    fn shadow_store(&mut self, old: Value, value: Value, address: Value) {
        let address_shadow = self.scalar_shadow(address);
        let (to, what) = (self.value(address), self.value(value));
        let site = if address_shadow == Shadow::Zero {
            0
        } else {
            self.site(SiteKind::Access { write: true }, &[old, address])
        };
        let known = leaves(self.ir, value.ty())
            .filter(|l| l.iter().all(|l| l.scalar != Scalar::Opaque) && !is_packed(self.ir, value.ty()));
        let Some(parts) = known else {
            let size = self.ir.store_size(value.ty());
            self.action(&[], 0, move |t, _| {
                t.slow("__off_clear", t.ir.void(), &[Arg::Bits(to), Arg::Same(t.ir.i64(size))]);
                Vec::new()
            });
            let taint = self.taint(to, 0, size.min(16), 1);
            self.condition(taint);
            return;
        };
        for (i, leaf) in parts.into_iter().enumerate() {
            let shadow = self.shadow(value, i);
            let size = self.ir.store_size(leaf.ty);
            let taint = self.taint(to, leaf.offset, size, old.alignment());
            self.condition(taint);
            self.action(&[shadow, address_shadow], 0, move |t, handles| {
                let mut handle = handles.get(shadow);
                let width = leaf.scalar.width();
                if u64::from(width) != 8 * size {
                    handle = t.emit_unary(Op::Zext, 8 * size as u32, width, handle);
                }
                let address = if leaf.offset == 0 { to } else { t.ir.byte_offset(to, t.ir.i64(leaf.offset)) };
                let value = leaf_value(t.ir, what, &leaf.path);
                let args = [
                    Arg::Bits(address),
                    Arg::Fixed(t.ir.i32(size as u32)),
                    Arg::Same(handle),
                    Arg::Same(handles.get(address_shadow)),
                    if site == 0 { Arg::Same(t.ir.i32(0)) } else { Arg::Site(site) },
                    // Only looked at if there is a handle.
                    if shadow == Shadow::Zero { Arg::Same(t.ir.i64(0)) } else { Arg::Bits(value) },
                ];
                t.slow("__off_store", t.ir.void(), &args);
                Vec::new()
            });
        }
    }

    // ----- atomics -----

    pub(super) fn visit_atomic_rmw(&mut self, old: Value) {
        let (address, operand) = (old.operand(0), old.operand(1));
        let change = match old.atomic_operation() {
            Rmw::LLVMAtomicRMWBinOpAdd => Change::Binary(Op::Add),
            Rmw::LLVMAtomicRMWBinOpSub => Change::Binary(Op::Sub),
            Rmw::LLVMAtomicRMWBinOpAnd => Change::Binary(Op::And),
            Rmw::LLVMAtomicRMWBinOpOr => Change::Binary(Op::Or),
            Rmw::LLVMAtomicRMWBinOpXor => Change::Binary(Op::Xor),
            Rmw::LLVMAtomicRMWBinOpFAdd => Change::Binary(Op::FAdd),
            Rmw::LLVMAtomicRMWBinOpFSub => Change::Binary(Op::FSub),
            Rmw::LLVMAtomicRMWBinOpUMin => Change::Composite("umin"),
            Rmw::LLVMAtomicRMWBinOpUMax => Change::Composite("umax"),
            Rmw::LLVMAtomicRMWBinOpMin => Change::Composite("smin"),
            Rmw::LLVMAtomicRMWBinOpMax => Change::Composite("smax"),
            Rmw::LLVMAtomicRMWBinOpXchg => Change::Exchange,
            _ => {
                self.memory_is_lost(old, address, operand);
                self.flush();
                self.emit_clone(old);
                self.set_shadow(old, Vec::new());
                return;
            }
        };
        let (to, value) = (self.value(address), self.value(operand));
        let shadow = self.scalar_shadow(operand);
        let leaf = self.leaves_of(operand).remove(0);
        let size = self.ir.store_size(leaf.ty);
        let taint = self.taint(to, 0, size, size);
        self.condition(taint);
        let index = self.action(&[shadow], 1, move |t, handles| {
            let zero = t.ir.i32(0);
            let before = t.emit_load(to, &leaf, zero, 0);
            let width = leaf.scalar.width();
            let current = t.ir.load(leaf.ty, to, 1);
            let (after, result) = match change {
                Change::Exchange => (handles.get(shadow), value),
                Change::Binary(op) => (t.emit_binary(op, width, before, handles.get(shadow), current, value), current),
                Change::Composite(name) => {
                    (t.emit_composite(name, width, [before, handles.get(shadow)], [current, value]), current)
                }
            };
            let args = [t.to_i64(to), t.ir.i32(size as u32), after, zero, zero, t.to_i64(result)];
            t.slow("__off_store_unchecked", t.ir.void(), &args.map(Arg::Same));
            vec![before]
        });
        self.set_shadow(old, vec![Shadow::Pending(index, 0)]);
        self.group.members.push(old);
        self.flush();
        self.emit_clone(old);
    }

    /// Whether the exchange happened is a branch of its own.
    pub(super) fn visit_compare_exchange(&mut self, old: Value) {
        let (address, expected, replacement) = (old.operand(0), old.operand(1), old.operand(2));
        let (to, want, put) = (self.value(address), self.value(expected), self.value(replacement));
        let (sw, sp) = (self.scalar_shadow(expected), self.scalar_shadow(replacement));
        let leaf = self.leaves_of(expected).remove(0);
        let size = self.ir.store_size(leaf.ty);
        let site = self.site(SiteKind::Derived, &[old]);
        let taint = self.taint(to, 0, size, size);
        self.condition(taint);
        let index = self.action(&[sw, sp], 1, move |t, handles| {
            let zero = t.ir.i32(0);
            let before = t.emit_load(to, &leaf, zero, 0);
            let current = t.ir.load(leaf.ty, to, 1);
            let equal = t.emit_binary(Op::Eq, leaf.scalar.width(), before, handles.get(sw), current, want);
            let same = t.ir.icmp(LLVMIntPredicate::LLVMIntEQ, t.to_i64(current), t.to_i64(want));
            t.emit_branch_event(site, same, equal, false);
            let chosen = t.ir.cast(LLVMOpcode::LLVMSExt, same, t.int_type(32));
            let inverse = t.ir.binary(LLVMOpcode::LLVMXor, chosen, t.ir.i32(u32::MAX));
            let after = t.ir.or(
                t.ir.binary(LLVMOpcode::LLVMAnd, chosen, handles.get(sp)),
                t.ir.binary(LLVMOpcode::LLVMAnd, inverse, before),
            );
            let args = [t.to_i64(to), t.ir.i32(size as u32), after, zero, zero, t.to_i64(put)];
            t.slow("__off_store_unchecked", t.ir.void(), &args.map(Arg::Same));
            vec![before]
        });
        self.set_shadow(old, vec![Shadow::Pending(index, 0), Shadow::Zero]);
        self.group.members.push(old);
        self.flush();
        self.emit_clone(old);
    }

    /// What was there before and what is put to it are lost; what comes out is concrete.
    fn memory_is_lost(&mut self, old: Value, address: Value, operand: Value) {
        let shadows = self.all_shadows(operand);
        self.loss_of(old, &shadows, "atomic operation");
        let target = self.value(address);
        let size = self.ir.store_size(operand.ty());
        self.lose_memory(old, target, size, "atomic operation");
        self.overwrite(target, size);
    }

    /// What is symbolic at `target` goes into something that is not modelled.
    pub(super) fn lose_memory(&mut self, old: Value, target: Value, size: u64, what: &str) {
        let site = self.site(SiteKind::Unmodelled { what: what.into() }, &[old]);
        self.when_tainted(target, size);
        self.action(&[], 0, move |t, _| {
            let args = [Arg::Site(site), Arg::Bits(target), Arg::Same(t.ir.i64(size))];
            t.slow("__off_lose_memory", t.ir.void(), &args);
            Vec::new()
        });
    }

    /// What comes to stand at `target` is concrete.
    pub(super) fn overwrite(&mut self, target: Value, size: u64) {
        self.when_tainted(target, size);
        self.action(&[], 0, move |t, _| {
            t.slow("__off_clear", t.ir.void(), &[Arg::Bits(target), Arg::Same(t.ir.i64(size))]);
            Vec::new()
        });
    }

    /// The group must run if these bytes may be symbolic.
    fn when_tainted(&mut self, target: Value, size: u64) {
        // One look at the taint sees no further than 16 bytes.
        let taint = if size > 16 { self.ir.i32(1) } else { self.taint(target, 0, size, 1) };
        self.condition(taint);
    }

    // ----- stack objects -----

    /// Allocas of the entry block, and the record by which the run-time library finds those that are addressed in ways
    /// that only show at run time:
    ///
    /// ```text
    ///   { ptr previous record, ptr description, [n x ptr] addresses }
    /// ```
    pub(super) fn static_allocas(&mut self, plain: Value) {
        let allocas: Vec<Value> =
            plain.entry().instructions().into_iter().filter(|i| i.is_alloca() && i.operand(0).is_const_int()).collect();
        let mut objects = Vec::new();
        for &old in &allocas {
            let new = self.emit_clone(old);
            self.set_shadow(old, Vec::new());
            if old.users().iter().any(|user| !direct_access(*user, old)) {
                let count = old.operand(0).const_value().unwrap_or(1);
                objects.push((new, self.ir.alloc_size(old.allocated_type()) * count, old.name()));
            }
        }
        if objects.is_empty() {
            return;
        }
        let ir = self.ir;
        for (object, size, _) in &objects {
            let args = [self.to_i64(*object), ir.i64(*size)];
            self.runtime().call("__off_clear", ir.void(), &args);
        }
        let record_type = ir.structure(&[ir.ptr(), ir.ptr(), ir.array(ir.ptr(), objects.len() as u64)]);
        let record = ir.alloca(record_type);
        let entry_site = self.site(SiteKind::Entry, &[]);
        let sizes: Vec<Value> = objects.iter().map(|(_, size, _)| ir.i64(*size)).collect();
        let description = ir.const_struct(&[
            ir.i32(objects.len() as u32),
            ir.i32(entry_site),
            self.shared.site_base,
            ir.const_array(ir.int(64), &sizes),
        ]);
        let global = ir.add_global("__off_frame", description.ty());
        global.set_initializer(description);
        global.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        global.set_constant();
        if self.thunk.has_comdat() {
            global.copy_placement(self.thunk);
        }
        let frames = self.runtime().tls_at(tls::FRAMES);
        let previous = ir.load(ir.ptr(), frames, 8);
        ir.store(previous, record, 8);
        ir.store(global, ir.byte_offset(record, ir.i64(8)), 8);
        for (i, (object, ..)) in objects.iter().enumerate() {
            ir.store(*object, ir.byte_offset(record, ir.i64(16 + 8 * i as u64)), 8);
        }
        ir.store(record, frames, 8);
        self.frame = Some(Frame { record });
    }

    pub(super) fn pop_frame(&mut self) {
        if let Some(frame) = &self.frame {
            let previous = self.ir.load(self.ir.ptr(), frame.record, 8);
            self.ir.store(previous, self.runtime().tls_at(tls::FRAMES), 8);
        }
    }

    /// Where an exception lands, inner frames are gone.
    pub(super) fn restore_frame(&mut self) {
        if let Some(frame) = &self.frame {
            self.ir.store(frame.record, self.runtime().tls_at(tls::FRAMES), 8);
        }
    }

    pub(super) fn visit_alloca(&mut self, old: Value) {
        if self.values.contains_key(&old) {
            return;
        }
        let count = old.operand(0);
        self.flush();
        let shadow = self.scalar_shadow(count);
        let new = self.emit_clone(old);
        self.set_shadow(old, Vec::new());
        let ir = self.ir;
        let size = ir.alloc_size(old.allocated_type());
        let bytes = ir.binary(LLVMOpcode::LLVMMul, self.to_i64(self.value(count)), ir.i64(size));
        let handle = match shadow {
            Shadow::Handle(handle) => handle,
            _ => ir.i32(0),
        };
        let site = self.site(SiteKind::Call { callee: "alloca".into() }, &[old]);
        let site = self.global_site(site);
        let width = count.ty().int_width().unwrap_or(64);
        let args = [self.to_i64(new), bytes, handle, ir.i32(width), ir.i64(size), site];
        self.runtime().call("__off_alloca", ir.void(), &args);
    }
}

/// A load or store of the whole object: never out of its bounds, and never seen by anyone else.
fn direct_access(user: Value, object: Value) -> bool {
    user.is_load()
        || (user.is_store() && user.operand(1) == object && user.operand(0) != object)
        || (user.is_call() && user.intrinsic_name().is_some_and(|n| n.starts_with("llvm.lifetime.")))
}
