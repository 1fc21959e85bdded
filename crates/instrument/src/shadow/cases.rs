//! Which label of a `switch` a value takes, without a jump: for the outcome byte of the switch.
//!
//! ```text
//!   close labels:   %at = umin(%v - lowest, span + 1);  %outcome = load i16, map[%at]
//!   far ones:       a binary search of fixed length in the sorted labels, by select
//! ```

use crate::ir::{Ir, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, Type, Value};

/// Labels that span more values than this are searched.
const SPAN: u64 = 1024;

/// The outcome of `value` (an integer of `width` bits) as an `i64`: the index of its label, behind the last one the default.
pub fn outcome(ir: &Ir, site: u32, value: Value, width: u32, cases: &[u64]) -> Value {
    let default = cases.len() as u64;
    let shift = 64 - width;
    let signed = |case: u64| (case << shift) as i64 >> shift;
    let (Some(low), Some(high)) = (cases.iter().map(|&c| signed(c)).min(), cases.iter().map(|&c| signed(c)).max())
    else {
        return ir.i64(default);
    };
    let span = high.wrapping_sub(low) as u64;
    if span < SPAN {
        let mut map = vec![default; span as usize + 2];
        for (outcome, &case) in cases.iter().enumerate() {
            map[signed(case).wrapping_sub(low) as usize] = outcome as u64;
        }
        let table = table(ir, &format!("__off_cases.{site}"), ir.int(16), &map);
        let ty = ir.int(width);
        let at = ir.binary(LLVMOpcode::LLVMSub, value, ir.const_int(ty, low as u64));
        let at = if width < 64 { ir.cast(LLVMOpcode::LLVMZExt, at, ir.int(64)) } else { at };
        let inside = ir.icmp(LLVMIntPredicate::LLVMIntULE, at, ir.i64(span));
        let at = ir.select(inside, at, ir.i64(span + 1));
        let cell = ir.byte_offset(table, ir.binary(LLVMOpcode::LLVMShl, at, ir.i64(1)));
        ir.cast(LLVMOpcode::LLVMZExt, ir.load(ir.int(16), cell, 2), ir.int(64))
    } else {
        search(ir, site, value, width, cases)
    }
}

fn search(ir: &Ir, site: u32, value: Value, width: u32, cases: &[u64]) -> Value {
    let mut sorted: Vec<(u64, u64)> = cases.iter().enumerate().map(|(outcome, &case)| (case, outcome as u64)).collect();
    sorted.sort_unstable();
    let labels: Vec<u64> = sorted.iter().map(|(case, _)| *case).collect();
    let outcomes: Vec<u64> = sorted.iter().map(|(_, outcome)| *outcome).collect();
    let labels = table(ir, &format!("__off_labels.{site}"), ir.int(64), &labels);
    let outcomes = table(ir, &format!("__off_cases.{site}"), ir.int(16), &outcomes);
    let value = if width < 64 { ir.cast(LLVMOpcode::LLVMZExt, value, ir.int(64)) } else { value };
    let load = |base: Value, at: Value, bits: u32, shift: u64| {
        let cell = ir.byte_offset(base, ir.binary(LLVMOpcode::LLVMShl, at, ir.i64(shift)));
        ir.load(ir.int(bits), cell, bits / 8)
    };
    // Invariant: the label, if there is one, is at `at` or behind it, and before `at + 2 * step`.
    let count = cases.len() as u64;
    let mut at = ir.i64(0);
    let mut step = count.next_power_of_two() / 2;
    while step > 0 {
        let next = ir.add(at, ir.i64(step));
        let exists = ir.icmp(LLVMIntPredicate::LLVMIntULT, next, ir.i64(count));
        let safe = ir.select(exists, next, at);
        let fits = ir.icmp(LLVMIntPredicate::LLVMIntULE, load(labels, safe, 64, 3), value);
        at = ir.select(fits, safe, at);
        step /= 2;
    }
    let found = ir.icmp(LLVMIntPredicate::LLVMIntEQ, load(labels, at, 64, 3), value);
    let outcome = ir.cast(LLVMOpcode::LLVMZExt, load(outcomes, at, 16, 1), ir.int(64));
    ir.select(found, outcome, ir.i64(count))
}

/// A constant array; a switch that was copied shares it.
fn table(ir: &Ir, name: &str, of: Type, values: &[u64]) -> Value {
    ir.named_global(name).unwrap_or_else(|| {
        let values: Vec<Value> = values.iter().map(|&value| ir.const_int(of, value)).collect();
        let array = ir.const_array(of, &values);
        let global = ir.add_global(name, array.ty());
        global.set_initializer(array);
        global.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        global.set_constant();
        global
    })
}
