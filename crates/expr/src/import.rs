//! Terms out of a trace.

use crate::check::{Damage, Operand, operands};
use crate::eval::Evaluator;
use crate::hash::FastMap;
use crate::term::{Pool, TableId, Term, TermId};
use crate::view::{Table, TraceView};
use offshoot_trace::node::{HANDLE_BYTE_BITS, Handle};
use offshoot_trace::{Node, NodeId, Op};

/// Brings nodes of one trace into a pool, each once. A `Pointer` becomes a plain constant: who needs its object looks at
/// the `Access` event.
pub struct Import<'a> {
    view: TraceView<'a>,
    terms: FastMap<NodeId, TermId>,
    tables: FastMap<u32, TableId>,
}

/// What an [`Import`] has brought in so far, for the next one of the same trace and pool.
#[derive(Default)]
pub struct Imported {
    terms: FastMap<NodeId, TermId>,
    tables: FastMap<u32, TableId>,
}

impl<'a> Import<'a> {
    pub fn new(view: TraceView<'a>) -> Import<'a> {
        Import::resume(view, Imported::default())
    }

    pub fn resume(view: TraceView<'a>, imported: Imported) -> Import<'a> {
        Import { view, terms: imported.terms, tables: imported.tables }
    }

    pub fn pause(self) -> Imported {
        Imported { terms: self.terms, tables: self.tables }
    }

    pub fn view(&self) -> TraceView<'a> {
        self.view
    }

    /// The term of a node. Damage anywhere in its cone is damage.
    pub fn term(&mut self, pool: &mut Pool, root: NodeId) -> Result<TermId, Damage> {
        let evaluator = Evaluator::new(self.view);
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.terms.contains_key(&id) {
                stack.pop();
                continue;
            }
            let node = self.view.node(id)?;
            let waiting = stack.len();
            evaluator.kids(&node, |kid| {
                if !self.terms.contains_key(&kid) {
                    stack.push(kid);
                }
            });
            if stack.len() == waiting {
                let term = self.convert(pool, id, &node)?;
                self.terms.insert(id, term);
                stack.pop();
            }
        }
        self.known(root, root)
    }

    /// The byte that a shadow cell names; `None` for 0, the concrete one.
    pub fn handle(&mut self, pool: &mut Pool, handle: Handle) -> Result<Option<TermId>, Damage> {
        match handle >> HANDLE_BYTE_BITS {
            0 => Ok(None),
            id => {
                let term = self.term(pool, id)?;
                Ok(Some(byte_of(pool, term, handle)))
            }
        }
    }

    fn known(&self, node: NodeId, operand: NodeId) -> Result<TermId, Damage> {
        self.terms.get(&operand).copied().ok_or(Damage::Operand { node, operand })
    }

    fn convert(&mut self, pool: &mut Pool, id: NodeId, node: &Node) -> Result<TermId, Damage> {
        let width = node.width;
        let op = node.operation().ok_or(Damage::Operation { node: id, op: node.op })?;
        match op {
            Op::Byte => return Ok(pool.read(node.a, node.rest as u32, 1)),
            Op::Const | Op::Pointer => return Ok(pool.constant(node.rest as u128, width)),
            Op::Read => {
                let first = self.view.node(node.a)?;
                return Ok(pool.read(first.a, first.rest as u32, node.aux));
            }
            Op::Select => {
                let table = self.table(pool, id, node.a)?;
                return Ok(pool.select(table, self.known(id, node.b())?, node.aux));
            }
            _ => {}
        }
        let operands = operands(node);
        let other = operands.iter().find_map(|o| if let Operand::Node(n) = o { Some(*n) } else { None });
        let other_width = pool.width(self.known(id, other.unwrap_or(0))?);
        let immediate_width = if op == Op::Concat { width - other_width } else { other_width };
        let mut terms = [None; 3];
        for (operand, term) in operands.into_iter().zip(&mut terms) {
            *term = match operand {
                Operand::None => None,
                Operand::Node(kid) => Some(self.known(id, kid)?),
                Operand::Immediate(value) => Some(pool.constant(value as u128, immediate_width)),
            };
        }
        let term = match terms {
            [Some(a), None, None] if op == Op::Extract => Term::Extract { a, low: node.rest as u8, width },
            [Some(a), None, None] => Term::Unary { op, width, a },
            [Some(a), Some(b), None] => Term::Binary { op, width, a, b },
            [Some(a), Some(b), Some(c)] => Term::Ternary { op, width, a, b, c },
            _ => return Err(Damage::Operation { node: id, op: node.op }),
        };
        Ok(pool.make(term))
    }

    fn table(&mut self, pool: &mut Pool, node: NodeId, id: u32) -> Result<TableId, Damage> {
        if let Some(&table) = self.tables.get(&id) {
            return Ok(table);
        }
        let table = self.view.table(id).filter(Table::is_whole).ok_or(Damage::Table { node, table: id })?;
        let mut cells = Vec::with_capacity(table.len());
        for (at, byte) in (0..table.len()).filter_map(|at| Some((at, table.byte(at)?))) {
            cells.push(match table.handle(at) {
                0 => pool.constant(byte as u128, 8),
                handle => {
                    let term = self.known(node, handle >> HANDLE_BYTE_BITS)?;
                    byte_of(pool, term, handle)
                }
            });
        }
        let table = pool.table(&cells);
        self.tables.insert(id, table);
        Ok(table)
    }
}

/// Byte `handle & 7` of a term; bits past its width are 0.
fn byte_of(pool: &mut Pool, term: TermId, handle: Handle) -> TermId {
    let low = 8 * (handle & ((1 << HANDLE_BYTE_BITS) - 1)) as u8;
    let width = pool.width(term);
    if low >= width {
        return pool.constant(0, 8);
    }
    let bits = pool.extract(term, low, (width - low).min(8));
    pool.zext(bits, 8)
}
