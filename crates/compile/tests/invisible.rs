//! The wrapper next to clang on the same command lines: the same files, words and exit status.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FILES: &[(&str, &str)] = &[
    (
        "a.c",
        "#include \"h.h\"\n#include <stdio.h>\nint f(int);\nint main(int c, char **v) { int unused; if (c > 1 && v[1][0] == 'a') puts(\"x\"); return f(c) - c - V; }\n",
    ),
    ("b.c", "int f(int x) { return x > 100 ? 7 : x + 1; }\n"),
    ("h.h", "#define V 1\n"),
    ("s.s", ".globl g\ng: ret\n.section .note.GNU-stack,\"\",@progbits\n"),
    ("wrong.c", "int f( { return undeclared; }\n"),
    ("fortify.c", "#define _FORTIFY_SOURCE 2\n#include <stdio.h>\nint x;\n"),
    (
        "guarded.c",
        "#if !defined _FORTIFY_SOURCE && defined __OPTIMIZE__\n#define _FORTIFY_SOURCE 2\n#endif\n#include <stdio.h>\nint x;\n",
    ),
    ("nested.c", "int g(int);\nint h(int a, int b, int c) { int unused; return a && g(b && c); }\n"),
    ("level.c", "#ifdef __OPTIMIZE__\n#warning optimised\n#else\n#warning not optimised\n#endif\nint x;\n"),
    ("words.rsp", "-c 'b.c' -o \"two words.o\" -MD"),
];

/// The wrapper as a program: `cargo test` builds examples first.
fn wrapper() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples/cc");
    assert!(path.exists(), "{} is missing; build it with: cargo build --example cc", path.display());
    path
}

fn sources(folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    for (name, content) in FILES {
        std::fs::write(folder.join(name), content).unwrap();
    }
}

/// A resource folder with a run-time library that does nothing: enough for objects, not for programs.
fn hollow_resource(folder: &Path) -> PathBuf {
    let resource = folder.join("resource");
    std::fs::create_dir_all(&resource).unwrap();
    std::fs::write(resource.join("empty.c"), "int offshoot_test_nothing;").unwrap();
    let run = |program: &str, args: &[&str]| {
        assert!(Command::new(program).args(args).current_dir(&resource).status().unwrap().success(), "{program}");
    };
    run("clang-19", &["-c", "empty.c"]);
    run("ar", &["rcs", "liboffshoot_runtime.a", "empty.o"]);
    resource
}

#[derive(Debug, PartialEq, Eq)]
struct Seen {
    status: Option<i32>,
    stdout: String,
    stderr: String,
    files: Vec<String>,
    dependencies: BTreeMap<String, String>,
}

fn see(compiler: &Path, line: &str, folder: &Path, resource: &Path) -> Seen {
    sources(folder);
    let output = Command::new(compiler)
        .args(line.split_whitespace())
        .current_dir(folder)
        .env("OFFSHOOT_LIB", resource)
        .env_remove("OFFSHOOT_VERBOSE")
        .env_remove("OFFSHOOT_PLAIN")
        .stdin(Stdio::from(std::fs::File::open(folder.join("b.c")).unwrap()))
        .output()
        .unwrap();
    let mut files: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    let is_dependency = |name: &&String| name.ends_with(".d") || name.ends_with(".Tpo");
    let read = |name: &String| (name.clone(), std::fs::read_to_string(folder.join(name)).unwrap());
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    Seen {
        status: output.status.code(),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
        dependencies: files.iter().filter(is_dependency).map(read).collect(),
        files,
    }
}

fn check(lines: &[&str], resource: impl Fn(&Path) -> PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let resource = resource(folder.path());
    for (index, line) in lines.iter().enumerate() {
        let place = |who: &str| folder.path().join(format!("{who}{index}"));
        let theirs = see(Path::new("clang-19"), line, &place("clang"), &resource);
        let ours = see(&wrapper(), line, &place("offshoot"), &resource);
        assert_eq!(ours, theirs, "{line}");
    }
}

