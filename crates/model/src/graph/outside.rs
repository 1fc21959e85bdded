//! Where control leaves the graph, and where it may come back: what the path filter must not overlook.
//!
//! Distances guess here (`link`): a search that guesses wrong only looks in another place first. Who drops candidates for
//! good needs more than the truth. So a call that leaves the graph, and one through a pointer, may call every function
//! whose address is taken anywhere, whatever its type, and in a program that uses `setjmp` may end up behind each of
//! those.
//!
//! Not seen: a function that is called by its name, and only from code that the model does not have.

use fixedbitset::FixedBitSet;

/// Functions of libc that neither call anything of the program nor jump.
const LEAVES: &[&str] = &[
    "_exit",
    "_Exit",
    "__assert_fail",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "__errno_location",
    "abort",
    "access",
    "atof",
    "atoi",
    "atol",
    "calloc",
    "clearerr",
    "close",
    "fclose",
    "fdopen",
    "feof",
    "ferror",
    "fflush",
    "fgetc",
    "fgets",
    "fileno",
    "fopen",
    "fprintf",
    "fputc",
    "fputs",
    "fread",
    "free",
    "fseek",
    "fseeko",
    "fstat",
    "ftell",
    "ftello",
    "fwrite",
    "getc",
    "getchar",
    "getenv",
    "gettimeofday",
    "isalnum",
    "isalpha",
    "isatty",
    "isdigit",
    "isspace",
    "lseek",
    "malloc",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "mmap",
    "munmap",
    "open",
    "perror",
    "printf",
    "putc",
    "putchar",
    "puts",
    "read",
    "realloc",
    "rewind",
    "setlocale",
    "setvbuf",
    "snprintf",
    "sprintf",
    "sscanf",
    "stat",
    "strcasecmp",
    "strchr",
    "strcmp",
    "strcpy",
    "strdup",
    "strerror",
    "strlen",
    "strncasecmp",
    "strncmp",
    "strncpy",
    "strrchr",
    "strstr",
    "strtod",
    "strtol",
    "strtoul",
    "time",
    "tolower",
    "toupper",
    "ungetc",
    "vfprintf",
    "vprintf",
    "vsnprintf",
    "vsprintf",
    "write",
];
/// With one of these the streams of libc call back.
const HOOKS: &[&str] = &["fopencookie", "register_printf_function", "register_printf_specifier"];
/// May return a second time.
const LANDINGS: &[&str] = &["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "getcontext", "swapcontext"];
const EXCEPTIONS: &[&str] = &["__cxa_throw", "__cxa_rethrow", "__cxa_begin_catch", "_Unwind_Resume"];
const SIGNALS: &[&str] = &["signal", "sigaction", "bsd_signal", "sysv_signal", "sigset", "timer_create"];
const THREADS: &[&str] = &["pthread_create", "thrd_create", "clone"];

#[derive(Debug, Default)]
pub struct Outside {
    /// By block: it calls something outside that may call back or jump, or it calls through a pointer.
    pub leaves: FixedBitSet,
    /// By block: a jump may land there.
    pub lands: FixedBitSet,
    /// By function: its address is taken.
    pub escaped: FixedBitSet,
    /// Handlers run whenever they like.
    pub signals: bool,
    /// What one thread decides may show in another, wherever that is.
    pub threads: bool,
    /// Anything may be behind anything that leaves.
    pub exceptions: bool,
    hooks: bool,
    /// Blocks that leave the graph only to a leaf.
    to_leaves: Vec<usize>,
}

impl Outside {
    /// `block` calls a function that has no definition in the graph.
    pub fn call(&mut self, block: usize, name: &str) {
        let asks_for_input = name.starts_with("offshoot_") || name.starts_with("__VERIFIER_");
        if asks_for_input || LEAVES.contains(&name) {
            self.to_leaves.push(block);
        } else {
            self.leave(block);
        }
        if LANDINGS.contains(&name) {
            self.lands.grow_and_insert(block);
        }
        self.hooks |= HOOKS.contains(&name);
        self.signals |= SIGNALS.contains(&name);
        self.threads |= THREADS.contains(&name);
        self.exceptions |= EXCEPTIONS.contains(&name);
    }

    pub fn leave(&mut self, block: usize) {
        self.leaves.grow_and_insert(block);
    }

    pub fn escape(&mut self, function: u32) {
        self.escaped.grow_and_insert(function as usize);
    }

    /// All calls are known.
    pub fn close(mut self) -> Outside {
        let to_leaves = std::mem::take(&mut self.to_leaves);
        if self.hooks {
            to_leaves.into_iter().for_each(|block| self.leave(block));
        }
        self
    }
}
