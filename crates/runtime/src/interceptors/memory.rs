//! memcpy and its family: bytes and shadows move together.

use crate::intercept;
use crate::memory::{__off_memmove_shadow, __off_memset_shadow};
use crate::tls::{set_result, take_arguments, tls};
use core::ffi::c_void;
use offshoot_trace::node::Handle;

fn copy_shadow(to: *mut c_void, from: *const c_void, size: usize, handles: [Handle; 3]) {
    let [h_to, h_from, h_size] = handles;
    __off_memmove_shadow(to as u64, from as u64, size as u64, h_to, h_from, h_size, tls().call_site);
}

intercept! {
    fn __off_w_memcpy(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void = libc::memcpy; |this| {
        let handles = take_arguments(this);
        copy_shadow(to, from, size, handles);
        set_result(this, handles[0]);
        libc::memcpy(to, from, size)
    }
}

intercept! {
    fn __off_w_memmove(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void = libc::memmove; |this| {
        let handles = take_arguments(this);
        copy_shadow(to, from, size, handles);
        set_result(this, handles[0]);
        libc::memmove(to, from, size)
    }
}

unsafe extern "C" {
    fn mempcpy(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void;
    fn bcopy(from: *const c_void, to: *mut c_void, size: usize);
    fn bzero(to: *mut c_void, size: usize);
    fn explicit_bzero(to: *mut c_void, size: usize);
    fn __memcpy_chk(to: *mut c_void, from: *const c_void, size: usize, room: usize) -> *mut c_void;
    fn __memmove_chk(to: *mut c_void, from: *const c_void, size: usize, room: usize) -> *mut c_void;
    fn __mempcpy_chk(to: *mut c_void, from: *const c_void, size: usize, room: usize) -> *mut c_void;
    fn __memset_chk(to: *mut c_void, value: i32, size: usize, room: usize) -> *mut c_void;
}

intercept! {
    fn __off_w_mempcpy(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void = mempcpy; |this| {
        copy_shadow(to, from, size, take_arguments(this));
        mempcpy(to, from, size)
    }
}

intercept! {
    fn __off_w_bcopy(from: *const c_void, to: *mut c_void, size: usize) = bcopy; |this| {
        let [h_from, h_to, h_size] = take_arguments(this);
        copy_shadow(to, from, size, [h_to, h_from, h_size]);
        bcopy(from, to, size)
    }
}

intercept! {
    fn __off_w___memcpy_chk(to: *mut c_void, from: *const c_void, size: usize, room: usize) -> *mut c_void = __memcpy_chk; |this| {
        copy_shadow(to, from, size, take_arguments(this));
        __memcpy_chk(to, from, size, room)
    }
}

intercept! {
    fn __off_w___memmove_chk(to: *mut c_void, from: *const c_void, size: usize, room: usize) -> *mut c_void = __memmove_chk; |this| {
        copy_shadow(to, from, size, take_arguments(this));
        __memmove_chk(to, from, size, room)
    }
}

intercept! {
    fn __off_w___mempcpy_chk(to: *mut c_void, from: *const c_void, size: usize, room: usize) -> *mut c_void = __mempcpy_chk; |this| {
        copy_shadow(to, from, size, take_arguments(this));
        __mempcpy_chk(to, from, size, room)
    }
}

fn set_shadow(to: *mut c_void, value: i32, size: usize, handles: [Handle; 3]) {
    let [h_to, h_value, h_size] = handles;
    __off_memset_shadow(to as u64, value as u64, size as u64, h_to, h_value, h_size, tls().call_site);
}

intercept! {
    fn __off_w_memset(to: *mut c_void, value: i32, size: usize) -> *mut c_void = libc::memset; |this| {
        let handles = take_arguments(this);
        set_shadow(to, value, size, handles);
        set_result(this, handles[0]);
        libc::memset(to, value, size)
    }
}

intercept! {
    fn __off_w___memset_chk(to: *mut c_void, value: i32, size: usize, room: usize) -> *mut c_void = __memset_chk; |this| {
        set_shadow(to, value, size, take_arguments(this));
        __memset_chk(to, value, size, room)
    }
}

intercept! {
    fn __off_w_bzero(to: *mut c_void, size: usize) = bzero; |this| {
        let [h_to, h_size] = take_arguments(this);
        set_shadow(to, 0, size, [h_to, 0, h_size]);
        bzero(to, size)
    }
}

intercept! {
    fn __off_w_explicit_bzero(to: *mut c_void, size: usize) = explicit_bzero; |this| {
        let [h_to, h_size] = take_arguments(this);
        set_shadow(to, 0, size, [h_to, 0, h_size]);
        explicit_bzero(to, size)
    }
}
