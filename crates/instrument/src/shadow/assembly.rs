//! Inline assembly: what goes through it is lost, and what it writes to its memory operands is concrete. But an empty
//! text only moves values: `asm("" : "+r"(x))` hides x from the optimiser.

use super::{Shadow, Translator};
use crate::ir::Value;
use offshoot_trace::event::LossReason;

const WHAT: &str = "inline assembly";

struct Operand {
    is_output: bool,
    /// In memory: the argument is the address.
    is_indirect: bool,
    /// An input in the place of this output.
    tied: Option<usize>,
    /// Position among the call's arguments; results have none.
    argument: Option<u32>,
}

/// The operands that a constraint string speaks of, such as `=r,=*m,0,*m,~{dirflag}`, in order.
fn operands(constraints: &str) -> Vec<Operand> {
    let mut next = 0;
    let spoken = constraints.split(',').filter(|c| !c.is_empty() && !c.starts_with(['~', '!']));
    spoken
        .map(|constraint| {
            let (is_output, is_indirect) = (constraint.starts_with('='), constraint.contains('*'));
            let argument = (!is_output || is_indirect).then_some(next);
            next += u32::from(argument.is_some());
            Operand { is_output, is_indirect, tied: constraint.parse().ok(), argument }
        })
        .collect()
}

impl Translator<'_, '_> {
    pub(super) fn visit_assembly(&mut self, old: Value) {
        let (text, constraints) = old.called().assembly();
        let (operands, args) = (operands(&constraints), old.args());
        if text.trim().is_empty() {
            let mut shadow = Vec::new();
            for (number, _) in operands.iter().enumerate().filter(|(_, o)| o.is_output && !o.is_indirect) {
                let input = operands.iter().find(|o| o.tied == Some(number)).and_then(|o| o.argument);
                shadow.push(input.map_or(Shadow::Zero, |i| self.scalar_shadow(args[i as usize])));
            }
            self.emit_clone(old);
            return self.set_shadow(old, shadow);
        }
        let shadows: Vec<Shadow> = args.iter().flat_map(|a| self.all_shadows(*a)).collect();
        self.loss(old, &shadows, WHAT, LossReason::Assembly);
        // Inputs first: an operand that is read and written is one of each.
        for is_output in [false, true] {
            for operand in operands.iter().filter(|o| o.is_indirect && o.is_output == is_output) {
                let Some(index) = operand.argument else { continue };
                let Some(ty) = old.call_param_type_attribute(index, "elementtype") else { continue };
                let (target, size) = (self.value(args[index as usize]), self.ir.store_size(ty));
                if is_output {
                    self.overwrite(target, size);
                } else {
                    self.lose_memory(old, target, size, WHAT);
                }
            }
        }
        self.flush();
        self.emit_clone(old);
        self.set_shadow(old, Vec::new());
    }
}
