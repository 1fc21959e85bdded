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
    files(tests, about, |name, text| write(&to.join(name), text.as_bytes()))
}

pub fn archive(tests: &[Test], about: &Metadata, to: &Path) -> Result<Exported> {
    let file = File::create(to).map_err(failed("write", to))?;
    let mut zip = ZipWriter::new(file);
    // Equal tests give equal files: no time of day, no compressor's whims.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(zip::DateTime::default());
    let exported = files(tests, about, |name, text| {
        let started = zip.start_file(name, options).map_err(io::Error::from);
        started.and_then(|()| zip.write_all(text.as_bytes())).map_err(failed("write", to))
    })?;
    zip.finish().map_err(io::Error::from).map_err(failed("write", to))?;
    Ok(exported)
}

fn files(tests: &[Test], about: &Metadata, mut file: impl FnMut(&str, &str) -> Result<()>) -> Result<Exported> {
    let mut exported = Exported::default();
    file("metadata.xml", &metadata(about))?;
    let looks_for_error = about.specification.contains("@CALL(");
    for test in tests {
        let aborted = matches!(&test.expectation.status, Some(Expected { value: Status::Signaled(SIGABRT), .. }));
        match testcase(test.bytes.nondet(), looks_for_error && aborted) {
            Ok(text) => {
                exported.written += 1;
                file(&format!("testcase-{}.xml", exported.written), &text)?;
            }
            Err(why) => exported.leave_out(test, why),
        }
    }
    Ok(exported)
}
