//! Javacore that belongs to an IBM heap dump: the given one, or that in the same folder: both names contain the time and the
//! process id.

use std::fs;
use std::path::{Path, PathBuf};

use super::Javacore;
use crate::error::{FormatError, OpenError};
use crate::options::{JavacoreFile, ReadOptions};
use crate::source::Source;
use heaplens_base::Task;

/// Time and process id in the name of a dump or javacore: `heapdump.20160404.083909.9480.0002.phd`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    /// Days, counting 31 per month.
    day: i64,
    second: i64,
    process: u64,
}

impl Stamp {
    /// Parses the name of a file that begins with `word`.
    fn of(path: &Path, word: &str) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let mut parts = name.split('.');
        let begins = parts.next()? == word;
        let mut number = |digits: Option<usize>| {
            let part = parts.next()?;
            let fits = digits.is_none_or(|digits| part.len() == digits) && part.bytes().all(|b| b.is_ascii_digit());
            part.parse::<u64>().ok().filter(|_| fits)
        };
        let (date, time, process) = (number(Some(8))?, number(Some(6))?, number(None)?);
        let (date, time) = (date.cast_signed(), time.cast_signed());
        begins.then_some(Self {
            day: (date / 10_000 * 12 + date / 100 % 100) * 31 + date % 100,
            second: (time / 10_000 * 60 + time / 100 % 100) * 60 + time % 100,
            process,
        })
    }

    /// Seconds between two stamps.
    fn far(self, other: Self) -> i64 {
        ((self.day - other.day) * 86_400 + self.second - other.second).abs()
    }
}

/// Javacore of the same process in the folder of a heap dump that is nearest in time. Whether it belongs to that
/// dump is checked when both are read.
fn beside(dump: &Path) -> Option<JavacoreFile> {
    let stamp = Stamp::of(dump, "heapdump")?;
    let folder = dump.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let fits = |path: PathBuf| {
        let of = Stamp::of(&path, "javacore").filter(|of| of.process == stamp.process)?;
        path.is_file().then_some((of.far(stamp), path))
    };
    // Ties go to the first by name.
    let (_, path) = files.filter_map(fits).min()?;
    Some(JavacoreFile { path, is_given: false })
}

impl ReadOptions {
    /// The same options; without a given javacore, with the one of the same process in the folder of the dump.
    #[must_use]
    pub fn with_javacore_beside(mut self, dump: &Path) -> Self {
        self.javacore = self.javacore.or_else(|| beside(dump));
        self
    }
}

/// Reads the javacore that belongs to a dump; also returns its file name.
pub(crate) fn read_javacore(options: &ReadOptions, task: &Task) -> Result<Option<(Javacore<u64>, String)>, OpenError> {
    let Some(javacore_file @ JavacoreFile { path, is_given }) = &options.javacore else { return Ok(None) };
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let read = || {
        let source = Source::open(path, &ReadOptions { unpacked: None, ..options.clone() }, task)?;
        let javacore = Javacore::read(source.bytes(), task)?.ok_or_else(|| {
            let actual = format!("a different kind of file, {name}");
            let advice = "Choose a javacore file, or none.";
            FormatError::new("javacore", 0, "javacore sections (0SECTION)", actual, advice)
        })?;
        Ok(Some((javacore, name.clone())))
    };
    match read() {
        // A javacore that was only found next to the dump is optional.
        Err(OpenError::Io(_) | OpenError::Format(_)) if !is_given => Ok(None),
        Err(OpenError::Io(error)) => Err(javacore_file.unreadable(&error)),
        read => read,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_javacore_of_the_same_process_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| {
            let path = folder.path().join(name);
            fs::write(&path, "").expect("a file");
            path
        };
        let dump = file("heapdump.20160404.083909.9480.0002.phd.gz");
        assert_eq!(beside(&dump), None);
        file("javacore.20160404.083909.9481.0003.txt");
        file("javacore.20160404.083809.9480.0001.txt");
        file("javacore.2016.083909.9480.0001.txt");
        let nearest = file("javacore.20160404.083910.9480.0003.txt");
        assert_eq!(beside(&dump).map(|companion| companion.path), Some(nearest));
        assert_eq!(beside(&file("a.20160404.083909.9480.0002.phd")), None);
        // Around midnight at the end of a month.
        let late = Stamp::of(Path::new("heapdump.20151231.235959.1.1.phd"), "heapdump").expect("a stamp");
        let early = Stamp::of(Path::new("javacore.20160101.000001.1.1.txt"), "javacore").expect("a stamp");
        assert_eq!(late.far(early), 2);
    }
}
