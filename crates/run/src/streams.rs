//! Our ends of a run's pipes.

use std::os::fd::OwnedFd;

use crate::outcome::Captured;

#[derive(Default)]
pub struct Streams {
    outputs: [Output; 2],
    input: Option<Feed>,
}

/// Whoever is faster than us must not keep us from looking at the clock: so many reads or writes in a row.
const AT_ONCE: usize = 64;

/// What a pipe could not take at once of a standard input.
pub struct Feed {
    /// Does not block.
    pipe: OwnedFd,
    bytes: Vec<u8>,
    written: usize,
}

impl Feed {
    pub fn new(pipe: OwnedFd, bytes: Vec<u8>) -> Feed {
        Feed { pipe, bytes, written: 0 }
    }

    /// As much as there is room for; false at the end, when all is written or nobody is left to read it (the tool ignores
    /// SIGPIPE, as all Rust programs do).
    fn write(&mut self) -> bool {
        for _ in 0..AT_ONCE {
            match rustix::io::write(&self.pipe, &self.bytes[self.written..]) {
                Ok(len) => self.written += len,
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => return true,
                Err(_) => return false,
            }
            if self.written == self.bytes.len() {
                return false;
            }
        }
        true
    }
}

#[derive(Default)]
struct Output {
    pipe: Option<OwnedFd>,
    captured: Captured,
}

impl Streams {
    /// Pipes that do not block.
    pub fn new(input: Option<Feed>, stdout: Option<OwnedFd>, stderr: Option<OwnedFd>) -> Streams {
        Streams { outputs: [stdout, stderr].map(|pipe| Output { pipe, captured: Captured::default() }), input }
    }

    /// Those that somebody may still write to.
    pub fn pipes(&self) -> impl Iterator<Item = &OwnedFd> {
        self.outputs.iter().filter_map(|output| output.pipe.as_ref())
    }

    /// The one that still has something to be written to it.
    pub fn input(&self) -> Option<&OwnedFd> {
        self.input.as_ref().map(|feed| &feed.pipe)
    }

    pub fn feed(&mut self) {
        if self.input.as_mut().is_some_and(|feed| !feed.write()) {
            self.input = None;
        }
    }

    /// Takes what is there, and keeps up to `capture` bytes of each stream.
    pub fn drain(&mut self, capture: usize) {
        let mut buffer = [0u8; 1 << 14];
        for output in &mut self.outputs {
            for _ in 0..AT_ONCE {
                let Some(pipe) = &output.pipe else { break };
                match rustix::io::read(pipe, &mut buffer) {
                    Ok(0) => output.pipe = None,
                    Ok(len) => {
                        let room = capture.saturating_sub(output.captured.bytes.len());
                        output.captured.bytes.extend_from_slice(&buffer[..len.min(room)]);
                        output.captured.total += len as u64;
                        if len < buffer.len() {
                            break;
                        }
                    }
                    Err(rustix::io::Errno::INTR) => {}
                    Err(_) => break,
                }
            }
        }
    }

    pub fn total(&self) -> u64 {
        self.outputs.iter().map(|output| output.captured.total).sum()
    }

    /// Standard output and standard error. The run is over: nobody reads its standard input any more.
    pub fn take(&mut self) -> [Captured; 2] {
        self.input = None;
        self.outputs.each_mut().map(|output| std::mem::take(&mut output.captured))
    }
}
