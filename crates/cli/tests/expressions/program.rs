//! Cases as a C program: printing, compiling, running.

use crate::generate::{Expr, Generator, table_len};
use crate::random::Random;
use crate::types::{INTEGERS, Type};
use offshoot_base::Budgets;
use offshoot_run::{Invocation, Policy, Stdin, TraceFile, invoke};
use offshoot_trace::layout::config;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Input bytes of one case.
pub const RECORD: usize = 64;
const SLOT: usize = 16;

/// One expression over some variables, which lie in the case's record of the input.
#[derive(Clone, Debug)]
pub struct Case {
    pub variables: Vec<Variable>,
    pub body: Expr,
    /// The record of the traced run, then those of other runs.
    pub inputs: Vec<[u8; RECORD]>,
}

#[derive(Clone, Copy, Debug)]
pub struct Variable {
    pub ty: Type,
    pub offset: usize,
}

/// Runs that are not traced: the terms of the traced one are evaluated under their inputs.
pub const OTHERS: usize = 3;

impl Case {
    pub fn generate(random: &mut Random, wraps: bool) -> Case {
        let count = 1 + random.below((RECORD / SLOT) as u64) as usize;
        let variables: Vec<Variable> = (0..count)
            .map(|i| {
                let ty = Type::any(random);
                Variable { ty, offset: i * SLOT + random.below((SLOT - ty.bytes() + 1) as u64) as usize }
            })
            .collect();
        let depth = random.pick(&[2, 2, 3, 3, 3, 4]);
        let types = variables.iter().map(|v| v.ty).collect();
        let mut generator = Generator { random, variables: types, wraps };
        // A lone leaf says little.
        let mut body = generator.root(depth);
        while body.kids.is_empty() || body.size() > 60 {
            body = generator.root(depth);
        }
        let mut first = [0; RECORD];
        for variable in &variables {
            variable.store(&mut first, random);
        }
        let mut inputs = vec![first];
        for _ in 0..OTHERS {
            let mut other = first;
            // At least one, most often all.
            let forced = random.below(count as u64) as usize;
            for (i, variable) in variables.iter().enumerate() {
                if i == forced || !random.once_in(3) {
                    variable.store(&mut other, random);
                }
            }
            inputs.push(other);
        }
        Case { variables, body, inputs }
    }

    /// The function `case_K`.
    pub fn print(&self, out: &mut String, number: usize) {
        let _ = writeln!(out, "void case_{number}(const u8 *r) {{");
        for (i, Variable { ty, offset }) in self.variables.iter().enumerate() {
            let _ = match ty {
                Type::Bool => writeln!(out, "  _Bool v{i} = r[{offset}] & 1;"),
                _ => writeln!(out, "  {} v{i}; __builtin_memcpy(&v{i}, r + {offset}, sizeof v{i});", ty.name()),
            };
        }
        let ty = self.body.ty;
        let _ = write!(out, "  {} x = ", ty.name());
        self.body.print(out);
        out.push_str(";\n");
        let _ = match ty {
            // The bits of a NaN are nobody's business.
            Type::Float | Type::Double => writeln!(
                out,
                "  u{0} b; __builtin_memcpy(&b, &x, sizeof b); if (x != x) b = 0; observe({number}, b, 0);\n}}",
                ty.bits()
            ),
            Type::Int { bits: 128, .. } => writeln!(out, "  observe({number}, x, (u128)x >> 64);\n}}"),
            _ => writeln!(out, "  observe({number}, (u64)x, 0);\n}}"),
        };
    }
}

impl Variable {
    fn store(&self, record: &mut [u8; RECORD], random: &mut Random) {
        let value = self.ty.value(random).to_le_bytes();
        record[self.offset..self.offset + self.ty.bytes()].copy_from_slice(&value[..self.ty.bytes()]);
    }
}

pub const PRELUDE: &str = r#"
typedef signed char i8; typedef short i16; typedef int i32; typedef long i64; typedef __int128 i128;
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned u32; typedef unsigned long u64;
typedef unsigned __int128 u128; typedef float f32; typedef double f64;
void observe(u32 number, u64 low, u64 high);
"#;

/// Each case's value is a term in two `switch` events, whatever its type.
const HARNESS: &str = r#"
#include <unistd.h>
extern const u32 cases_count;
extern void (*const cases[])(const u8 *);
static u8 input[1 << 16];
static struct { u64 low, high; } results[1 << 10];
volatile int sink;
void observe(u32 number, u64 low, u64 high) {
  results[number].low = low;
  results[number].high = high;
  switch (low) { case 0x5bd1e995: sink = 1; break; case 0x9e3779b97f4a7c15: sink = 2; break; default: sink = 3; }
  switch (high) { case 0x5bd1e995: sink = 1; break; case 0x9e3779b97f4a7c15: sink = 2; break; default: sink = 3; }
}
int main(void) {
  size_t have = 0;
  for (ssize_t n; have < sizeof input && (n = read(0, input + have, sizeof input - have)) > 0;) have += n;
  for (u32 i = 0; i < cases_count; i++) cases[i](input + 64 * i);
  write(1, results, sizeof results[0] * cases_count);
  return 0;
}
"#;

