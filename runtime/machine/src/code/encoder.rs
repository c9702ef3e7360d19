//! Bytes of instructions of the x86-64 family, with AVX encodings.
//!
//! Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2: the VEX prefix is in section 2.3, the
//! opcodes in chapters 3 to 6.

/// A vector register of the processor, 0 to 15.
pub type Register = u8;

/// Number of vector registers.
pub const REGISTERS: usize = 16;

/// Numbers that are worked on together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// One number.
    One,
    /// Lanes of four.
    Four,
}

impl Width {
    /// Returns the length of a place in bytes.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::One => 8,
            Self::Four => 32,
        }
    }
}

/// The last operand of an instruction.
#[derive(Debug, Clone, Copy)]
pub enum Operand {
    /// A register.
    Register(Register),
    /// A number in memory.
    At(Address),
    /// A constant.
    Constant(Constant),
}

/// A number in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    /// The array; `None` for the numbers of the sequence.
    pub array: Option<u8>,
    /// The position in it.
    pub offset: u32,
}

/// Constants at the beginning of the code, four times each.
#[derive(Debug, Clone, Copy)]
pub enum Constant {
    /// The bit of the sign.
    Sign,
    /// All bits but that of the sign.
    Magnitude,
    /// All bits.
    True,
}

/// Operations of two arguments, with the opcodes of the manual.
#[derive(Debug, Clone, Copy)]
#[repr(u8)]
pub enum Arithmetic {
    /// The root of the second argument.
    Sqrt = 0x51,
    /// Sum.
    Add = 0x58,
    /// Product.
    Multiply = 0x59,
    /// Difference.
    Subtract = 0x5c,
    /// Quotient.
    Divide = 0x5e,
}

/// Operations on bits.
#[derive(Debug, Clone, Copy)]
#[repr(u8)]
pub enum Bits {
    /// Bits of both.
    And = 0x54,
    /// Bits of any.
    Or = 0x56,
    /// Bits of one of them.
    Xor = 0x57,
}

/// Comparisons, by the number of the ordered and quiet predicate.
#[derive(Debug, Clone, Copy)]
#[repr(u8)]
pub enum Comparison {
    /// a = b
    Equal = 0x00,
    /// a < b
    Less = 0x11,
    /// a <= b
    LessEqual = 0x12,
}

/// Opcode maps of the VEX prefix.
#[derive(Clone, Copy, PartialEq)]
enum Map {
    Of0F = 1,
    Of0F38 = 2,
    Of0F3A = 3,
}

/// Mandatory prefixes.
#[derive(Clone, Copy)]
enum Prefix {
    Packed = 1,
    Scalar = 3,
}

/// An opcode with what the VEX prefix says of it.
#[derive(Clone, Copy)]
struct Opcode {
    byte: u8,
    map: Map,
    prefix: Prefix,
    is_wide: bool,
}

/// Code in the making.
#[derive(Debug)]
pub struct Encoder {
    /// The bytes.
    pub bytes: Vec<u8>,
    width: Width,
    /// True for code with calls, whose numbers and arrays are in registers that functions keep.
    has_calls: bool,
    /// The arrays of which the general registers of [`POINTERS`] hold the address.
    pointers: [Option<u8>; POINTERS.len()],
    /// The register that is given up next.
    oldest: usize,
}

/// General registers by their numbers.
mod general {
    pub const RBX: u8 = 3;
    pub const RBP: u8 = 5;
    pub const RSI: u8 = 6;
    pub const RDI: u8 = 7;
}

/// General registers that hold addresses of arrays: rax, rcx, r8 to r11, which a callee may change.
const POINTERS: [u8; 6] = [0, 1, 8, 9, 10, 11];

impl Encoder {
    /// Begins code with its constants.
    pub fn new(width: Width) -> Self {
        let constants = [1 << 63, u64::MAX >> 1, u64::MAX];
        let bytes = constants.into_iter().flat_map(|constant| [constant; 4]).flat_map(u64::to_le_bytes);
        Self { bytes: bytes.collect(), width, has_calls: false, pointers: [None; _], oldest: 0 }
    }

    /// Begins a function of the numbers, the addresses of the arrays, and the context of calls.
    pub fn begin(&mut self, has_calls: bool) {
        self.has_calls = has_calls;
        if has_calls {
            // push rbx, rbp, r13, after which the stack is aligned; mov rbx, rdi; mov rbp, rsi; mov r13, rdx
            self.bytes.extend([0x53, 0x55, 0x41, 0x55, 0x48, 0x89, 0xfb, 0x48, 0x89, 0xf5, 0x49, 0x89, 0xd5]);
        }
    }

    /// Ends the function.
    pub fn end(&mut self) {
        self.leave_upper_halves();
        if self.has_calls {
            // pop r13, rbp, rbx
            self.bytes.extend([0x41, 0x5d, 0x5d, 0x5b]);
        }
        self.bytes.push(0xc3);
    }

    /// Calls the function at the beginning of the context, with the context, a number, and the numbers of the sequence.
    pub fn call(&mut self, function: u32) {
        self.leave_upper_halves();
        self.pointers = [None; _];
        // mov rdi, r13; mov esi, function; mov rdx, rbx; call [r13]
        self.bytes.extend([0x4c, 0x89, 0xef, 0xbe]);
        self.bytes.extend(function.to_le_bytes());
        self.bytes.extend([0x48, 0x89, 0xda, 0x41, 0xff, 0x55, 0x00]);
    }

    /// Prepares for code without AVX.
    fn leave_upper_halves(&mut self) {
        if self.width == Width::Four {
            // vzeroupper
            self.bytes.extend([0xc5, 0xf8, 0x77]);
        }
    }

