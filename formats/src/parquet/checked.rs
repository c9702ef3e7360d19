//! Pages of a column, of which those that the reader of values would take for granted are refused.

use ::parquet::basic::{Encoding, Type};
use ::parquet::column::page::{Page, PageMetadata, PageReader};
use ::parquet::errors::{ParquetError, Result};
use ::parquet::schema::types::ColumnDescriptor;

/// Pages that are checked for the dictionary that their values refer to, and for their encodings.
pub(super) struct Checked {
    pages: Box<dyn PageReader>,
    has_dictionary: bool,
    /// Bytes of a value of a column in which no value is missing.
    width: Option<usize>,
}

impl Checked {
    pub fn new(pages: Box<dyn PageReader>, column: &ColumnDescriptor) -> Self {
        let width = match column.physical_type() {
            Type::INT32 | Type::FLOAT => 4,
            _ => 8,
        };
        Self { pages, has_dictionary: false, width: (column.max_def_level() == 0).then_some(width) }
    }

    fn check(&mut self, page: &Page) -> Result<()> {
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
        if !self.has_levels(page) {
            return refused("a page that is shorter than the levels that it announces".to_owned());
        }
        match encoding {
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY if !self.has_dictionary => {
                return refused("values that refer to a dictionary, which is missing".to_owned());
            }
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY | Encoding::PLAIN | Encoding::RLE => {}
            // its decoder takes as many bytes as there should be
            Encoding::BYTE_STREAM_SPLIT => {
                let bytes = self.width.map(|width| width.saturating_mul(page.num_values() as usize));
                let levels = match page {
                    Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                        [*def_levels_byte_len, *rep_levels_byte_len]
                    }
                    _ => [0; 2],
                };
                if bytes != Some(page.buffer().len()) || levels.iter().any(|bytes| *bytes != 0) {
                    return refused(
                        "missing or too many values in the encoding BYTE_STREAM_SPLIT".to_owned(),
                    );
                }
            }
            // the decoder of differences believes the numbers of values that their blocks announce
            other => {
                return refused(format!(
                    "numbers in the encoding {other}; write them plain or with a dictionary"
                ));
            }
        }
        // the older encoding of levels is deprecated, and no writer of numbers has it
        match levels.iter().find(|levels| **levels != Encoding::RLE) {
            Some(other) if other.to_string() != "BIT_PACKED" => {
                refused(format!("levels in the encoding {other}"))
            }
            _ => Ok(()),
        }
    }
}

impl Checked {
    /// Checks whether the levels of a page, which say where values are missing, fit into it.
    fn has_levels(&self, page: &Page) -> bool {
        let bytes = page.buffer().len() as u64;
        match page {
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len) <= bytes
            }
            Page::DataPage { buf, .. } if self.width.is_none() => {
                let size = buf.get(..4).and_then(|size| size.try_into().ok()).map(u32::from_le_bytes);
                size.is_some_and(|size| u64::from(size) + 4 <= bytes)
            }
            _ => true,
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
