//! The symbolic body of a function: the plain body translated block by block, with a shadow for every value.
//!
//! Work on shadows is collected in *groups* and done behind one check (docs/architecture.md has the sketch). A group
//! ends before the next memory write, call or terminator; what that instruction itself needs (a shadow store, argument
//! passing, a branch event) is the group's last action.

mod analysis;
mod assembly;
mod calls;
mod cases;
mod intrinsics;
mod leaves;
mod memory;
pub mod runtime;
mod scalar;
mod slow;

use crate::ir::{Block, FUNCTION_INDEX, Ir, LLVMIntPredicate, LLVMOpcode, Type, Value};
use crate::sites::Sites;
use analysis::MaybeSymbolic;
use leaves::{Leaf, leaves};
use offshoot_model::SiteKind;
use runtime::{Runtime, tls};
use slow::Arg;
use std::collections::{HashMap, HashSet};

/// What the bodies of one module share.
pub struct Shared<'a> {
    pub ir: &'a Ir,
    pub sites: Sites,
    /// libc functions that have a wrapper `__off_w_NAME`.
    pub wrapped: &'a HashSet<String>,
    /// Functions whose symbolic body can be called directly: thunk to symbolic body.
    pub direct: HashMap<Value, Value>,
    /// `i32`: the module's first global site number.
    pub site_base: Value,
    pub coverage: Value,
}

/// Shadow of one scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shadow {
    Zero,
    Handle(Value),
    /// Result `.1` of action `.0` of the group that is being collected.
    Pending(usize, usize),
}

type Emit<'s> = Box<dyn FnOnce(&mut Translator<'_, '_>, &Resolver<'_>) -> Vec<Value> + 's>;

struct Action {
    emit: Emit<'static>,
    results: usize,
}

/// Handles inside the slow block.
struct Resolver<'r> {
    zero: Value,
    results: &'r [Vec<Value>],
}

impl Resolver<'_> {
    fn get(&self, shadow: Shadow) -> Value {
        match shadow {
            Shadow::Zero => self.zero,
            Shadow::Handle(value) => value,
            Shadow::Pending(action, result) => self.results[action][result],
        }
    }
}

#[derive(Default)]
struct Group {
    actions: Vec<Action>,
    /// `i32` or `i64` values; the group is worked through if any is not 0.
    conditions: Vec<Value>,
    seen: HashSet<Value>,
    /// Original instructions translated since the last flush.
    members: Vec<Value>,
    /// Where to store 0 if the group is passed by.
    cleared: Option<Value>,
}

pub struct Translator<'a, 'b> {
    ir: &'a Ir,
    shared: &'b mut Shared<'a>,
    /// The function that callers name, whose address tags shadows.
    thunk: Value,
    body: Value,
    function_index: u32,
    maybe: MaybeSymbolic,
    blocks: HashMap<Block, Block>,
    /// Last block of a translated block, from which its terminator leaves.
    ends: HashMap<Block, Block>,
    /// Where an edge has a block of its own.
    edges: HashMap<(Block, Block), Block>,
    values: HashMap<Value, Value>,
    shadows: HashMap<Value, Vec<Shadow>>,
    group: Group,
    frame: Option<memory::Frame>,
    /// `i32`, not 0 if concrete branches are wanted too. Decided at the process's start, so read once a call.
    everything: Option<Value>,
    variadic: Option<calls::Variadic>,
}

/// Fills in `body` (declared, empty) from `plain`.
pub fn translate<'a>(shared: &mut Shared<'a>, plain: Value, thunk: Value, body: Value) {
    let function_index = shared.sites.function(plain);
    let mut translator = Translator {
        ir: shared.ir,
        thunk,
        body,
        function_index,
        maybe: MaybeSymbolic::of(plain),
        blocks: HashMap::new(),
        ends: HashMap::new(),
        edges: HashMap::new(),
        values: HashMap::new(),
        shadows: HashMap::new(),
        group: Group::default(),
        frame: None,
        everything: None,
        variadic: None,
        shared,
    };
    translator.run(plain);
}

