//! Terms. A [`Node`] is a bit vector of 1 to 128 bits; floats are their bit patterns.

/// Index of a node in the arena. 0 means "concrete", so the first real node has id 1.
pub type NodeId = u32;

/// A shadow cell or SSA shadow value: `id << 3 | byte`, where `byte` selects one byte of a term that was stored to
/// memory. As an SSA value `byte` is 0. 0 means concrete.
pub type Handle = u32;

pub const HANDLE_BYTE_BITS: u32 = 3;
pub const MAX_NODES: u32 = 1 << (32 - HANDLE_BYTE_BITS);

/// The operands are, depending on `flags`: nodes `a`, `b` (, `c`); or node `a` and the immediate `rest` as right
/// ([`IMM_RHS`]) or left ([`IMM_LHS`]) operand. An immediate has the width of the other operand and is zero-extended
/// to 64 bits; for widths over 64 it therefore only stands for values below 2^64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(C)]
pub struct Node {
    pub op: u8,
    /// Width of the value in bits.
    pub width: u8,
    pub flags: u8,
    /// `Read`, `Select`: number of bytes.
    pub aux: u8,
    pub a: u32,
    /// `b | c << 32`, or the immediate.
    pub rest: u64,
}

/// The right operand is `rest`.
pub const IMM_RHS: u8 = 1;
/// The left operand is `rest`, the right one is node `a`.
pub const IMM_LHS: u8 = 2;
/// The value depends on at least one input byte. (A `Pointer` is a constant, and so is what is computed from it.)
pub const HAS_INPUT: u8 = 4;

impl Node {
    #[inline]
    pub const fn b(&self) -> NodeId {
        self.rest as u32
    }
    #[inline]
    pub const fn c(&self) -> NodeId {
        (self.rest >> 32) as u32
    }
    #[inline]
    pub const fn pair(b: NodeId, c: NodeId) -> u64 {
        b as u64 | (c as u64) << 32
    }
    #[inline]
    pub const fn has_input(&self) -> bool {
        self.flags & HAS_INPUT != 0
    }
    #[inline]
    pub fn operation(&self) -> Option<Op> {
        Op::from_u8(self.op)
    }
}

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $text:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op { $($(#[$doc])* $name = $value,)* }

        impl Op {
            pub const ALL: &'static [Op] = &[$(Op::$name,)*];
            #[inline(always)]
            pub const fn from_u8(raw: u8) -> Option<Op> {
                match raw { $($value => Some(Op::$name),)* _ => None }
            }
            /// Short name, as printed in traces.
            pub const fn name(self) -> &'static str {
                match self { $(Op::$name => $text,)* }
            }
        }
    };
}

ops! {
    /// One input byte: source `a`, offset `rest`. Width 8.
    Byte = 1, "byte";
    /// The constant `rest`.
    Const = 2, "const";
    /// The address `rest` of object `a`, whose size is a term. A constant with a provenance. Width 64.
    Pointer = 3, "ptr";
    /// `aux` consecutive input bytes, little-endian, the lowest being the `Byte` node `a` (nodes `a..a+aux`).
    Read = 4, "read";
    /// `a` above `b`; the width is the sum.
    Concat = 5, "concat";
    /// `width` bits of `a` from bit `rest` on.
    Extract = 6, "extract";
    Zext = 7, "zext";
    Sext = 8, "sext";
    /// `a ? b : c`, `a` of width 1.
    Ite = 9, "ite";
    /// `aux` bytes, little-endian, of table `a` at byte offset `b` (a node of width 64). See `layout::TableEntry`.
    Select = 10, "select";

    Add = 16, "add";
    Sub = 17, "sub";
    Mul = 18, "mul";
    UDiv = 19, "udiv";
    SDiv = 20, "sdiv";
    URem = 21, "urem";
    SRem = 22, "srem";
    /// Shifts by the width or more are not defined in C; a term of that kind evaluates to 0 (`AShr`: the sign).
    Shl = 23, "shl";
    LShr = 24, "lshr";
    AShr = 25, "ashr";
    And = 26, "and";
    Or = 27, "or";
    Xor = 28, "xor";

    // Comparisons: the result has width 1, the operands have the width of node `a`.
    Eq = 32, "eq";
    Ne = 33, "ne";
    Ult = 34, "ult";
    Ule = 35, "ule";
    Slt = 36, "slt";
    Sle = 37, "sle";

    Ctpop = 48, "ctpop";
    Ctlz = 49, "ctlz";
    Cttz = 50, "cttz";
    Bswap = 51, "bswap";
    Bitreverse = 52, "bitreverse";

    // IEEE 754 single and double, round to nearest even. The width (32 or 64) says which.
    FAdd = 64, "fadd";
    FSub = 65, "fsub";
    FMul = 66, "fmul";
    FDiv = 67, "fdiv";
    FRem = 68, "frem";
    FSqrt = 69, "fsqrt";
    FFma = 70, "ffma";
    /// `llvm.minnum`: the other operand if one is a NaN.
    FMin = 71, "fmin";
    FMax = 72, "fmax";
    FFloor = 73, "ffloor";
    FCeil = 74, "fceil";
    FTrunc = 75, "ftrunc";
    /// To nearest, ties to even.
    FRint = 76, "frint";
    /// To nearest, ties away from zero.
    FRound = 77, "fround";
    // Float comparisons: width 1, operands of the width of node `a`. All others are put together from these.
    FOeq = 80, "foeq";
    FOlt = 81, "folt";
    FOle = 82, "fole";
    FUno = 83, "funo";
    // Conversions; the operand's width is that of node `a`.
    FToS = 88, "ftos";
    FToU = 89, "ftou";
    SToF = 90, "stof";
    UToF = 91, "utof";
    /// Between single and double.
    FToF = 92, "ftof";
}

impl Op {
    /// `a op b == b op a`
    pub const fn commutes(self) -> bool {
        matches!(
            self,
            Op::Add
                | Op::Mul
                | Op::And
                | Op::Or
                | Op::Xor
                | Op::Eq
                | Op::Ne
                | Op::FAdd
                | Op::FMul
                | Op::FOeq
                | Op::FUno
        )
    }

    /// The result has width 1 whatever the operands' width.
    pub const fn is_comparison(self) -> bool {
        matches!(
            self,
            Op::Eq | Op::Ne | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::FOeq | Op::FOlt | Op::FOle | Op::FUno
        )
    }

    /// Two operands `a` and `b` (or an immediate) of the same width.
    pub const fn is_binary(self) -> bool {
        let op = self as u8;
        self.is_comparison()
            || (op >= Op::Add as u8 && op <= Op::Xor as u8)
            || matches!(self, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMin | Op::FMax)
    }

    /// One operand `a`.
    pub const fn is_unary(self) -> bool {
        matches!(
            self,
            Op::Extract
                | Op::Zext
                | Op::Sext
                | Op::Ctpop
                | Op::Ctlz
                | Op::Cttz
                | Op::Bswap
                | Op::Bitreverse
                | Op::FSqrt
                | Op::FFloor
                | Op::FCeil
                | Op::FTrunc
                | Op::FRint
                | Op::FRound
                | Op::FToS
                | Op::FToU
                | Op::SToF
                | Op::UToF
                | Op::FToF
        )
    }

    /// The value is a float or the operands are.
    pub const fn is_float(self) -> bool {
        self as u8 >= Op::FAdd as u8
    }
}
