//! Pages of a column, of which those that the reader of values would take for granted are refused.

use ::parquet::basic::{Encoding, Type};
use ::parquet::column::page::{Page, PageMetadata, PageReader};
use ::parquet::errors::{ParquetError, Result};
use ::parquet::schema::types::ColumnDescriptor;

use super::delta::{has_fronts, has_numbers, has_texts};
use super::levels::present;

/// Pages that are checked for the dictionary that their values refer to, and for their encodings.
pub(super) struct Checked {
    pages: Box<dyn PageReader>,
    has_dictionary: bool,
    /// Bytes of a value; `None` for those that have lengths of their own.
    width: Option<usize>,
    /// Level of a value that is there; 0 where none can be missing.
    level: u64,
}

impl Checked {
    pub fn new(pages: Box<dyn PageReader>, column: &ColumnDescriptor) -> Self {
        let width = match column.physical_type() {
            Type::INT32 | Type::FLOAT => Some(4),
            Type::INT96 => Some(12),
            Type::FIXED_LEN_BYTE_ARRAY => usize::try_from(column.type_length()).ok(),
            Type::BYTE_ARRAY => None,
            _ => Some(8),
        };
        Self { pages, has_dictionary: false, width, level: u64::try_from(column.max_def_level()).unwrap_or(0) }
    }

    fn check(&mut self, page: &Page) -> Result<()> {
        /// Largest number of bytes of a text that is a number.
        const MAX_TEXT: i64 = 64;
        let refused = |reason: String| Err(ParquetError::General(reason));
        let (encoding, levels) = match page {
            Page::DictionaryPage { .. } => {
                self.has_dictionary = true;
                return Ok(());
            }
            Page::DataPage { encoding, def_level_encoding, rep_level_encoding, .. } => {
                (*encoding, [*def_level_encoding, *rep_level_encoding])
            }
            Page::DataPageV2 { encoding, .. } => (*encoding, [Encoding::RLE; 2]),
        };
        let Some((levels_of, values)) = self.parts(page) else {
            return refused("a page that is shorter than the levels that it announces".to_owned());
        };
        // the older encoding of levels is deprecated, and no writer of numbers has it
        if let Some(other) = levels.iter().find(|levels| **levels != Encoding::RLE)
            && other.to_string() != "BIT_PACKED"
        {
            return refused(format!("levels in the encoding {other}"));
        }
        let count = page.num_values() as usize;
        // these decoders believe what a page announces
        let present = || match self.level {
            0 => Some(count),
            level => present(levels_of, level, count),
        };
        let holds = |checks: &dyn Fn(usize) -> bool| match present().is_some_and(checks) {
            true => Ok(()),
            false => refused(format!("missing or too many values in the encoding {encoding}")),
        };
        match encoding {
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY if !self.has_dictionary => {
                refused("values that refer to a dictionary, which is missing".to_owned())
            }
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY | Encoding::PLAIN | Encoding::RLE => Ok(()),
            Encoding::BYTE_STREAM_SPLIT => {
                holds(&|count| self.width.and_then(|width| width.checked_mul(count)) == Some(values.len()))
            }
            Encoding::DELTA_BINARY_PACKED => holds(&|count| has_numbers(values, count)),
            Encoding::DELTA_LENGTH_BYTE_ARRAY if self.width.is_none() => {
                holds(&|count| has_texts(values, count, MAX_TEXT))
            }
            Encoding::DELTA_BYTE_ARRAY => holds(&|count| has_fronts(values, count, MAX_TEXT)),
            other => Err(ParquetError::NYI(format!(
                "its numbers have the encoding {other}; write them plain or with a dictionary"
            ))),
        }
    }

    /// The levels of a page and its values; `None` where they do not fit into it.
    fn parts<'a>(&self, page: &'a Page) -> Option<(&'a [u8], &'a [u8])> {
        match page {
            Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
                let (_, rest) = buf.split_at_checked(*rep_levels_byte_len as usize)?;
                rest.split_at_checked(*def_levels_byte_len as usize)
            }
            Page::DataPage { buf, .. } if self.level > 0 => {
                let (size, rest) = buf.split_first_chunk::<4>()?;
                rest.split_at_checked(u32::from_le_bytes(*size) as usize)
            }
            page => Some((&[], page.buffer().as_ref())),
        }
    }
}

impl Iterator for Checked {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Checked {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if let Some(page) = &page {
            self.check(page)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}
