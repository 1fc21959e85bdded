//! Room for paths that is on nobody's stack: a thread may have 16 KiB for everything.

use crate::log::Text;
use crate::sys::{PATH_SIZE, Pages};
use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicBool, Ordering};

pub struct Space {
    pub path: Text,
    pub other: Text,
    pub along: Text,
    pub bytes: [u8; PATH_SIZE],
}

struct Place {
    is_taken: AtomicBool,
    space: UnsafeCell<Space>,
}

unsafe impl Sync for Place {}

/// Threads, and signal handlers on top of them, that are here at the same time. Who comes later gets pages of its own.
static PLACES: [Place; 4] = [const {
    let space = Space { path: Text::new(), other: Text::new(), along: Text::new(), bytes: [0; PATH_SIZE] };
    Place { is_taken: AtomicBool::new(false), space: UnsafeCell::new(space) }
}; 4];

/// What is in it when it is taken is anybody's.
pub struct Room {
    space: *mut Space,
    owner: Owner,
}

enum Owner {
    Place(&'static AtomicBool),
    /// Which go when it goes.
    Pages {
        _pages: Pages,
    },
}

impl Room {
    pub fn take() -> Option<Room> {
        let is_free = |place: &&Place| !place.is_taken.swap(true, Ordering::Acquire);
        if let Some(place) = PLACES.iter().find(is_free) {
            return Some(Room { space: place.space.get(), owner: Owner::Place(&place.is_taken) });
        }
        let mut pages = Pages::new(size_of::<Space>())?;
        // Zeroes are empty texts.
        Some(Room { space: pages.bytes().as_mut_ptr().cast(), owner: Owner::Pages { _pages: pages } })
    }
}

impl Deref for Room {
    type Target = Space;

    fn deref(&self) -> &Space {
        unsafe { &*self.space }
    }
}

impl DerefMut for Room {
    fn deref_mut(&mut self) -> &mut Space {
        unsafe { &mut *self.space }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if let Owner::Place(is_taken) = self.owner {
            is_taken.store(false, Ordering::Release);
        }
    }
}
