//! Records as files of other formats, written whole or not at all.

#[cfg(any(feature = "uff", feature = "parquet"))]
mod files {
    use std::path::Path;

    use costate_contract::files::NewFile;

    use crate::formats::{Format, FormatError};
    use crate::record::recording::{RecordingError, clocks};
    use crate::record::{Record, RecordError};

    impl Record {
        /// Writes the record as UFF58 in text, one data set for each channel: values keep 13 digits, and times all of
        /// them.
        ///
        /// # Errors
        /// [`RecordingError::Format`] for names and units that are too long, and for times of more digits than the 13
        /// columns hold, which [`write_uff_binary`](Self::write_uff_binary) writes; [`RecordError::File`].
        #[cfg(feature = "uff")]
        pub fn write_uff(&self, path: impl AsRef<Path>) -> Result<(), RecordError> {
            use crate::formats::uff::{Encoding, write};
            self.write_as(path.as_ref(), Format::Uff, |recording, name, file| {
                write(recording, Encoding::Text, name, file)
            })
        }

        /// Writes the record as UFF58 in binary (58b), which is read back bit by bit.
        ///
        /// # Errors
        /// [`RecordingError::Format`] for names and units that are too long; [`RecordError::File`].
        #[cfg(feature = "uff")]
        pub fn write_uff_binary(&self, path: impl AsRef<Path>) -> Result<(), RecordError> {
            use crate::formats::uff::{Encoding, write};
            self.write_as(path.as_ref(), Format::Uff, |recording, name, file| {
                write(recording, Encoding::Binary, name, file)
            })
        }

        /// Writes the record as Parquet, which is read back bit by bit: a column `time` and one for each channel, of
        /// double precision. Units stand in the metadata of the file, as the value of the key `unit:NAME`; a missing
        /// sample is NaN.
        ///
        /// # Errors
        /// [`RecordError::File`].
        #[cfg(feature = "parquet")]
        pub fn write_parquet(&self, path: impl AsRef<Path>) -> Result<(), RecordError> {
            self.write_as(path.as_ref(), Format::Parquet, |recording, name, file| match recording.groups.first() {
                Some(group) => crate::formats::parquet::write(group, name, file),
                None => Ok(()),
            })
        }

        fn write_as(
            &self,
            path: &Path,
            format: Format,
            write: impl FnOnce(&crate::formats::Recording, &str, &mut NewFile) -> Result<(), FormatError>,
        ) -> Result<(), RecordError> {
            let name = path.display().to_string();
            let failed = |source| RecordError::File { file: name.clone(), source };
            let mut file = NewFile::create(path).map_err(failed)?;
            write(&clocks::of_record(self.clone(), format), &name, &mut file).map_err(RecordingError::from)?;
            file.finish().map_err(failed)
        }
    }
}
