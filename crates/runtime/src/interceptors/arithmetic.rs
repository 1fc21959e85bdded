//! What clang's checks of arithmetic call (`offshoot-cc -foffshoot-checks=…`). The condition in front of the call is a
//! decision like all others; the program goes on as it would without the check. In variant `asan` it may end here instead
//! (`crates/runtime/counters/served.c`).

use super::harness::harness;
use crate::tls::take_arguments;
use offshoot_trace::node::Handle;

harness! {
    __ubsan_handle_add_overflow_minimal, __off_w___ubsan_handle_add_overflow_minimal(), 0; |this, h| {}
    __ubsan_handle_sub_overflow_minimal, __off_w___ubsan_handle_sub_overflow_minimal(), 0; |this, h| {}
    __ubsan_handle_mul_overflow_minimal, __off_w___ubsan_handle_mul_overflow_minimal(), 0; |this, h| {}
    __ubsan_handle_negate_overflow_minimal, __off_w___ubsan_handle_negate_overflow_minimal(), 0; |this, h| {}
    __ubsan_handle_divrem_overflow_minimal, __off_w___ubsan_handle_divrem_overflow_minimal(), 0; |this, h| {}
    __ubsan_handle_shift_out_of_bounds_minimal, __off_w___ubsan_handle_shift_out_of_bounds_minimal(), 0; |this, h| {}
    __ubsan_handle_implicit_conversion_minimal, __off_w___ubsan_handle_implicit_conversion_minimal(), 0; |this, h| {}
}