fn print_program(cases: &[Case]) -> String {
    let mut random = Random::new(1);
    let mut out = String::from(PRELUDE);
    let mut types = INTEGERS.to_vec();
    types.extend([Type::Bool, Type::Float, Type::Double]);
    for ty in types {
        let t = ty.name();
        let cells: Vec<_> = (0..table_len(ty)).map(|_| ty.constant(ty.value(&mut random))).collect();
        let _ = writeln!(out, "static const {t} table_{t}[] = {{ {} }};", cells.join(", "));
        let _ = writeln!(
            out,
            "__attribute__((noinline)) static {t} pass_{t}(i32 k, {t} x) {{ return k == 1234567 ? 0 : x; }}\n\
             struct pair_{t} {{ {t} a; i16 b; }};\n\
             __attribute__((noinline)) static struct pair_{t} pair_{t}(struct pair_{t} p) {{ if (p.b == 77) p.a = 0; return p; }}"
        );
    }
    for t in ["u8", "u16", "u32", "u64", "f32"] {
        let _ = writeln!(
            out,
            "typedef {t} V_{t} __attribute__((vector_size(4 * sizeof({t}))));\n\
             typedef u16 W_u16_{t} __attribute__((vector_size(4 * sizeof({t}))));"
        );
    }
    let _ = writeln!(out, "typedef u64 W_u64 __attribute__((vector_size(16)));");
    for (number, case) in cases.iter().enumerate() {
        case.print(&mut out, number);
    }
    let names: Vec<_> = (0..cases.len()).map(|number| format!("case_{number}")).collect();
    let _ = writeln!(out, "const u32 cases_count = {};", cases.len());
    let _ = writeln!(out, "void (*const cases[])(const u8 *) = {{ {} }};", names.join(", "));
    out
}

/// How the traced program is compiled.
#[derive(Clone, Copy, Debug)]
pub struct Flags {
    pub level: &'static str,
    pub wraps: bool,
}

/// The tool and the parts of the programs that do not change.
pub struct Bench {
    offshoot: PathBuf,
    folder: tempfile::TempDir,
}

/// What a batch of cases came to.
pub struct Runs {
    /// Of `-O0` and `-O2`, without instrumentation; of each: one value for each input and case.
    pub real: [Vec<Vec<u128>>; 2],
    /// The instrumented program when nobody traces it, and under the first input while traced.
    pub untraced: Vec<u128>,
    pub traced: Vec<u128>,
    pub trace: TraceFile,
    pub program: PathBuf,
}

impl Bench {
    pub fn new() -> Bench {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let built = workspace.join("target/release/offshoot");
        let offshoot = std::env::var_os("OFFSHOOT_BIN").map_or(built, PathBuf::from);
        assert!(offshoot.is_file(), "{} is missing: run `make build` first, or set OFFSHOOT_BIN", offshoot.display());
        let bench = Bench { offshoot, folder: tempfile::tempdir().expect("a temporary folder") };
        let source = bench.folder.path().join("harness.c");
        std::fs::write(&source, format!("{PRELUDE}{HARNESS}")).expect("the harness is written");
        for mut compiler in [bench.ours(), clang()] {
            let object = bench.harness(compiler.get_program() == "clang-19");
            run(compiler.args(["-O1", "-c", "-o"]).arg(object).arg(&source));
        }
        bench
    }

    fn ours(&self) -> Command {
        let mut command = Command::new(&self.offshoot);
        command.arg("cc");
        if std::env::var_os("OFFSHOOT_LIB").is_none()
            && let Some(folder) = self.offshoot.parent()
        {
            command.env("OFFSHOOT_LIB", folder.join("lib/offshoot"));
        }
        command
    }

    fn harness(&self, plain: bool) -> PathBuf {
        self.folder.path().join(if plain { "harness-plain.o" } else { "harness.o" })
    }

    /// Compiles the cases three times and runs them.
    pub fn run(&self, name: &str, cases: &[Case], flags: Flags) -> Runs {
        let folder = self.folder.path().join(name);
        std::fs::create_dir_all(&folder).expect("a folder for the batch");
        let source = folder.join("cases.c");
        std::fs::write(&source, print_program(cases)).expect("the cases are written");
        let build = |mut compiler: Command, level: &str, name: &str| {
            let program = folder.join(name);
            let harness = self.harness(compiler.get_program() == "clang-19");
            // Without errno, calls of sqrt and its like are instructions.
            compiler.args([level, "-w", "-fno-math-errno", "-o"]).arg(&program).arg(&source).arg(harness).arg("-lm");
            if flags.wraps {
                compiler.arg("-fwrapv");
            }
            run(&mut compiler);
            program
        };
        let stdin = |input: usize| cases.iter().flat_map(|case| case.inputs[input]).collect::<Vec<u8>>();
        let real = [("-O0", "real-O0"), ("-O2", "real-O2")].map(|(level, name)| {
            let program = build(clang(), level, name);
            (0..=OTHERS).map(|input| execute(&program, stdin(input), None, cases.len())).collect()
        });
        let program = build(self.ours(), flags.level, "traced");
        let untraced = execute(&program, stdin(0), None, cases.len());
        // Concrete ones too: a case whose value is not symbolic still has its events.
        let bits = config::CONCRETE_BRANCHES | config::SELFCHECK;
        let trace = TraceFile::create(&Budgets::default(), bits, "stdin").expect("a trace file");
        let traced = execute(&program, stdin(0), Some(&trace), cases.len());
        Runs { real, untraced, traced, trace, program }
    }
}

fn clang() -> Command {
    Command::new("clang-19")
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
}

/// The values that the program writes.
fn execute(program: &Path, stdin: Vec<u8>, trace: Option<&TraceFile>, count: usize) -> Vec<u128> {
    let mut invocation = Invocation::with_policy(program, Policy::detect().policy);
    invocation.stdin = Stdin::Bytes(stdin);
    invocation.trace = trace;
    let outcome = invoke(&invocation).unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let bytes = &outcome.stdout.bytes;
    assert!(
        outcome.status.is_success() && bytes.len() == 16 * count,
        "{}: {:?} after {} bytes\n{}",
        program.display(),
        outcome.status,
        bytes.len(),
        outcome.stderr.text()
    );
    bytes.as_chunks::<16>().0.iter().map(|value| u128::from_le_bytes(*value)).collect()
}
