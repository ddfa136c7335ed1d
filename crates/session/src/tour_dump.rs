//! The dump of the tour, which comes with the program: an order desk whose session cache never forgets a session.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::output_file::{OutputFile, OutputKind};

/// The dump.
const DUMP: &[u8] = include_bytes!("../assets/order-desk.hprof.gz");
/// Name of its file.
const NAME: &str = "order-desk.hprof.gz";

/// Writes the dump below a folder, unless it is there, and returns its path.
///
/// # Errors
/// If the folder or the file cannot be written.
pub fn tour_dump_in(folder: &Path) -> io::Result<PathBuf> {
    let own = folder.join("tour");
    let path = own.join(NAME);
    if fs::metadata(&path).is_ok_and(|about| about.len() == DUMP.len() as u64) {
        return Ok(path);
    }
    fs::create_dir_all(&own)?;
    OutputFile::new(&path, OutputKind::Dump, &[]).write(|out| out.write_all(DUMP))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dump_is_written_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = tour_dump_in(folder.path()).expect("it is written");
        let written = fs::metadata(&path).and_then(|about| about.modified()).expect("a file");
        assert_eq!(tour_dump_in(folder.path()).expect("it is there"), path);
        assert_eq!(fs::metadata(&path).and_then(|about| about.modified()).expect("a file"), written);
    }
}