    /// Returns the general register with the address of an array, after which it is there.
    fn pointer(&mut self, array: Option<u8>) -> u8 {
        let [numbers, arrays] =
            if self.has_calls { [general::RBX, general::RBP] } else { [general::RDI, general::RSI] };
        let Some(array) = array else { return numbers };
        if let Some(at) = self.pointers.iter().position(|&held| held == Some(array)) {
            return POINTERS[at];
        }
        let at = self.oldest;
        self.oldest = (at + 1) % POINTERS.len();
        self.pointers[at] = Some(array);
        // mov register, [arrays + 8 array]
        let register = POINTERS[at];
        let prefix = 0x48 | if register >= 8 { 4 } else { 0 };
        self.bytes.extend([prefix, 0x8b, 0x80 | ((register & 7) << 3) | arrays]);
        self.bytes.extend((u32::from(array) * 8).to_le_bytes());
        register
    }

    /// Loads a number.
    pub fn load(&mut self, to: Register, from: Address) {
        self.vex(self.of_numbers(0x10), to, 0, Operand::At(from));
    }

    /// Stores a number.
    pub fn store(&mut self, from: Register, to: Address) {
        self.vex(self.of_numbers(0x11), from, 0, Operand::At(to));
    }

    /// Copies a register.
    pub fn copy(&mut self, to: Register, from: Register) {
        self.vex(self.of_vectors(0x28), to, 0, Operand::Register(from));
    }

    /// `to = a operation b`
    pub fn arithmetic(&mut self, operation: Arithmetic, to: Register, a: Register, b: Operand) {
        // the root of four numbers has one argument
        let a = if matches!((operation, self.width), (Arithmetic::Sqrt, Width::Four)) { 0 } else { a };
        self.vex(self.of_numbers(operation as u8), to, a, b);
    }

    /// `to = a operation b` by bits; `b` is not in memory.
    pub fn bits(&mut self, operation: Bits, to: Register, a: Register, b: Operand) {
        self.vex(self.of_vectors(operation as u8), to, a, b);
    }

    /// `to = a comparison b`
    pub fn compare(&mut self, comparison: Comparison, to: Register, a: Register, b: Operand) {
        self.vex_and_byte(self.of_numbers(0xc2), [to, a], b, comparison as u8);
    }

    /// `to = mask ? yes : no`
    pub fn blend(&mut self, to: Register, [mask, yes, no]: [Register; 3]) {
        let opcode = Opcode { byte: 0x4b, map: Map::Of0F3A, prefix: Prefix::Packed, is_wide: false };
        self.vex_and_byte(opcode, [to, no], Operand::Register(yes), mask << 4);
    }

    /// `sum += a b`, or `sum -= a b`
    pub fn fused(&mut self, is_negative: bool, sum: Register, a: Register, b: Operand) {
        let byte = if is_negative { 0xbc } else { 0xb8 } + u8::from(self.width == Width::One);
        self.vex(Opcode { byte, map: Map::Of0F38, prefix: Prefix::Packed, is_wide: true }, sum, a, b);
    }

    fn of_numbers(&self, byte: u8) -> Opcode {
        let prefix = match self.width {
            Width::One => Prefix::Scalar,
            Width::Four => Prefix::Packed,
        };
        Opcode { byte, map: Map::Of0F, prefix, is_wide: false }
    }

    fn of_vectors(&self, byte: u8) -> Opcode {
        Opcode { byte, map: Map::Of0F, prefix: Prefix::Packed, is_wide: false }
    }

    fn vex(&mut self, opcode: Opcode, register: Register, second: Register, last: Operand) {
        self.instruction(opcode, [register, second], last, None);
    }

    fn vex_and_byte(&mut self, opcode: Opcode, registers: [Register; 2], last: Operand, byte: u8) {
        self.instruction(opcode, registers, last, Some(byte));
    }

    /// Writes prefix, opcode, operands and the byte that follows them.
    fn instruction(&mut self, opcode: Opcode, [register, second]: [Register; 2], last: Operand, byte: Option<u8>) {
        let extends = |register: Register| register >= 8;
        let base = match last {
            Operand::At(address) => self.pointer(address.array),
            Operand::Register(register) => register,
            Operand::Constant(_) => 0,
        };
        let is_last_extended = extends(base);
        let length = u8::from(self.width == Width::Four) << 2;
        let rest = ((!second & 0xf) << 3) | length | opcode.prefix as u8;
        let not_extended = u8::from(!extends(register)) << 7;
        if opcode.map == Map::Of0F && !opcode.is_wide && !is_last_extended {
            self.bytes.extend([0xc5, not_extended | rest]);
        } else {
            let extensions = not_extended | 0x40 | (u8::from(!is_last_extended) << 5) | opcode.map as u8;
            self.bytes.extend([0xc4, extensions, (u8::from(opcode.is_wide) << 7) | rest]);
        }
        self.bytes.push(opcode.byte);
        let register = (register & 7) << 3;
        match last {
            Operand::Register(last) => self.bytes.push(0xc0 | register | (last & 7)),
            Operand::At(address) => {
                let offset = address.offset * self.width.bytes();
                match i8::try_from(offset) {
                    Ok(offset) => self.bytes.extend([0x40 | register | (base & 7), offset as u8]),
                    Err(_) => {
                        self.bytes.push(0x80 | register | (base & 7));
                        self.bytes.extend(offset.to_le_bytes());
                    }
                }
            }
            Operand::Constant(constant) => {
                self.bytes.push(register | 5);
                let after = self.bytes.len() + 4 + usize::from(byte.is_some());
                let distance = (constant as i64) * 32 - after as i64;
                self.bytes.extend((distance as i32).to_le_bytes());
            }
        }
        self.bytes.extend(byte);
    }
}
