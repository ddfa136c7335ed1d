//! Answers of long searches as files, so that a later open of the dump has them at once.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};

use serde::{Serialize, de::DeserializeOwned};

/// Longest answer that is kept, in bytes: reading a longer one takes about as long as some searches.
const MOST: u64 = 128_000_000;

/// Where answers about one state of a dump are kept.
pub trait AnswerStorage: Send + Sync {
    /// Text that tells this state of the dump from all others.
    fn key(&self) -> &str;

    /// Longest answer that it takes, in bytes.
    fn limit(&self) -> u64;

    /// False if the dump changed since it was opened, or its stored analysis was found damaged.
    fn is_trusted(&self) -> bool;

    /// The kept bytes; `None` if there are none, or if they are damaged. `name` says what was asked.
    fn read(&self, name: &str) -> Option<Vec<u8>>;

    /// Keeps bytes, if the dump is trusted.
    fn write(&self, name: &str, bytes: &[u8]);
}

/// How the answer to a question is kept.
pub struct AnswerFile<T> {
    /// What is asked, with a fingerprint of everything that the answer depends on besides the dump.
    name: String,
    read: fn(&[u8]) -> Option<T>,
    write: fn(&T) -> Option<Vec<u8>>,
}

impl<T: Serialize + DeserializeOwned> AnswerFile<T> {
    /// A file in JSON.
    pub fn json(question: &str, parameters: &impl Hash) -> Self {
        let read = |bytes: &[u8]| serde_json::from_slice(bytes).ok();
        let write = |answer: &T| {
            let mut bytes = LimitedBytes::new(MOST);
            serde_json::to_writer(&mut bytes, answer).ok().map(|()| bytes.into_bytes())
        };
        Self { name: named(question, parameters), read, write }
    }

    /// A compact file, for an answer with long columns.
    pub fn packed(question: &str, parameters: &impl Hash) -> Self {
        let read = |bytes: &[u8]| postcard::from_bytes(bytes).ok();
        let write = |answer: &T| postcard::to_io(answer, LimitedBytes::new(MOST)).ok().map(LimitedBytes::into_bytes);
        Self { name: named(question, parameters), read, write }
    }
}

impl<T> AnswerFile<T> {
    /// The kept answer, if there is one.
    pub(crate) fn read(&self, storage: &dyn AnswerStorage) -> Option<T> {
        (self.read)(&storage.read(&self.name)?)
    }

    /// Keeps the answer, unless it is too long.
    pub(crate) fn write(&self, storage: &dyn AnswerStorage, answer: &T) {
        if let Some(bytes) = (self.write)(answer) {
            storage.write(&self.name, &bytes);
        }
    }
}

fn named(question: &str, parameters: &impl Hash) -> String {
    // The same in every run of this build.
    let mut hasher = DefaultHasher::new();
    parameters.hash(&mut hasher);
    format!("{question} {:016x}", hasher.finish())
}

/// Bytes in memory, of which more than some number fail to be written.
pub struct LimitedBytes {
    bytes: Vec<u8>,
    most: u64,
}

impl LimitedBytes {
    /// No bytes yet, and at most `most`.
    pub fn new(most: u64) -> Self {
        Self { bytes: Vec::new(), most }
    }

    /// The bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl Write for LimitedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.bytes.len() + bytes.len()) as u64 > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
