//! The inputs that a driver begins with.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Inputs, and the folder where they are.
pub struct Corpus {
    /// In the order of the names of their files; those of the driver itself first.
    pub inputs: Vec<Vec<u8>>,
    folder: PathBuf,
}

impl Corpus {
    /// That of a driver.
    pub fn read(name: &str, seeds: &[&[u8]]) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        let mut files: Vec<PathBuf> =
            fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        files.sort();
        let of_files = files.iter().filter_map(|file| fs::read(file).ok());
        let mut inputs: Vec<Vec<u8>> = seeds.iter().map(|seed| seed.to_vec()).chain(of_files).collect();
        if inputs.is_empty() {
            inputs.push(Vec::new());
        }
        Self { inputs, folder }
    }

    /// Adds an input, also to the folder.
    pub fn add(&mut self, input: Vec<u8>) {
        self.keep("found", &input);
        self.inputs.push(input);
    }

    /// Keeps an input in the folder; the file.
    pub fn keep(&self, what: &str, input: &[u8]) -> PathBuf {
        let mut hash = DefaultHasher::new();
        input.hash(&mut hash);
        let file = self.folder.join(format!("{what}-{:016x}", hash.finish()));
        // the input is in the test's message as well, by the seed
        let _ = fs::create_dir_all(&self.folder).and_then(|()| fs::write(&file, input));
        file
    }
}
