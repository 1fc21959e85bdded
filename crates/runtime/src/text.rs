//! Formatting without an allocator.

pub struct Text {
    bytes: [u8; 1024],
    len: usize,
}

impl Text {
    pub const fn new() -> Text {
        Text { bytes: [0; 1024], len: 0 }
    }

    pub fn write_to(&self, fd: i32) {
        unsafe { libc::write(fd, self.bytes.as_ptr().cast(), self.len) };
    }
}

impl core::fmt::Write for Text {
    /// What does not fit is cut off.
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let room = self.bytes.len() - self.len;
        let taken = text.len().min(room);
        self.bytes[self.len..self.len + taken].copy_from_slice(&text.as_bytes()[..taken]);
        self.len += taken;
        Ok(())
    }
}