impl<'a> Translator<'a, '_> {
    fn runtime(&self) -> Runtime<'a> {
        Runtime { ir: self.ir }
    }

    fn run(&mut self, plain: Value) {
        for (old, new) in plain.params().into_iter().zip(self.body.params()) {
            self.values.insert(old, new);
        }
        let order = reverse_postorder(plain.entry());
        let entry = self.ir.append_block(self.body, "entry");
        for block in &order {
            let new = self.ir.append_block(self.body, "");
            self.blocks.insert(*block, new);
        }
        self.ir.at_end(entry);
        self.static_allocas(plain);
        self.receive_arguments(plain);
        let flag = self.runtime().concrete_branches();
        self.everything = Some(self.ir.load(self.ir.int(32), flag, 4));
        self.ir.br(self.blocks[&plain.entry()]);
        for block in &order {
            self.block(*block);
        }
        for block in &order {
            self.fill_phis(*block);
        }
    }

    fn block(&mut self, block: Block) {
        self.ir.at_end(self.blocks[&block]);
        let instructions = block.instructions();
        let (phis, rest): (Vec<_>, Vec<_>) = instructions.into_iter().partition(|i| i.is_phi());
        for phi in phis {
            let value = self.ir.phi(phi.ty());
            self.values.insert(phi, value);
            let leaves = if self.maybe.contains(phi) { self.leaves_of(phi).len() } else { 0 };
            let shadow = (0..leaves).map(|_| Shadow::Handle(self.ir.phi(self.ir.int(32)))).collect();
            self.shadows.insert(phi, shadow);
        }
        for instruction in rest {
            self.instruction(instruction);
            self.group.members.push(instruction);
        }
        self.ends.insert(block, self.ir.current_block());
        self.group = Group::default();
    }

    fn fill_phis(&mut self, block: Block) {
        for phi in block.instructions().into_iter().take_while(|i| i.is_phi()) {
            let new = self.values[&phi];
            let targets = self.shadows[&phi].clone();
            for (value, from) in phi.incoming() {
                let Some(&end) = self.edges.get(&(from, block)).or_else(|| self.ends.get(&from)) else { continue };
                new.add_incoming(self.value(value), end);
                for (leaf, target) in targets.iter().enumerate() {
                    let Shadow::Handle(target) = *target else { continue };
                    let handle = match self.shadow(value, leaf) {
                        Shadow::Handle(handle) => handle,
                        _ => self.ir.i32(0),
                    };
                    target.add_incoming(handle, end);
                }
            }
        }
    }

    // ----- values and shadows -----

    /// The translated value.
    fn value(&self, old: Value) -> Value {
        self.values.get(&old).copied().unwrap_or(old)
    }

    fn leaves_of(&self, value: Value) -> Vec<Leaf> {
        leaves(self.ir, value.ty()).unwrap_or_default()
    }

    fn shadow(&self, value: Value, leaf: usize) -> Shadow {
        if !self.maybe.contains(value) {
            return Shadow::Zero;
        }
        self.shadows.get(&value).and_then(|s| s.get(leaf)).copied().unwrap_or(Shadow::Zero)
    }

    fn all_shadows(&self, value: Value) -> Vec<Shadow> {
        (0..self.leaves_of(value).len()).map(|leaf| self.shadow(value, leaf)).collect()
    }

    /// The shadow of a scalar.
    fn scalar_shadow(&self, value: Value) -> Shadow {
        self.shadow(value, 0)
    }

    fn set_shadow(&mut self, value: Value, shadow: Vec<Shadow>) {
        self.shadows.insert(value, shadow);
    }

    /// A copy of the instruction, operands translated, at the builder's place.
    fn emit_clone(&mut self, old: Value) -> Value {
        let new = old.clone_instruction();
        new.drop_location();
        for (i, operand) in old.operands().into_iter().enumerate() {
            let translated = self.value(operand);
            if translated != operand {
                new.set_operand(i as u32, translated);
            }
        }
        self.ir.insert(new);
        self.values.insert(old, new);
        new
    }

    fn site(&mut self, kind: SiteKind, at: &[Value]) -> u32 {
        self.shared.sites.add(kind, self.function_index, at)
    }

    /// The global number of a site, at run time.
    fn global_site(&self, site: u32) -> Value {
        let base = self.ir.load(self.ir.int(32), self.shared.site_base, 4);
        self.ir.add(base, self.ir.i32(site))
    }

    // ----- groups -----

    /// Adds work to the group. It is done if one of `inputs`, or any other condition of the group, is not 0.
    /// Returns the index of the action.
    fn action(
        &mut self,
        inputs: &[Shadow],
        results: usize,
        emit: impl FnOnce(&mut Translator<'_, '_>, &Resolver<'_>) -> Vec<Value> + 'static,
    ) -> usize {
        for input in inputs {
            if let Shadow::Handle(value) = *input {
                self.condition(value);
            }
        }
        self.group.actions.push(Action { emit: Box::new(emit), results });
        self.group.actions.len() - 1
    }

    fn condition(&mut self, value: Value) {
        if self.group.seen.insert(value) {
            self.group.conditions.push(value);
        }
    }

    /// Adds an action whose results are the leaves of `value`.
    fn action_for(
        &mut self,
        value: Value,
        inputs: &[Shadow],
        results: usize,
        emit: impl FnOnce(&mut Translator<'_, '_>, &Resolver<'_>) -> Vec<Value> + 'static,
    ) {
        let index = self.action(inputs, results, emit);
        self.set_shadow(value, (0..results).map(|r| Shadow::Pending(index, r)).collect());
    }

    /// Ends the group: the check, the slow block, and phis for what is used later.
    fn flush(&mut self) {
        let group = std::mem::take(&mut self.group);
        let ir = self.ir;
        if group.actions.is_empty() {
            if let Some(cell) = group.cleared {
                ir.store(ir.i64(0), cell, 8);
            }
            return;
        }
        // Handles have 32 bits, taint fewer, tags 64.
        let is_wide = group.conditions.iter().any(|condition| condition.ty() == ir.int(64));
        let width = ir.int(if is_wide { 64 } else { 32 });
        let mut any: Option<Value> = None;
        for condition in &group.conditions {
            let wide =
                if condition.ty() == width { *condition } else { ir.cast(LLVMOpcode::LLVMZExt, *condition, width) };
            any = Some(any.map_or(wide, |a| ir.or(a, wide)));
        }
        let Some(any) = any else {
            // Nothing can make this group run.
            if let Some(cell) = group.cleared {
                ir.store(ir.i64(0), cell, 8);
            }
            for member in &group.members {
                if let Some(shadow) = self.shadows.get_mut(member) {
                    shadow.iter_mut().filter(|s| matches!(s, Shadow::Pending(..))).for_each(|s| *s = Shadow::Zero);
                }
            }
            return;
        };
        let needed = ir.icmp(LLVMIntPredicate::LLVMIntNE, any, ir.const_int(width, 0));
        let mut before = ir.current_block();
        let slow = ir.append_block(self.body, "sym");
        let rest = ir.append_block(self.body, "");
        if let Some(cell) = group.cleared {
            let fast = ir.append_block(self.body, "fast");
            ir.cold_br(needed, slow, fast);
            ir.at_end(fast);
            ir.store(ir.i64(0), cell, 8);
            ir.br(rest);
            before = fast;
        } else {
            ir.cold_br(needed, slow, rest);
        }
        ir.at_end(slow);
        let mut results: Vec<Vec<Value>> = Vec::new();
        let zero = ir.i32(0);
        for action in group.actions {
            let made = (action.emit)(self, &Resolver { zero, results: &results });
            debug_assert_eq!(made.len(), action.results);
            results.push(made);
        }
        let slow_end = ir.current_block();
        ir.br(rest);
        ir.at_end(rest);
        let members: HashSet<Value> = group.members.iter().copied().collect();
        let mut phis: HashMap<(usize, usize), Value> = HashMap::new();
        for member in &group.members {
            let Some(shadow) = self.shadows.get(member) else { continue };
            if !shadow.iter().any(|s| matches!(s, Shadow::Pending(..))) {
                continue;
            }
            let used_later = member.users().iter().any(|user| user.is_phi() || !members.contains(user));
            let mut replaced = shadow.clone();
            for leaf in &mut replaced {
                if let Shadow::Pending(action, result) = *leaf {
                    *leaf = if !used_later {
                        Shadow::Zero
                    } else {
                        Shadow::Handle(*phis.entry((action, result)).or_insert_with(|| {
                            let phi = ir.phi(ir.int(32));
                            phi.add_incoming(zero, before);
                            phi.add_incoming(results[action][result], slow_end);
                            phi
                        }))
                    };
                }
            }
            self.shadows.insert(*member, replaced);
        }
    }

    // ----- terminators and the rest -----

    fn instruction(&mut self, old: Value) {
        match old.opcode() {
            LLVMOpcode::LLVMRet => self.visit_return(old),
            LLVMOpcode::LLVMBr | LLVMOpcode::LLVMSwitch => self.visit_branch(old),
            LLVMOpcode::LLVMUnreachable | LLVMOpcode::LLVMResume => {
                self.group.members.push(old);
                self.flush();
                self.pop_frame();
                self.emit_clone(old);
            }
            LLVMOpcode::LLVMCall => self.visit_call(old),
            LLVMOpcode::LLVMInvoke => self.visit_invoke(old),
            LLVMOpcode::LLVMLandingPad => {
                // A group must not stand before a landing pad; the block has just begun, so there is none.
                self.emit_clone(old);
                self.set_shadow(old, Vec::new());
                self.restore_frame();
            }
            LLVMOpcode::LLVMLoad => self.visit_load(old),
            LLVMOpcode::LLVMStore => self.visit_store(old),
            LLVMOpcode::LLVMAlloca => self.visit_alloca(old),
            LLVMOpcode::LLVMAtomicRMW => self.visit_atomic_rmw(old),
            LLVMOpcode::LLVMAtomicCmpXchg => self.visit_compare_exchange(old),
            LLVMOpcode::LLVMFence => {
                self.emit_clone(old);
            }
            LLVMOpcode::LLVMUDiv | LLVMOpcode::LLVMSDiv | LLVMOpcode::LLVMURem | LLVMOpcode::LLVMSRem
                if self.scalar_shadow(old.operand(1)) != Shadow::Zero =>
            {
                // It may trap, and what it divides by must be known then.
                self.visit_pure(old);
                self.group.members.push(old);
                self.flush();
                self.emit_clone(old);
            }
            _ => {
                self.emit_clone(old);
                self.visit_pure(old);
            }
        }
    }

    fn visit_return(&mut self, old: Value) {
        let tag = self.runtime().tls_at(tls::RET_TAG);
        if old.operand_count() == 1 {
            let value = old.operand(0);
            let shadows = self.all_shadows(value);
            self.group.cleared = Some(tag);
            if shadows.len() > tls::RETS {
                self.loss_of(old, &shadows, "return of a large aggregate");
            } else if shadows.iter().any(|s| *s != Shadow::Zero) {
                let thunk = self.thunk;
                let inputs = shadows.clone();
                self.action(&inputs, 0, move |t, handles| {
                    for (i, shadow) in shadows.iter().enumerate() {
                        let to = t.runtime().tls_at(tls::RET + 4 * i as u64);
                        t.ir.store(handles.get(*shadow), to, 4);
                    }
                    let address = t.ir.cast(LLVMOpcode::LLVMPtrToInt, thunk, t.ir.int(64));
                    let any = shadows.iter().fold(None, |any: Option<Value>, s| {
                        let handle = handles.get(*s);
                        Some(any.map_or(handle, |a| t.ir.or(a, handle)))
                    });
                    if let Some(any) = any {
                        let symbolic = t.ir.icmp(LLVMIntPredicate::LLVMIntNE, any, t.ir.i32(0));
                        let mask = t.ir.cast(LLVMOpcode::LLVMSExt, symbolic, t.ir.int(64));
                        let tagged = t.ir.binary(LLVMOpcode::LLVMAnd, mask, address);
                        t.ir.store(tagged, t.runtime().tls_at(tls::RET_TAG), 8);
                    }
                    Vec::new()
                });
            }
        }
        self.flush();
        self.pop_frame();
        self.emit_clone(old);
    }

    /// A branch or switch. What is in the source has been marked and is concrete by now; what is still symbolic was
    /// made by the optimiser, and is in the path condition all the same.
    fn visit_branch(&mut self, old: Value) {
        let conditional = old.opcode() == LLVMOpcode::LLVMSwitch || old.is_conditional();
        if conditional {
            let condition = old.operand(0);
            let shadow = self.scalar_shadow(condition);
            if shadow != Shadow::Zero {
                let is_switch = old.opcode() == LLVMOpcode::LLVMSwitch;
                let kind = match condition.ty().int_width() {
                    Some(width @ 1..=64) if is_switch => SiteKind::Switch {
                        width: width as u8,
                        cases: (2..old.operand_count())
                            .step_by(2)
                            .filter_map(|i| old.operand(i).const_value())
                            .collect(),
                    },
                    _ => SiteKind::Derived,
                };
                let site = self.site(kind, &[old, condition]);
                let value = self.value(condition);
                self.action(&[shadow], 0, move |t, handles| {
                    t.emit_branch_event(site, value, handles.get(shadow), is_switch);
                    Vec::new()
                });
            }
        }
        self.flush();
        let new = old.clone_instruction();
        new.drop_location();
        if conditional {
            new.set_operand(0, self.value(old.operand(0)));
        }
        for (i, target) in old.successors().into_iter().enumerate() {
            new.set_successor(i as u32, self.blocks[&target]);
        }
        self.ir.insert(new);
    }

    fn emit_branch_event(&mut self, site: u32, value: Value, handle: Value, is_switch: bool) {
        let name = if is_switch { "__off_switch" } else { "__off_branch" };
        self.slow(name, self.ir.void(), &[Arg::Site(site), Arg::Same(handle), Arg::Bits(value)]);
    }

    /// Coverage, and in the group the branch event.
    fn visit_marker(&mut self, old: Value, site: u32, condition: Value, is_switch: bool) {
        let ir = self.ir;
        let value = self.value(condition);
        self.values.insert(old, value);
        self.set_shadow(old, Vec::new());
        let outcome = match &self.shared.sites.module.sites[site as usize].kind {
            SiteKind::Switch { width, cases } => cases::outcome(ir, site, value, u32::from(*width), cases),
            _ => ir.cast(LLVMOpcode::LLVMZExt, value, ir.int(64)),
        };
        let cell = ir.byte_offset(ir.const_byte_offset(self.shared.coverage, 2 * u64::from(site)), outcome);
        ir.store(ir.const_int(ir.int(8), 1), cell, 1);
        if let Some(everything) = self.everything {
            self.condition(everything);
        }
        let shadow = self.scalar_shadow(condition);
        self.action(&[shadow], 0, move |t, handles| {
            t.emit_branch_event(site, value, handles.get(shadow), is_switch);
            Vec::new()
        });
    }

    /// Records that symbolic values went on concretely.
    fn loss_of(&mut self, at: Value, shadows: &[Shadow], what: &str) {
        self.loss(at, shadows, what, offshoot_trace::event::LossReason::Instruction);
    }

    fn loss(&mut self, at: Value, shadows: &[Shadow], what: &str, reason: offshoot_trace::event::LossReason) {
        let symbolic: Vec<Shadow> = shadows.iter().copied().filter(|s| *s != Shadow::Zero).collect();
        if symbolic.is_empty() {
            return;
        }
        let site = self.site(SiteKind::Unmodelled { what: what.to_string() }, &[at]);
        self.action(&symbolic.clone(), 0, move |t, handles| {
            for shadow in symbolic {
                let args = [Arg::Site(site), Arg::Fixed(t.ir.i32(reason as u32)), Arg::Same(handles.get(shadow))];
                t.slow("__off_lose", t.ir.void(), &args);
            }
            Vec::new()
        });
    }

    // ----- conversions for the run-time library -----

    /// Any scalar's low 64 bits as an `i64`.
    fn to_i64(&self, value: Value) -> Value {
        let ir = self.ir;
        let ty = value.ty();
        if ty.is_pointer() {
            return ir.cast(LLVMOpcode::LLVMPtrToInt, value, ir.int(64));
        }
        let bits = ir.size_bits(ty) as u32;
        let int = if ty.int_width().is_some() { value } else { ir.cast(LLVMOpcode::LLVMBitCast, value, ir.int(bits)) };
        match bits {
            64 => int,
            0..64 => ir.cast(LLVMOpcode::LLVMZExt, int, ir.int(64)),
            _ => ir.cast(LLVMOpcode::LLVMTrunc, int, ir.int(64)),
        }
    }

    /// Bits 64 to 127 of a wide integer.
    fn high_i64(&self, value: Value) -> Value {
        let ir = self.ir;
        let ty = value.ty();
        let shift = ir.const_int(ty, 64);
        let high = ir.binary(LLVMOpcode::LLVMLShr, value, shift);
        ir.cast(LLVMOpcode::LLVMTrunc, high, ir.int(64))
    }

    /// An integer's value sign-extended (or truncated) to 64 bits.
    fn sign_extended(&self, value: Value) -> Value {
        match value.ty().int_width() {
            Some(width) if width < 64 => self.ir.cast(LLVMOpcode::LLVMSExt, value, self.ir.int(64)),
            _ => self.to_i64(value),
        }
    }

    fn int_type(&self, bits: u32) -> Type {
        self.ir.int(bits)
    }
}

/// Blocks that can be reached, each before its successors except along back edges.
fn reverse_postorder(entry: Block) -> Vec<Block> {
    let mut order = Vec::new();
    let mut seen = HashSet::from([entry]);
    let mut stack = vec![(entry, entry.successors())];
    while let Some((block, pending)) = stack.last_mut() {
        match pending.pop() {
            Some(next) => {
                if seen.insert(next) {
                    let successors = next.successors();
                    stack.push((next, successors));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Attributes that the optimiser may have inferred for the plain body and that do not hold for one that writes shadows.
pub fn drop_effect_attributes(function: Value) {
    for attribute in ["memory", "nosync", "nofree", "willreturn", "norecurse", "speculatable", "nocallback"] {
        function.remove_attribute(FUNCTION_INDEX, attribute);
    }
}
