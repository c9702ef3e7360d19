//! Zip archives, with deflated entries that have no date: the same contents are the same bytes.

use std::io::{self, Write};

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// Returns the checksum by which archives, and the library, find a file that has changed.
pub fn checksum(contents: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(contents);
    crc.sum()
}

/// An archive that is being made.
#[derive(Debug, Default)]
pub struct Archive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    entries: u16,
}

/// 1980-01-01, the first date that an entry can have.
const FIRST_DATE: u16 = 0x21;

/// Version 2.0 of the format: deflated entries.
const VERSION: u16 = 20;

/// Names are UTF-8.
const FLAGS: u16 = 0x800;

/// The method by which entries are deflated.
const DEFLATED: u16 = 8;

impl Archive {
    /// Adds an entry, whose name has `/` between folders.
    ///
    /// # Errors
    /// Contents beyond 4 GB, which the format does not hold.
    pub fn add(&mut self, name: &str, contents: &[u8]) -> io::Result<()> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(contents)?;
        let deflated = encoder.finish()?;
        let size = |length: usize| u32::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge);
        let offset = size(self.bytes.len())?;
        let [packed, unpacked] = [size(deflated.len())?, size(contents.len())?];
        let length = u16::try_from(name.len()).map_err(|_| io::ErrorKind::InvalidFilename)?;

        // the fields that an entry and its line of the directory share
        let mut shared = Vec::new();
        for field in [VERSION, FLAGS, DEFLATED, 0, FIRST_DATE] {
            shared.extend_from_slice(&field.to_le_bytes());
        }
        for field in [checksum(contents), packed, unpacked] {
            shared.extend_from_slice(&field.to_le_bytes());
        }
        shared.extend_from_slice(&length.to_le_bytes());
        shared.extend_from_slice(&[0; 2]);

        self.bytes.extend_from_slice(b"PK\x03\x04");
        self.bytes.extend_from_slice(&shared);
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(&deflated);

        self.directory.extend_from_slice(b"PK\x01\x02");
        self.directory.extend_from_slice(&VERSION.to_le_bytes());
        self.directory.extend_from_slice(&shared);
        // comment, disk, internal and external attributes
        self.directory.extend_from_slice(&[0; 10]);
        self.directory.extend_from_slice(&offset.to_le_bytes());
        self.directory.extend_from_slice(name.as_bytes());
        self.entries = self.entries.checked_add(1).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(())
    }

    /// Returns the bytes of the archive.
    ///
    /// # Errors
    /// An archive beyond 4 GB.
    pub fn finish(mut self) -> io::Result<Vec<u8>> {
        let size = |length: usize| u32::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge);
        let [offset, length] = [size(self.bytes.len())?, size(self.directory.len())?];
        self.bytes.append(&mut self.directory);
        self.bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        for _ in 0..2 {
            self.bytes.extend_from_slice(&self.entries.to_le_bytes());
        }
        self.bytes.extend_from_slice(&length.to_le_bytes());
        self.bytes.extend_from_slice(&offset.to_le_bytes());
        self.bytes.extend_from_slice(&[0; 2]);
        Ok(self.bytes)
    }
}
