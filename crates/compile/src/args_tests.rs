use super::*;

fn parse(line: &str) -> Command {
    Command::parse(Language::C, &words(line))
}

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

#[test]
fn what_is_asked_for() {
    for (line, expected) in [
        ("-c a.c", Action::Compile),
        ("a.c", Action::Link),
        ("a.o b.o -o prog", Action::Link),
        ("-lfoo -o prog", Action::Link),
        ("-shared a.o -o libx.so", Action::Link),
        ("-v a.c", Action::Link),
        ("a.s b.o -o prog", Action::Link),
        // Only asks, or makes something else than an object.
        ("", Action::Query),
        ("-v", Action::Query),
        ("--version", Action::Query),
        ("-E a.c", Action::Query),
        ("-S a.c -o a.s", Action::Query),
        ("-M a.c", Action::Query),
        ("-MM -MF x.d a.c", Action::Query),
        ("-### -c a.c", Action::Query),
        ("-print-prog-name=ld", Action::Query),
        ("--print-search-dirs", Action::Query),
        ("-print-multi-os-directory", Action::Query),
        ("-dumpmachine", Action::Query),
        ("-fsyntax-only a.c", Action::Query),
        ("-c -emit-llvm a.c", Action::Query),
        ("-c -Xclang -emit-pch a.c", Action::Query),
        ("-m32 -c a.c", Action::Query),
        ("--target=mips64-linux-gnu -c a.c", Action::Query),
        // No C in it: clang's.
        ("-c a.s", Action::Query),
        ("-c a.S -o a.o", Action::Query),
        ("-c a.h", Action::Query),
        ("-x assembler -c a.c", Action::Query),
        ("-x c-header a.h -o a.h.gch -c", Action::Query),
        // clang's error.
        ("-c a.c b.c -o x.o", Action::Query),
    ] {
        assert_eq!(parse(line).action, expected, "{line}");
    }
}

#[test]
fn arguments_of_flags_are_not_inputs() {
    for (line, inputs) in [
        ("-c -o out.o -I inc -include cfg.h -MF a.d -MT a.lo a.c", vec!["a.c"]),
        ("-D X.c -U Y.c -L lib -l m -Xlinker z.o a.c", vec!["a.c"]),
        ("-oout.o -Iinc -DX a.c -Wl,-rpath,b.c", vec!["a.c"]),
        ("-isystem x.c -idirafter y.c -T script.ld a.o", vec!["a.o"]),
        ("-x c - -o prog", vec!["-"]),
        ("-mllvm x.c --param y.c -target x86_64-linux-gnu a.c", vec!["a.c"]),
        ("-c -- -odd.c", vec!["-odd.c"]),
    ] {
        let command = parse(line);
        let found: Vec<_> = command.inputs().map(|input| input.path.to_str().unwrap()).collect();
        assert_eq!(found, inputs, "{line}");
    }
}

#[test]
fn language_follows_the_last_x() {
    let command = parse("-x c a.txt -x none b.txt -xassembler c.c -xc++ -");
    let sources: Vec<_> = command.inputs().map(|input| command.source(input)).collect();
    assert_eq!(sources, [Source::Code, Source::Linker, Source::Foreign, Source::Code]);
}

#[test]
fn optimisation_level_is_the_last_and_at_least_one() {
    for (line, user, working) in [
        ("-c a.c", '0', "-O1"),
        ("-O0 -c a.c", '0', "-O1"),
        ("-O -c a.c", '1', "-O"),
        ("-O2 -O0 -c a.c", '0', "-O1"),
        ("-O0 -O3 -c a.c", '3', "-O3"),
        ("-Og -c a.c", '1', "-Og"),
        ("-Os -c a.c", 's', "-Os"),
        ("-Oz -c a.c", 'z', "-Oz"),
        ("-Ofast -c a.c", '3', "-Ofast"),
        ("-O6 -c a.c", '3', "-O6"),
    ] {
        let command = parse(line);
        assert_eq!((command.opt_level(), command.working_level()), (user, working), "{line}");
    }
}

#[test]
fn debug_information_is_kept_when_asked_for() {
    for (line, expected) in
        [("", false), ("-g", true), ("-g -g0", false), ("-ggdb3", true), ("-gdwarf-4", true), ("-gz", false)]
    {
        assert_eq!(parse(&format!("{line} -c a.c")).debug, expected, "{line}");
    }
}

#[test]
fn dependencies_are_named_after_the_users_output() {
    for (line, expected) in [
        ("-c dir/a.c", ""),
        ("-MD -c dir/a.c", "-MD -MF a.d -MQ a.o"),
        ("-MMD -c dir/a.c -o out/b.o", "-MMD -MF out/b.d -MQ out/b.o"),
        ("-MD -MP -MF x.Tpo -MT a.lo -c a.c -o .libs/a.o", "-MD -MP -MF x.Tpo -MT a.lo"),
        ("-MD -MFx.d -c a.c -o a.o", "-MD -MFx.d -MQ a.o"),
        ("-Wp,-MMD,dep.d -c a.c -o a.o", "-MMD -MF dep.d -MQ a.o"),
        ("-MP -c a.c", ""),
        ("-MD a.c -o prog", "-MD -MF prog.d -MQ prog"),
    ] {
        let command = parse(line);
        let input = command.inputs().next().unwrap().clone();
        assert_eq!(command.dependency_flags(&input), words(expected), "{line}");
    }
}

#[test]
fn what_cannot_live_with_us_is_dropped() {
    let command = parse("-c a.c -flto=thin -fsanitize=address,fuzzer -fprofile-arcs --coverage -pg -fno-common");
    assert_eq!(command.words(|kind| kind != Kind::Dropped), words("-fno-common"));
    assert!(command.fuzzer);
    assert!(!parse("-c a.c -fsanitize=fuzzer-no-link").fuzzer);
}

#[test]
fn kinds_of_link() {
    for (line, shared, relocatable) in [
        ("a.o", false, false),
        ("-shared a.o", true, false),
        ("-r a.o", false, true),
        ("-nostdlib -Wl,-r a.o", false, true),
        ("-Xlinker -r a.o", false, true),
        ("-Wl,-shared a.o", true, false),
        ("-rdynamic a.o", false, false),
    ] {
        let command = parse(line);
        assert_eq!((command.shared, command.relocatable), (shared, relocatable), "{line}");
    }
}

#[test]
fn back_end_gets_target_flags_only() {
    let command = parse("-c a.c -Iinc -DX -Wall -fPIC -march=native -ffunction-sections -std=c99 -mllvm -x");
    let expected = "-fPIC -march=native -ffunction-sections -mllvm -x";
    assert_eq!(command.words(|kind| kind == Kind::Codegen), words(expected));
}
