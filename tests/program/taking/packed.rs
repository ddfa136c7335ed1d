//! A dump from a pipe or an archive has the answers of the file.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::dump_bytes;

fn histogram(file: &str, input: Option<&[u8]>) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heaplens"));
    command.args(["histogram", file, "--format", "csv", "--no-cache"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.map(<[u8]>::to_vec).unwrap_or_default();
    let writer = std::thread::spawn(move || {
        // It may end without reading.
        let _ended = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic");
    if output.status.success() {
        Ok(String::from_utf8(output.stdout).expect("csv is UTF-8"))
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn expected() -> String {
    histogram(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/leak-after.hprof.gz"), None).expect("an answer")
}

/// A tar file with a text and the dump.
fn tar(name: &str, dump: &[u8]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in [("README.md", b"about the dump".as_slice()), (name, dump)] {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, bytes).expect("it is added");
    }
    tar.into_inner().expect("it ends")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).expect("memory");
    packer.finish().expect("memory")
}

#[test]
fn a_pipe_has_the_answers_of_the_file() {
    let (dump, expected) = (dump_bytes(), expected());
    assert_eq!(histogram("-", Some(&dump)).as_deref(), Ok(&*expected));
    assert_eq!(histogram("-", Some(&gzip(&dump))).as_deref(), Ok(&*expected));
    if Path::new("/dev/stdin").exists() {
        assert_eq!(histogram("/dev/stdin", Some(&dump)).as_deref(), Ok(&*expected));
    }
    let empty = histogram("-", Some(b"")).expect_err("no dump");
    assert!(empty.contains("empty"), "{empty}");
}

#[test]
fn archives_have_the_answers_of_the_file() {
    let (dump, expected) = (dump_bytes(), expected());
    let folder = tempfile::tempdir().expect("a folder");
    let bzip2 = {
        let mut packer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        packer.write_all(&dump).expect("memory");
        packer.finish().expect("memory")
    };
    let xz = {
        let options = lzma_rust2::XzOptions::with_preset(0);
        let mut packer = lzma_rust2::XzWriter::new(Vec::new(), options).expect("options");
        packer.write_all(&dump).expect("memory");
        packer.finish().expect("memory")
    };
    let zstd = ruzstd::encoding::compress_to_vec(&dump[..], ruzstd::encoding::CompressionLevel::Fastest);
    let tar = tar("logs/app.hprof", &dump);
    let files = [
        ("app.hprof.bz2", bzip2.clone()),
        ("app.hprof.xz", xz),
        ("app.hprof.zst", zstd.clone()),
        ("two-frames.zst", {
            let half = dump.len() / 2;
            let part =
                |bytes: &[u8]| ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest);
            [part(&dump[..half]), part(&dump[half..])].concat()
        }),
        ("app.tar", tar.clone()),
        ("app.tar.gz", gzip(&tar)),
        ("packed-inside.tar.gz", gzip(&self::tar("app.hprof.zst", &zstd))),
    ];
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("it is written");
        assert_eq!(histogram(&path.display().to_string(), None).as_deref(), Ok(&*expected), "{name}");
    }
    // A part of an archive is a part of the dump, with a note.
    let path = folder.path().join("cut.bz2");
    fs::write(&path, &bzip2[..bzip2.len() / 2]).expect("it is written");
    let summary = Command::new(env!("CARGO_BIN_EXE_heaplens")).arg("summary").arg(&path).arg("--no-cache").output();
    let summary = String::from_utf8_lossy(&summary.expect("it starts").stdout).into_owned();
    assert!(summary.contains("packed data is truncated or damaged"), "{summary}");
    let path = folder.path().join("without.tar");
    fs::write(&path, self::tar("notes.txt", b"nothing")).expect("it is written");
    let error = histogram(&path.display().to_string(), None).expect_err("no dump");
    assert!(error.contains("a tar entry with a heap dump"), "{error}");
}
