//! Tables as functions of the index.

use super::{Printer, number};
use crate::term::{TableId, TermId};
use std::fmt::Write;

impl Printer<'_> {
    /// `bytes` bytes of a table, little-endian; what is outside is 0.
    pub(super) fn select(&mut self, table: TableId, index: TermId, bytes: u8) -> String {
        let len = self.pool.cells(table).cells().len();
        if len == 0 {
            return number(0, bytes * 8);
        }
        let function = self.table_function(table);
        let bits = index_bits(len);
        let mut parts = Vec::with_capacity(bytes as usize);
        for byte in (0..bytes as u128).rev() {
            let at = if byte == 0 { "i".to_owned() } else { format!("(bvadd i {})", number(byte, 64)) };
            let inside = format!("(bvult j {})", number(len as u128, 64));
            parts.push(format!("(let ((j {at})) (ite {inside} ({function} ((_ extract {} 0) j)) #x00))", bits - 1));
        }
        let whole = if bytes == 1 { parts.concat() } else { format!("(concat {})", parts.join(" ")) };
        format!("(let ((i {})) {whole})", self.bits(index))
    }

    fn table_function(&mut self, table: TableId) -> String {
        if let Some(name) = self.tables.get(&table) {
            return name.clone();
        }
        let cells: Vec<String> = self.pool.cells(table).cells().iter().map(|&cell| self.cell(cell)).collect();
        let bits = index_bits(cells.len());
        let name = format!("table{}", table.0);
        let body = tree(&cells, bits - 1);
        let _ = writeln!(self.out, "(define-fun {name} ((i (_ BitVec {bits}))) (_ BitVec 8) {body})");
        self.tables.insert(table, name.clone());
        name
    }

    fn cell(&self, cell: TermId) -> String {
        match self.pool.value(cell) {
            Some(value) => number(value, 8),
            None => self.bits(cell),
        }
    }
}

/// How many bits an index below `len` has; at least one.
fn index_bits(len: usize) -> u32 {
    (usize::BITS - (len - 1).leading_zeros()).max(1)
}

/// Decides on bit `bit` of the index and goes on below. Halves that are equal need no decision; a half that is not
/// there is never asked for.
fn tree(cells: &[String], bit: u32) -> String {
    let (Some(first), half) = (cells.first(), 1usize << bit) else { return "#x00".to_owned() };
    if cells.iter().all(|cell| cell == first) {
        return first.clone();
    }
    let (low, high) = cells.split_at(half.min(cells.len()));
    if high.is_empty() {
        return tree(low, bit.saturating_sub(1));
    }
    let lower_bit = bit.saturating_sub(1);
    format!("(ite (= ((_ extract {bit} {bit}) i) #b1) {} {})", tree(high, lower_bit), tree(low, lower_bit))
}
