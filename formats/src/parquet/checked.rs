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
        match encoding {
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY if !self.has_dictionary => {
                return refused("values that refer to a dictionary, which is missing".to_owned());
            }
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY | Encoding::PLAIN | Encoding::RLE => {}
            Encoding::DELTA_BINARY_PACKED => {}
            // its decoder takes as many bytes as there should be
            Encoding::BYTE_STREAM_SPLIT => {
                let bytes = self.width.map(|width| width.saturating_mul(page.num_values() as usize));
                if bytes != Some(page.buffer().len()) {
                    return refused(
                        "missing or too many values in the encoding BYTE_STREAM_SPLIT".to_owned(),
                    );
                }
            }
            other => return refused(format!("numbers in the encoding {other}")),
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
