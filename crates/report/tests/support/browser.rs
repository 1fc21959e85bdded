//! Pages in headless Chromium. Tests of other crates use it, too.

use super::dom::{Element, elements};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// What the browser makes of a page, after its scripts.
pub fn opened(page: &Path) -> String {
    let profile = tempfile::tempdir().expect("a folder for the browser");
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync", "--dump-dom"])
        .args(["--virtual-time-budget=2000", "--timeout=60000"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("chromium starts; `make test` installs it");
    let text = String::from_utf8(output.stdout).expect("a page is UTF-8");
    assert!(output.status.success() && text.contains("</html>"), "{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// Writes a site and names its pages.
pub fn written(site: Vec<(String, String)>) -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder for the report");
    let mut pages = Vec::new();
    for (path, text) in site {
        let target = folder.path().join(&path);
        std::fs::create_dir_all(target.parent().expect("is in the folder")).expect("can be made");
        std::fs::write(target, text).expect("can be written");
        if path.ends_with(".html") {
            pages.push(path);
        }
    }
    (folder, pages)
}

/// Every link leads to a file and a place in it, and every page is linked.
pub fn links_lead_somewhere(folder: &Path, doms: &BTreeMap<&str, Vec<Element>>) {
    let ids: BTreeMap<&str, BTreeSet<&str>> =
        doms.iter().map(|(page, dom)| (*page, dom.iter().filter_map(|element| element.get("id")).collect())).collect();
    let mut linked = BTreeSet::new();
    for (page, dom) in doms {
        for element in dom {
            if let Some(target) = element.get("popovertarget") {
                assert!(ids[page].contains(target), "{target} in {page}");
            }
            let Some(link) = element.get("href") else { continue };
            let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
            let base = page.rsplit_once('/').map(|(base, _)| format!("{base}/")).unwrap_or_default();
            let path = match path.strip_prefix("../") {
                Some(path) => path.to_owned(),
                None if path.is_empty() => (*page).to_owned(),
                None => format!("{base}{path}"),
            };
            assert!(folder.join(&path).is_file(), "{link} in {page}");
            assert!(fragment.is_empty() || ids[path.as_str()].contains(fragment), "{link} in {page}");
            linked.insert(path);
        }
    }
    assert!(doms.keys().all(|page| linked.contains(*page)), "{linked:?}");
}

/// No page is wider than a telephone. Each says to the page around it how wide it is. (A window cannot be this narrow, a
/// frame can.)
pub fn fit_a_telephone(folder: &Path, pages: &[String]) {
    let mut around = String::from("<!DOCTYPE html><html><body><script>addEventListener('message', event => {");
    around += "let p = document.createElement('p'); p.setAttribute('data-page', event.data.page);";
    around += "p.setAttribute('data-width', event.data.width); document.body.append(p); })</script>";
    for page in pages {
        let path = folder.join(page);
        let text = std::fs::read_to_string(&path).expect("was written");
        // With all there is to see.
        let text = text.replace("<details", "<details open=\"open\"");
        let say = format!(
            "<script>parent.postMessage({{page: '{page}', width: document.documentElement.scrollWidth}}, '*')</script>"
        );
        std::fs::write(&path, text.replace("</body>", &format!("{say}</body>"))).expect("can be written");
        around += &format!("<iframe src=\"{page}\" width=\"360\" height=\"640\" style=\"border:0\"></iframe>");
    }
    let path = folder.join("around.html");
    std::fs::write(&path, around + "</body></html>").expect("can be written");
    let dom = elements(&opened(&path));
    let widths: BTreeMap<&str, u64> =
        dom.iter().filter_map(|element| Some((element.get("data-page")?, element.number("data-width")))).collect();
    assert_eq!(widths.len(), pages.len(), "{widths:?}");
    assert!(widths.values().all(|width| *width == 360), "{widths:?}");
}
