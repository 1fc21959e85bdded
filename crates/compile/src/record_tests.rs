use super::*;
use crate::Language;

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

/// Files named `ours*` hold our objects only, `mixed*` some, `shared*` are shared libraries of ours.
fn by_name(path: &Path) -> Carried {
    let name = path.file_name().unwrap().to_str().unwrap();
    match name.trim_start_matches("lib") {
        name if name.starts_with("ours") => Carried::Everything,
        name if name.starts_with("mixed") => Carried::Mixed,
        name if name.starts_with("shared") => Carried::SharedLibrary,
        _ => Carried::Nothing,
    }
}

/// The line of a variant of what `line` links; its rebuilt objects are `1.o` and `2.o`.
fn variant_of(line: &str) -> Reconstructed {
    let command = Command::parse(Language::C, &words(line));
    let made: Vec<_> =
        command.inputs().map(|input| (command.source(input) == Source::Code).then_some(Made::Unit)).collect();
    let recorded = record(&command, &made, &by_name);
    let objects = ["1.o", "2.o"].map(PathBuf::from);
    reconstruct(&recorded, &objects, |path| Ok::<_, ()>(format!("foreign-{}", path.display()).into())).unwrap()
}

#[test]
fn rebuilt_objects_take_the_place_of_ours() {
    for (line, expected) in [
        ("a.c b.c -o prog -lm", "1.o 2.o -lm"),
        ("ours.o foreign.o -o prog", "1.o 2.o foreign.o"),
        ("-O2 foreign.o ours1.o libx.a ours2.o libours.a -lm", "-O2 foreign.o 1.o 2.o libx.a -lm"),
        ("a.c start.S -DX -lm", "1.o 2.o start.S -DX -lm"),
        ("ours.o libmixed.a", "1.o 2.o foreign-libmixed.a"),
        ("ours.o -Wl,--whole-archive,libours.a,--no-whole-archive", "1.o 2.o -Wl,--whole-archive,--no-whole-archive"),
        (
            "ours.o -Wl,--whole-archive libours.a -Wl,--no-whole-archive",
            "1.o 2.o -Wl,--whole-archive -Wl,--no-whole-archive",
        ),
        ("ours.o -Wl,-Map=prog.map,--gc-sections", "1.o 2.o -Wl,--gc-sections"),
        ("ours.o -MD -flto -fsanitize=address -L lib -lz", "1.o 2.o -L lib -lz"),
        ("a.c -x assembler b.txt -o prog", "1.o 2.o -x assembler b.txt -x none"),
    ] {
        assert_eq!(variant_of(line).args, words(expected), "{line}");
    }
}

#[test]
fn shared_libraries_of_ours_stay_in_the_line() {
    let line = variant_of("ours.o ./libshared.so");
    assert_eq!(line.args, words("1.o 2.o ./libshared.so"));
}

#[test]
fn fuzzers_keep_their_main() {
    let line = variant_of("a.c -fsanitize=fuzzer");
    assert_eq!(line.args, words("1.o 2.o"));
    assert!(line.needs_fuzzer);
}

#[test]
fn libraries_are_looked_up_in_the_users_folders() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    for name in ["libours.a", "libmixed.a", "libshared.so", "libshared.a", "libplain.a"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    for (line, expected) in [
        (format!("x.o -L{path} -lours"), format!("x.o -L{path} 1.o 2.o")),
        (format!("x.o -L {path} -l ours -lm"), format!("x.o -L {path} 1.o 2.o -lm")),
        (format!("x.o -L{path} -lmixed"), format!("x.o -L{path} 1.o 2.o foreign-{path}/libmixed.a")),
        (format!("x.o -L{path} -lshared -lplain"), format!("x.o -L{path} -lshared -lplain")),
        (format!("x.o -L{path} -l:libours.a"), format!("x.o -L{path} 1.o 2.o")),
    ] {
        assert_eq!(variant_of(&line).args, words(&expected), "{line}");
    }
}

#[test]
fn a_source_without_bitcode_is_compiled_again() {
    let command = Command::parse(Language::C, &words("a.c b.c -DX"));
    let recorded = record(&command, &[Some(Made::Plain), Some(Made::Unit)], &by_name);
    assert_eq!(recorded, ["a.c", UNITS, "-DX"]);
}
