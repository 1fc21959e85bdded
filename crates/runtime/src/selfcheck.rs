//! `OFFSHOOT_SELFCHECK=1`: every term is evaluated under the actual input as it is made, and compared with what the
//! processor computed wherever the two meet. A mismatch is a bug of ours.

use crate::state::State;
use crate::text::Text;
use core::ffi::CStr;
use core::fmt::Write;
use core::sync::atomic::Ordering;
use offshoot_trace::layout::TableEntry;
use offshoot_trace::node::{Handle, IMM_LHS, IMM_RHS};
use offshoot_trace::{Node, NodeId, Op, apply, eval};

const MAX_REPORTS: u64 = 50;

impl State {
    fn known(&self, id: NodeId) -> u128 {
        unsafe { *self.values.add(id as usize) }
    }

    pub fn set_known(&mut self, id: NodeId, value: u128) {
        if self.selfcheck {
            unsafe { *self.values.add(id as usize) = value };
        }
    }

    /// Computes the value of a node that has just been made.
    pub fn evaluate(&mut self, id: NodeId) {
        let node = self.node(id);
        let value = match node.operation() {
            Some(Op::Byte) | None => return,
            Some(Op::Const | Op::Pointer) => u128::from(node.rest),
            Some(Op::Read) => {
                (0..node.aux).fold(0, |value, i| value | self.known(node.a + u32::from(i)) << (8 * u32::from(i)))
            }
            Some(Op::Select) => self.evaluate_select(&node),
            Some(_) => {
                let first = self.known(node.a);
                let width = self.node(node.a).width;
                let (a, b, c) = if node.flags & IMM_RHS != 0 {
                    (first, u128::from(node.rest), 0)
                } else if node.flags & IMM_LHS != 0 {
                    (u128::from(node.rest), first, 0)
                } else {
                    (first, self.operand(&node, node.b()), self.operand(&node, node.c()))
                };
                apply(&node, width, a, b, c)
            }
        };
        self.set_known(id, value);
    }

    /// `Extract` and other unary nodes have no second operand; what stands there is not an id.
    fn operand(&self, node: &Node, id: NodeId) -> u128 {
        let unary = node.operation().is_some_and(Op::is_unary);
        if unary || id >= self.node_count { 0 } else { self.known(id) }
    }

    fn evaluate_select(&self, node: &Node) -> u128 {
        let table: TableEntry = unsafe { *self.tables.add(node.a as usize) };
        let offset = self.known(node.b());
        let mut value = 0;
        for i in 0..u128::from(node.aux) {
            let at = offset + i;
            if at >= u128::from(table.len) {
                return 0;
            }
            let (byte, handle) = self.table_cell(&table, at as u64);
            let byte = match handle {
                0 => u128::from(byte),
                handle => self.known(handle >> 3) >> (8 * (handle & 7)) & 0xFF,
            };
            value |= byte << (8 * i);
        }
        value
    }

    /// Compares a term with the concrete value.
    #[inline]
    pub fn check(&mut self, site: u32, term: Handle, value: u128, width: u8, what: &str) {
        if self.selfcheck && term != 0 {
            self.compare(site, term, value, width, what);
        }
    }

    #[cold]
    fn compare(&mut self, site: u32, term: Handle, value: u128, width: u8, what: &str) {
        let id = term >> 3;
        let mask = eval::mask(width);
        let expected = self.known(id) & mask;
        self.header().selfcheck_events.fetch_add(1, Ordering::Relaxed);
        if expected == value & mask || self.both_nan(id, expected, value & mask) {
            return;
        }
        let seen = self.header().selfcheck_mismatches.fetch_add(1, Ordering::Relaxed);
        if seen >= MAX_REPORTS {
            return;
        }
        let node = self.node(id);
        let (module, local) = self.locate(site);
        let mut text = Text::new();
        let _ = write!(
            text,
            "offshoot self-check: mismatch: {what} module={module:016x} site={local} term={id} op={} width={} \
             evaluated={expected:#x} concrete={:#x} program=",
            node.operation().map_or("?", Op::name),
            node.width,
            value & mask,
        );
        self.write_program(&mut text);
        self.log(&text);
    }

    pub fn log_to(&mut self, path: &CStr) {
        let path = path.to_bytes_with_nul();
        if path.len() <= self.selfcheck_log.len() {
            self.selfcheck_log[..path.len()].copy_from_slice(path);
            self.log(&Text::new());
        }
    }

    /// Opened for each line: a descriptor of ours would be one less for the program, and one that it could close.
    fn log(&self, text: &Text) {
        unsafe {
            let errno = libc::__errno_location();
            let before = *errno;
            if self.selfcheck_log[0] == 0 {
                text.write_to(libc::STDERR_FILENO);
            } else {
                let flags = libc::O_WRONLY | libc::O_APPEND | libc::O_CREAT | libc::O_CLOEXEC;
                let fd = libc::open(self.selfcheck_log.as_ptr().cast(), flags, 0o666);
                if fd >= 0 {
                    text.write_to(fd);
                    libc::close(fd);
                }
            }
            *errno = before;
        }
    }

    /// How much was compared, for the log: a run without mismatches says little if nothing was.
    pub fn report_checks(&self) {
        if self.selfcheck && self.selfcheck_log[0] != 0 {
            let mut text = Text::new();
            let checked = self.header().selfcheck_events.load(Ordering::Relaxed);
            let _ = write!(text, "offshoot self-check: checked={checked} program=");
            self.write_program(&mut text);
            self.log(&text);
        }
    }

    fn write_program(&self, text: &mut Text) {
        let mut at = self.program;
        while !at.is_null() && unsafe { *at } != 0 {
            let _ = text.write_char(unsafe { *at } as char);
            at = unsafe { at.add(1) };
        }
        let _ = text.write_char('\n');
    }

    /// NaN payloads are not specified; any NaN is as good as another.
    fn both_nan(&self, id: NodeId, a: u128, b: u128) -> bool {
        let node = self.node(id);
        if !node.operation().is_some_and(Op::is_float) {
            return false;
        }
        match node.width {
            32 => f32::from_bits(a as u32).is_nan() && f32::from_bits(b as u32).is_nan(),
            64 => f64::from_bits(a as u64).is_nan() && f64::from_bits(b as u64).is_nan(),
            _ => false,
        }
    }
}
