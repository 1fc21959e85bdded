//! Our ends of a run's output pipes.

use std::os::fd::OwnedFd;

use crate::outcome::Captured;

#[derive(Default)]
pub struct Streams {
    outputs: [Output; 2],
}

#[derive(Default)]
struct Output {
    pipe: Option<OwnedFd>,
    captured: Captured,
}

impl Streams {
    /// Pipes that do not block.
    pub fn new(stdout: Option<OwnedFd>, stderr: Option<OwnedFd>) -> Streams {
        Streams { outputs: [stdout, stderr].map(|pipe| Output { pipe, captured: Captured::default() }) }
    }

    /// Those that somebody may still write to.
    pub fn pipes(&self) -> impl Iterator<Item = &OwnedFd> {
        self.outputs.iter().filter_map(|output| output.pipe.as_ref())
    }

    /// Takes what is there, and keeps up to `capture` bytes of each stream. Whoever writes faster than this reads must not
    /// keep us from looking at the clock.
    pub fn drain(&mut self, capture: usize) {
        const AT_ONCE: usize = 64;
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

    /// Standard output and standard error.
    pub fn take(&mut self) -> [Captured; 2] {
        self.outputs.each_mut().map(|output| std::mem::take(&mut output.captured))
    }
}
