//! What a compiler flag means to us. Only what changes the wrapper's behaviour has a kind of its own; everything else
//! is handed on as it came.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `-c`.
    CompileOnly,
    /// `-o`.
    Output,
    /// `-x`.
    Language,
    /// Asks clang something, or makes something else than an object: the whole command goes to clang as it is.
    Query,
    /// `-O…`.
    Level,
    /// `-g…`.
    Debug,
    /// `-MD` and its family.
    Dependency,
    /// Cannot live together with our instrumentation: sanitizers, profiles, LTO.
    Dropped,
    /// Also wanted when bitcode becomes an object.
    Codegen,
    /// Wanted only then: clang complains about flags for an assembler that does not run.
    Assembler,
    /// The file is a libc model (our own build only).
    LibcModel,
    /// Checks of arithmetic to compile in.
    Checks,
    Other,
}

/// The flag by which the build of `models/` says what it compiles; clang never sees it.
pub const LIBC_MODEL: &str = "-foffshoot-libc-model";

/// The flag that compiles in checks for `offshoot check`; clang never sees it either.
pub const CHECKS: &str = "-foffshoot-checks=";

/// The checks, and what clang calls them. Its conditions become decisions like all others.
const SANITIZERS: [(&str, &str); 3] = [
    ("overflow", "signed-integer-overflow"),
    ("shift", "shift"),
    ("conversion", "implicit-integer-truncation,implicit-integer-sign-change"),
];

/// The list of [`CHECKS`] in clang's words.
pub fn sanitizers(list: &str) -> Result<Vec<&'static str>, UnknownCheck> {
    let known = |name: &str| SANITIZERS.iter().find(|(ours, _)| *ours == name).map(|(_, theirs)| *theirs);
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(|name| known(name).ok_or_else(|| UnknownCheck { name: name.to_owned() })).collect()
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{CHECKS}{name}: there are overflow, shift and conversion")]
pub struct UnknownCheck {
    name: String,
}

/// Flags whose argument is the next word. (`-ofile`, `-xc` and the like are joined and need no entry.)
#[rustfmt::skip]
const SEPARATE: &[&str] = &[
    "-o", "-x", "-I", "-D", "-U", "-L", "-l", "-F", "-T", "-u", "-e", "-z", "-B", "-b", "-A", "-G", "-V", "-include",
    "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot",
    "-imultilib", "-iframework", "-iframeworkwithsysroot", "-ivfsoverlay", "-isystem-after", "-cxx-isystem",
    "-c-isystem", "-stdlib++-isystem", "-include-pch", "-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-Xclang",
    "-Xpreprocessor", "-Xassembler", "-Xanalyzer", "-Xopenmp-target", "-Xoffload-linker", "-Xparser",
    "-Xcuda-fatbinary", "-Xcuda-ptxas", "-mllvm", "-mthread-model", "-target", "-arch", "-framework", "-rpath",
    "-install_name", "-aux-info", "--param", "--sysroot", "--include", "--include-directory", "--define-macro",
    "--undefine-macro", "--library-directory", "--for-linker", "--output", "--language", "--config", "-dumpbase",
    "-dumpdir", "-wrapper", "-serialize-diagnostics", "--serialize-diagnostics", "-working-directory",
    "-resource-dir", "-Tbss", "-Tdata", "-Ttext", "-undefined", "-dyld-prefix", "-segaddr", "-Xarch_host",
    "-Xarch_device",
];

pub fn takes_argument(flag: &str) -> bool {
    SEPARATE.contains(&flag)
}

#[rustfmt::skip]
const QUERIES: &[&str] = &[
    "-E", "-S", "-M", "-MM", "-###", "--version", "-help", "-fsyntax-only", "-dumpversion", "-dumpfullversion",
    "-dumpmachine", "-dumpspecs", "-emit-llvm", "-emit-ast", "-emit-interface-stubs", "-emit-merged-ifs", "--analyze",
    "--precompile", "-verify-pch", "-module-file-info", "-fdriver-only", "-cc1", "-cc1as", "-ObjC", "-ObjC++",
    "--preprocess", "--assemble", "--dependencies", "--user-dependencies", "-extract-api", "--migrate",
    // The shadow memory is laid out for 64-bit pointers.
    "-m32", "-mx32", "-m16",
];

const QUERY_PREFIXES: &[&str] = &["-print-", "--print-", "--help", "--target-help", "-ccc-", "-fmodule-output"];