#[test]
fn compiling_looks_like_clang() {
    check(
        &[
            "-c a.c",
            "-c a.c -Wall -Wextra",
            "-c a.c -Wall -Werror",
            "-c wrong.c",
            "-c missing.c",
            "-c a.c b.c s.s",
            "-c a.c b.c -o both.o",
            "-MD -c a.c",
            "-MMD -MP -c a.c -o x.o",
            "-MD -MF x.Tpo -MT x.lo -MP -c a.c -o x.o",
            "-Wp,-MD,x.d -c a.c",
            "@words.rsp",
            "-x c -c - -o stdin.o",
            "-c b.c -o /dev/null",
            "-c b.c -o /nonexistent/b.o",
            "-Wno-such-warning -c b.c",
            "-Werror -Wno-such-warning -Wnot-there -c b.c",
            "-c b.c -lm",
            "-c b.c -Werror -lm",
            "-Wa,--noexecstack -pipe -c b.c -Werror",
            "-O2 -D_FORTIFY_SOURCE=2 -Wp,-D_FORTIFY_SOURCE=2 -c b.c -Werror",
            "-O2 -c fortify.c -Wall -Werror",
            "-O2 -c guarded.c -Wall -Werror",
            "-c nested.c -Wall",
            "-c nested.c -Werror",
            "-c level.c -Weverything",
            "-O0 -c level.c",
            "-Os -c level.c",
            "-flto -fsanitize=address -c b.c -Werror",
        ],
        hollow_resource,
    );
}

#[test]
fn asking_looks_like_clang() {
    let lines = [
        "",
        "--version",
        "-v",
        "-E a.c",
        "-S b.c",
        "-M a.c",
        "-MM a.c",
        "-print-search-dirs",
        "-dumpmachine",
        "-fsyntax-only a.c -Wall",
        "-c s.s",
        "-c -emit-llvm b.c",
        "-qversion",
        "-V",
        "-c",
    ];
    check(&lines, hollow_resource);
}

#[test]
fn linking_looks_like_clang() {
    // Without a run-time library everything is compiled plainly, and programs can be linked.
    check(
        &[
            "a.c b.c -o prog",
            "a.c b.c",
            "-MD a.c b.c -o prog",
            "a.c b.c s.s -o prog -pthread -O2 -g -ffunction-sections -Wl,--gc-sections",
            "-x c - a.c -o prog",
            "-static a.c b.c -o prog",
            "-shared -fPIC b.c -o libb.so -Wl,-z,defs",
            "-r b.c s.s -o r.o",
            "a.c b.c -lno-such-library -o prog",
            "wrong.c -o prog",
        ],
        |folder| folder.join("nothing"),
    );
}

#[test]
fn coverage_variant_runs_and_llvm_cov_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let resource = hollow_resource(folder.path());
    let work = folder.path().join("work");
    sources(&work);
    let run = |program: &Path, line: &str| {
        let output = Command::new(program)
            .args(line.split_whitespace())
            .current_dir(&work)
            .env("OFFSHOOT_LIB", &resource)
            .env("LLVM_PROFILE_FILE", work.join("raw"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    // One object of ours in an archive beside one of the assembler's, one that is a temporary of this very command.
    run(&wrapper(), "-c -O2 b.c s.s");
    run(Path::new("ar"), "rcs libb.a b.o s.o");
    run(&wrapper(), "-O2 a.c -L. -lb -o prog -Wl,--gc-sections,--unresolved-symbols=ignore-all");

    let variant = work.join("prog.cov");
    offshoot_compile::variant(offshoot_compile::Variant::Cov, &work.join("prog"), &variant).unwrap();
    assert_eq!(run(&variant, "abc"), "x\n");
    run(Path::new("llvm-profdata-19"), "merge raw -o data");
    let summary = run(Path::new("llvm-cov-19"), "export -summary-only -instr-profile=data prog.cov");
    for source in ["a.c", "b.c"] {
        assert!(summary.contains(&format!("{source}\"")), "{source} is missing in {summary}");
    }
    let left: Vec<_> = std::fs::read_dir(&work).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with('.')), "{left:?}");
}
