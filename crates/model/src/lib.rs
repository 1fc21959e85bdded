//! The static model of a program: what can be branched on, accessed or divided by, and where in the source that is.
//!
//! * [`graph`]: the control-flow graph of the whole program, and what search strategies ask of it.
//! * [`module`]: the model of one translation unit, made by the instrumenter.
//! * [`section`]: how models, bitcode and link lines sit in an ELF file.
//! * [`program`]: all of it, read back out of a program.

pub mod graph;
pub mod module;
pub mod program;
pub mod section;

pub use graph::Graph;
pub use module::{Alias, Block, Callee, Function, Linkage, Module, Part, Site, SiteKind};
pub use program::{Program, ReadError};
