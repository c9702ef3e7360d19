//! States as bytes, which go from one process to another with every bit: one function writes and reads.

/// Bytes that are being written, or read.
#[derive(Debug)]
pub enum StateBytes<'a> {
    /// Values are appended.
    Write(Vec<u8>),
    /// Values are replaced by those that were written, from the begin of the slice on.
    Read(&'a [u8]),
}

/// Each function writes a value, or replaces it by what was written; `None` if that is something else.
#[allow(clippy::missing_errors_doc)]
impl StateBytes<'_> {
    /// Takes eight bytes.
    pub fn number(&mut self, number: &mut u64) -> Option<()> {
        match self {
            Self::Write(bytes) => bytes.extend_from_slice(&number.to_le_bytes()),
            Self::Read(bytes) => {
                let (first, rest) = bytes.split_first_chunk()?;
                (*number, *bytes) = (u64::from_le_bytes(*first), rest);
            }
        }
        Some(())
    }

    /// Takes a number of things.
    pub fn count(&mut self, count: &mut usize) -> Option<()> {
        let mut number = *count as u64;
        self.number(&mut number)?;
        *count = usize::try_from(number).ok()?;
        Some(())
    }

    /// Takes a number of things of 32 bits.
    pub fn short(&mut self, count: &mut u32) -> Option<()> {
        let mut number = u64::from(*count);
        self.number(&mut number)?;
        *count = u32::try_from(number).ok()?;
        Some(())
    }

    /// Takes a flag.
    pub fn flag(&mut self, flag: &mut bool) -> Option<()> {
        let mut number = u64::from(*flag);
        self.number(&mut number)?;
        *flag = number == 1;
        (number <= 1).then_some(())
    }

    /// Takes a real number, of any value.
    pub fn real(&mut self, real: &mut f64) -> Option<()> {
        let mut number = real.to_bits();
        self.number(&mut number)?;
        *real = f64::from_bits(number);
        Some(())
    }

    /// Takes real numbers, as many as there are.
    pub fn reals(&mut self, reals: &mut [f64]) -> Option<()> {
        self.same(reals.len())?;
        reals.iter_mut().try_for_each(|real| self.real(real))
    }

    /// Takes a list of real numbers of any length.
    pub fn list(&mut self, list: &mut Vec<f64>) -> Option<()> {
        let mut length = list.len();
        self.count(&mut length)?;
        if let Self::Read(bytes) = self {
            // no more than what is left
            if length > bytes.len() / size_of::<f64>() {
                return None;
            }
            list.resize(length, 0.0);
        }
        list.iter_mut().try_for_each(|real| self.real(real))
    }

    /// Writes a length, or checks that it is the one that was written.
    pub fn same(&mut self, length: usize) -> Option<()> {
        let mut written = length;
        self.count(&mut written)?;
        (written == length).then_some(())
    }

    /// Writes a text, or checks that it is the one that was written.
    pub fn same_text(&mut self, text: &str) -> Option<()> {
        self.same(text.len())?;
        match self {
            Self::Write(bytes) => bytes.extend_from_slice(text.as_bytes()),
            Self::Read(bytes) => *bytes = bytes.strip_prefix(text.as_bytes())?,
        }
        Some(())
    }

    /// Returns what was written.
    pub fn written(self) -> Vec<u8> {
        match self {
            Self::Write(bytes) => bytes,
            Self::Read(_) => Vec::new(),
        }
    }
}
