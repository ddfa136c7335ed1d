//! Dumps from devices, containers and other machines, by programs that are acted; dumps from pipes and archives.
#![cfg(unix)]

mod android;
mod packed;
// Its commands read processes as Linux shows them.
#[cfg(target_os = "linux")]
mod remote;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A dump of the fixtures, unpacked.
fn dump_bytes() -> Vec<u8> {
    use std::io::Read;
    let packed =
        fs::File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/leak-after.hprof.gz")).expect("a fixture");
    let mut bytes = Vec::new();
    flate2::read::MultiGzDecoder::new(packed).read_to_end(&mut bytes).expect("gzip");
    bytes
}

/// End of the names of records.
const RECORD: &str = ".process.json";

/// A folder with programs that are found before those of the machine, and a folder for dumps.
struct Stage {
    programs: TempDir,
    dumps: TempDir,
}

impl Stage {
    fn new() -> Self {
        Self { programs: TempDir::new().expect("a folder"), dumps: TempDir::new().expect("a folder") }
    }

    fn heaplens(&self, words: &[&str], variables: &[(&str, &str)]) -> Output {
        let path = format!("{}:{}", self.programs.path().display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new(env!("CARGO_BIN_EXE_heaplens"));
        command.current_dir(self.dumps.path()).env("PATH", path).env("TMPDIR", self.programs.path());
        command.args(words).envs(variables.iter().copied()).output().expect("it starts")
    }

    /// Files of a folder, by name.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Names of the dumps.
    fn dumps(&self) -> Vec<String> {
        Self::names(self.dumps.path()).into_iter().filter(|name| !name.ends_with(RECORD)).collect()
    }

    /// The record of the process beside the only dump.
    fn record(&self) -> serde_json::Value {
        let [dump] = &self.dumps()[..] else { panic!("{:?}", self.dumps()) };
        let text = fs::read(self.dumps.path().join(format!("{dump}{RECORD}"))).expect("a record");
        serde_json::from_slice(&text).expect("JSON")
    }
}

/// Extension of a file name.
fn extension(name: &str) -> String {
    Path::new(name).extension().map(|end| end.to_string_lossy().into_owned()).unwrap_or_default()
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
