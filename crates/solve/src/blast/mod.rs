//! Integer terms as gates, and gates as clauses of a SAT solver.
//!
//! ```text
//!  terms ──terms, table, words──▶ gates (each once, constants folded) ──instance──▶ CNF, CaDiCaL
//! ```
//!
//! Gates live as long as the pool; a solver instance gets only those that its queries reach, so it can be thrown away
//! and begun again at the price of its clauses.

pub mod gates;
pub mod instance;
pub mod table;
pub mod terms;
pub mod words;
