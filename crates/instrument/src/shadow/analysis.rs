//! Which values can be symbolic at all? An optimistic fixed point: loop counters that start from a constant and step by
//! a constant are concrete, and get no shadow.

use crate::ir::{LLVMOpcode, Value};
use std::collections::{HashMap, HashSet};

pub struct MaybeSymbolic {
    values: HashSet<Value>,
}

impl MaybeSymbolic {
    pub fn of(function: Value) -> MaybeSymbolic {
        let mut values: HashSet<Value> = function.params().into_iter().collect();
        let mut users: HashMap<Value, Vec<Value>> = HashMap::new();
        let mut work = Vec::new();
        for block in function.blocks() {
            for instruction in block.instructions() {
                if instruction.ty().is_void() {
                    continue;
                }
                match source(instruction) {
                    Source::Always => {
                        values.insert(instruction);
                    }
                    Source::Never => continue,
                    Source::Operands(operands) => {
                        if operands.iter().any(|o| values.contains(o)) {
                            values.insert(instruction);
                        }
                        for operand in operands {
                            users.entry(operand).or_default().push(instruction);
                        }
                    }
                }
            }
        }
        work.extend(values.iter().copied());
        while let Some(value) = work.pop() {
            for &user in users.get(&value).into_iter().flatten() {
                if values.insert(user) {
                    work.push(user);
                }
            }
        }
        MaybeSymbolic { values }
    }

    pub fn contains(&self, value: Value) -> bool {
        self.values.contains(&value)
    }
}

enum Source {
    Always,
    Never,
    Operands(Vec<Value>),
}

fn source(instruction: Value) -> Source {
    match instruction.opcode() {
        LLVMOpcode::LLVMLoad => {
            let address = instruction.operand(0);
            if reads_constant(address) { Source::Operands(vec![address]) } else { Source::Always }
        }
        LLVMOpcode::LLVMAlloca | LLVMOpcode::LLVMLandingPad => Source::Never,
        LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg | LLVMOpcode::LLVMInvoke => Source::Always,
        // The branch event has fixed the marked condition.
        LLVMOpcode::LLVMCall if crate::mark::as_marker(instruction).is_some() => Source::Never,
        LLVMOpcode::LLVMCall => match instruction.intrinsic_name() {
            Some(name) if name.starts_with("llvm.load.relative") => Source::Operands(instruction.args()),
            Some(_) => Source::Operands(instruction.args()),
            None => Source::Always,
        },
        LLVMOpcode::LLVMPHI => Source::Operands(instruction.incoming().into_iter().map(|(v, _)| v).collect()),
        _ => Source::Operands(instruction.operands()),
    }
}

/// The address leads into memory that never changes.
pub fn reads_constant(mut address: Value) -> bool {
    for _ in 0..16 {
        if address.is_constant_global() {
            return true;
        }
        let through = address.is_gep()
            || (address.is_constant()
                && address.operand_count() > 0
                && !address.is_function()
                && !address.is_global_variable());
        if !through {
            return false;
        }
        address = address.operand(0);
    }
    false
}