#[rustfmt::skip]
const DROPPED_PREFIXES: &[&str] = &[
    "-fsanitize", "-fno-sanitize", "-fprofile", "-fno-profile", "-fcoverage-mapping", "-fcoverage-mcdc", "-flto",
    "-fno-lto", "-ffat-lto-objects", "-fno-fat-lto-objects", "-fwhole-program-vtables", "-fxray", "-save-temps",
    "--save-temps", "-fcs-profile", "-fthinlto-index", "-fsplit-lto-unit", "-fauto-profile", "-fmemory-profile",
    "-fembed-bitcode",
];

#[rustfmt::skip]
const DROPPED: &[&str] = &[
    "--coverage", "-coverage", "-ftest-coverage", "-shared-libasan", "-static-libasan", "-shared-libsan",
    "-static-libsan", "-p", "-pg",
];

/// Back-end flags are listed, not guessed: a front-end flag on a bitcode input may fail or write a file of its own.
#[rustfmt::skip]
const CODEGEN_PREFIXES: &[&str] = &[
    "-m", "-fpic", "-fPIC", "-fpie", "-fPIE", "-fno-pic", "-fno-PIC", "-fno-pie", "-fno-PIE", "-ffunction-sections",
    "-fno-function-sections", "-fdata-sections", "-fno-data-sections", "-funique-", "-fno-unique-", "-ffp-contract",
    "-ffast-math", "-fno-fast-math", "-ffinite-math", "-funsafe-math", "-fno-unsafe-math", "-ffp-model",
    "-femulated-tls", "-fno-emulated-tls", "-ftls-model", "-fstack-size-section", "-fno-use-init-array",
    "-fuse-init-array", "-faddrsig", "-fno-addrsig", "-fomit-frame-pointer", "-fno-omit-frame-pointer",
    "-fasynchronous-unwind-tables", "-fno-asynchronous-unwind-tables", "-fno-plt", "-fsemantic-interposition",
    "-fno-semantic-interposition", "-fdirect-access-external-data", "-fno-direct-access-external-data", "--target=",
    "-fcf-protection", "-fexceptions", "-fno-exceptions", "-fstack-protector", "-fno-stack-protector",
    "-fstack-clash-protection",
];

const CODEGEN: &[&str] = &["-target", "-no-pie", "-nopie"];

pub fn kind(flag: &str) -> Kind {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| flag.starts_with(prefix));
    match flag {
        "-c" | "--compile" => Kind::CompileOnly,
        LIBC_MODEL => Kind::LibcModel,
        _ if flag.starts_with(CHECKS) => Kind::Checks,
        "--output" => Kind::Output,
        "--language" => Kind::Language,
        _ if QUERIES.contains(&flag) || starts(QUERY_PREFIXES) => Kind::Query,
        _ if DROPPED.contains(&flag) || starts(DROPPED_PREFIXES) => Kind::Dropped,
        _ if flag.starts_with("-o") && !flag.starts_with("-obj") => Kind::Output,
        _ if flag.starts_with("-x") => Kind::Language,
        _ if flag.starts_with("-O") => Kind::Level,
        _ if flag.starts_with("-g") && !flag.starts_with("-gen-") => Kind::Debug,
        _ if starts(&["-MD", "-MMD", "-MP", "-MG", "-MV", "-MF", "-MT", "-MQ"]) => Kind::Dependency,
        "-Xassembler" | "-fintegrated-as" | "-fno-integrated-as" | "-no-integrated-as" => Kind::Assembler,
        _ if flag.starts_with("-Wa,") => Kind::Assembler,
        _ if CODEGEN.contains(&flag) || starts(CODEGEN_PREFIXES) => Kind::Codegen,
        _ => Kind::Other,
    }
}

/// Is `-fsanitize=LIST` one that brings a `main` (libFuzzer's)?
pub fn is_fuzzer(flag: &str) -> bool {
    flag.strip_prefix("-fsanitize=").is_some_and(|list| list.split(',').any(|item| item == "fuzzer"))
}

/// Does the flag name another processor than this one?
pub fn is_foreign_target(flag: &str, argument: Option<&str>) -> bool {
    let triple = if flag == "-target" { argument } else { flag.strip_prefix("--target=") };
    triple.is_some_and(|triple| {
        let architecture = triple.split('-').next().unwrap_or_default();
        architecture != std::env::consts::ARCH && !(architecture == "amd64" && cfg!(target_arch = "x86_64"))
    })
}
