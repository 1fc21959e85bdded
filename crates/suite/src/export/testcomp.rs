//! Test-Comp: a folder, or the zip file that TestCov takes.

use super::Exported;
use crate::error::{Result, failed, write};
use crate::test::{Expected, Status, Test};
use crate::testcomp::{Metadata, metadata, testcase};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

/// `abort`, which is how a harness of ours ends where it must not get.
const SIGABRT: i32 = 6;

pub fn folder(tests: &[Test], about: &Metadata, to: &Path) -> Result<Exported> {
    let (exported, files) = files(tests, about);
    files.iter().try_for_each(|(name, text)| write(&to.join(name), text.as_bytes()))?;
    Ok(exported)
}

pub fn archive(tests: &[Test], about: &Metadata, to: &Path) -> Result<Exported> {
    let (exported, files) = files(tests, about);
    if files.is_empty() {
        return Ok(exported);
    }
    let file = File::create(to).map_err(failed("write", to))?;
    let mut zip = ZipWriter::new(file);
    // Equal tests give equal files: no time of day, no compressor's whims.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(zip::DateTime::default());
    for (name, text) in files {
        let started = zip.start_file(name, options).map_err(io::Error::from);
        started.and_then(|()| zip.write_all(text.as_bytes())).map_err(failed("write", to))?;
    }
    zip.finish().map_err(io::Error::from).map_err(failed("write", to))?;
    Ok(exported)
}

/// Names and texts; none if there is no test for them.
fn files(tests: &[Test], about: &Metadata) -> (Exported, Vec<(String, String)>) {
    let mut exported = Exported::default();
    let mut files = Vec::new();
    let looks_for_error = about.specification.contains("@CALL(");
    for test in tests {
        let aborted = matches!(&test.expectation.status, Some(Expected { value: Status::Signaled(SIGABRT), .. }));
        match testcase(test.bytes.nondet(), looks_for_error && aborted) {
            Ok(text) if exported.holds_values(test, |_| true) => {
                exported.written += 1;
                files.push((format!("testcase-{}.xml", exported.written), text));
            }
            Ok(_) => {}
            Err(why) => exported.leave_out(test, why),
        }
    }
    if !files.is_empty() {
        files.insert(0, ("metadata.xml".to_owned(), metadata(about)));
    }
    (exported, files)
}
