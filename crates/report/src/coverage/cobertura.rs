//! As Cobertura XML: a package is a folder, a class is a file. It has no time in it: the same runs give the same report.

use super::{Coverage, File, Function, Tally};
use crate::plot::escaped;
use std::collections::BTreeMap;
use std::fmt::Write;

const DOCTYPE: &str = "<!DOCTYPE coverage SYSTEM \"https://cobertura.sourceforge.net/xml/coverage-04.dtd\">";

pub fn cobertura(coverage: &Coverage) -> String {
    let mut out = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{DOCTYPE}\n");
    let (line, branch) = sums(&coverage.files);
    _ = writeln!(
        out,
        "<coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" branches-valid=\"{}\" \
         complexity=\"0\" timestamp=\"0\" version=\"offshoot {}\">",
        rates(line, branch),
        line.covered,
        line.total,
        branch.covered,
        branch.total,
        env!("CARGO_PKG_VERSION"),
    );
    out.push_str("  <sources>\n    <source>.</source>\n  </sources>\n  <packages>\n");
    let mut packages: BTreeMap<&str, Vec<&File>> = BTreeMap::new();
    for file in &coverage.files {
        packages.entry(folder_and_name(&file.path).0).or_default().push(file);
    }
    for (folder, files) in packages {
        let (line, branch) = sums(files.iter().copied());
        let (name, rates) = (escaped(&folder.replace('/', ".")), rates(line, branch));
        _ = writeln!(out, "    <package name=\"{name}\" {rates} complexity=\"0\">\n      <classes>");
        for file in files {
            class(&mut out, file);
        }
        out.push_str("      </classes>\n    </package>\n");
    }
    out.push_str("  </packages>\n</coverage>\n");
    out
}

fn class(out: &mut String, file: &File) {
    let name = folder_and_name(&file.path).1.replace('.', "_");
    let rates = rates(file.summary.line, file.summary.branch);
    _ = writeln!(
        out,
        "        <class name=\"{}\" filename=\"{}\" {rates} complexity=\"0\">\n          <methods>",
        escaped(&name),
        escaped(&file.path)
    );
    let branches = branches(file);
    for function in &file.functions {
        method(out, file, function, &branches);
    }
    out.push_str("          </methods>\n          <lines>\n");
    lines(out, file, &branches, (0, u32::MAX), "            ");
    out.push_str("          </lines>\n        </class>\n");
}

fn method(out: &mut String, file: &File, function: &Function, branches: &BTreeMap<u32, Vec<Tally>>) {
    let (name, rates) = (escaped(&function.name), rates(function.summary.line, function.summary.branch));
    _ = writeln!(out, "            <method name=\"{name}\" signature=\"\" {rates} complexity=\"0\">");
    out.push_str("              <lines>\n");
    lines(out, file, branches, (function.line, function.end_line), "                ");
    out.push_str("              </lines>\n            </method>\n");
}

fn lines(out: &mut String, file: &File, branches: &BTreeMap<u32, Vec<Tally>>, (from, to): (u32, u32), indent: &str) {
    for line in file.lines.iter().filter(|line| (from..=to).contains(&line.line)) {
        let (number, count) = (line.line, line.count);
        let Some(conditions) = branches.get(&number) else {
            _ = writeln!(out, "{indent}<line number=\"{number}\" hits=\"{count}\" branch=\"false\"/>");
            continue;
        };
        let all = conditions.iter().fold(Tally::default(), add);
        _ = writeln!(
            out,
            "{indent}<line number=\"{number}\" hits=\"{count}\" branch=\"true\" condition-coverage=\"{}% ({}/{})\">\n\
             {indent}  <conditions>",
            whole_percent(all),
            all.covered,
            all.total
        );
        for (position, condition) in conditions.iter().enumerate() {
            let share = whole_percent(*condition);
            _ = writeln!(out, "{indent}    <condition number=\"{position}\" type=\"jump\" coverage=\"{share}%\"/>");
        }
        _ = writeln!(out, "{indent}  </conditions>\n{indent}</line>");
    }
}

/// The outcomes of the conditions of each line.
fn branches(file: &File) -> BTreeMap<u32, Vec<Tally>> {
    let mut by_line: BTreeMap<u32, Vec<Tally>> = BTreeMap::new();
    for branch in &file.branches {
        let covered = u64::from(branch.true_count > 0) + u64::from(branch.false_count > 0);
        by_line.entry(branch.at.line).or_default().push(Tally { covered, total: 2 });
    }
    by_line
}

fn sums<'a>(files: impl IntoIterator<Item = &'a File>) -> (Tally, Tally) {
    files.into_iter().fold(Default::default(), |(line, branch), file| {
        (add(line, &file.summary.line), add(branch, &file.summary.branch))
    })
}

fn add(sum: Tally, one: &Tally) -> Tally {
    Tally { covered: sum.covered + one.covered, total: sum.total + one.total }
}

fn rates(line: Tally, branch: Tally) -> String {
    let rate = |tally: Tally| tally.percent() / 100.0;
    format!("line-rate=\"{:.4}\" branch-rate=\"{:.4}\"", rate(line), rate(branch))
}

fn whole_percent(tally: Tally) -> u64 {
    (100 * tally.covered).checked_div(tally.total).unwrap_or(100)
}

/// A folder without a name is the one of the report.
fn folder_and_name(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or((".", path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::example::example;
    use crate::page::tests::well_formed;

    #[test]
    fn it_is_xml_with_the_totals() {
        let coverage = example();
        let text = cobertura(&coverage);
        well_formed(&text);
        let Tally { covered, total } = coverage.totals.line;
        assert!(text.contains(&format!("lines-covered=\"{covered}\" lines-valid=\"{total}\"")), "{text}");
        let Tally { covered, total } = coverage.totals.branch;
        assert!(text.contains(&format!("branches-covered=\"{covered}\" branches-valid=\"{total}\"")), "{text}");
        assert_eq!(text.matches("<class ").count(), coverage.files.len());
        let functions: usize = coverage.files.iter().map(|file| file.functions.len()).sum();
        assert_eq!(text.matches("<method ").count(), functions);
    }

    #[test]
    fn packages_are_folders_and_classes_are_files() {
        let text = cobertura(&example());
        assert!(text.contains("<package name=\"src\" "), "{text}");
        assert!(text.contains("<package name=\".usr.include\" "), "{text}");
        assert!(text.contains("<class name=\"door_c\" filename=\"src/door.c\" "), "{text}");
        assert!(text.contains("filename=\"src/odd &lt;&amp;&quot;'&gt;.c\""), "{text}");
        assert_eq!(folder_and_name("a.c"), (".", "a.c"));
    }

    #[test]
    fn lines_have_their_conditions() {
        let text = cobertura(&example());
        let expected = "\
            <line number=\"8\" hits=\"43\" branch=\"true\" condition-coverage=\"50% (3/6)\">
              <conditions>
                <condition number=\"0\" type=\"jump\" coverage=\"100%\"/>
                <condition number=\"1\" type=\"jump\" coverage=\"50%\"/>
                <condition number=\"2\" type=\"jump\" coverage=\"0%\"/>
              </conditions>
            </line>
            <line number=\"9\" hits=\"3\" branch=\"false\"/>
";
        assert!(text.contains(expected), "{text}");
        // In its method and in its class.
        assert_eq!(text.matches("number=\"23\" hits=\"0\"").count(), 2, "{text}");
    }
}
