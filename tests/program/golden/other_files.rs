//! What is said of files that are no heap dumps, or only a part of one.

use std::fmt::Write;

use super::{compare, heaplens};

/// Files by name, with their first bytes.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let binary = |start: &[u8], at: usize, then: &[u8]| {
        let mut bytes = start.to_vec();
        bytes.resize(at.max(start.len()), 0);
        bytes.extend(then);
        bytes.resize(bytes.len() + 100, 0x91);
        bytes
    };
    vec![
        ("histogram.hprof", text(" num     #instances         #bytes  class name\n   1:  10  240  [C\n")),
        (
            "histogram-of-jdk5.hprof",
            text("Object Histogram:\n\nSize\tCount\tClass description\n-----\n43536\t16\t[B\n"),
        ),
        ("sites.hprof.txt", text("JAVA PROFILE 1.0.1, created Wed Oct  4 13:54:03 2006\n\nTRACE 1:\n\t<empty>\n")),
        ("app.hprof.p0", binary(&[0x1c, 0, 0, 0, 0, 0, 0, 1, 0, 0x20], 10, &[0x80; 60])),
        ("app.hprof.bz2", binary(b"BZh91AY&SY", 0, b"")),
        ("app.hprof.xz", binary(b"\xFD7zXZ\0", 0, b"")),
        ("app.hprof.zst", binary(b"\x28\xB5\x2F\xFD", 0, b"")),
        ("app.hprof.lz4", binary(b"\x04\x22\x4D\x18", 0, b"")),
        ("app.7z", binary(b"7z\xBC\xAF\x27\x1C", 0, b"")),
        ("app.rar", binary(b"Rar!\x1a\x07", 0, b"")),
        ("download.hprof", text("<!DOCTYPE html><html><title>404 Not Found</title></html>\n")),
        ("denied.hprof", text("<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>\n")),
        ("pointer.hprof", text("version https://git-lfs.example/spec/v1\noid sha256:00\nsize 7\n")),
        ("core.4711", binary(b"\x7FELF\x02\x01\x01", 16, &[4, 0])),
        ("core.mac", binary(b"\xCF\xFA\xED\xFE", 12, &[4, 0, 0, 0])),
        ("app.dmp", binary(b"MDMP\x93\xa7", 0, b"")),
        ("app.jfr", binary(b"FLR\0\0\x02", 0, b"")),
        ("javacore.txt", text("0SECTION       TITLE subcomponent dump routine\nNULL           ===\n")),
        ("tombstone_00", text("*** *** *** *** *** ***\nBuild fingerprint: 'google/shiba'\nABI: 'arm64'\n")),
        ("anr.txt", text("----- pid 4711 at 2026-11-25 10:00:00 -----\nCmd line: app.shop\n")),
        ("empty.hprof", Vec::new()),
        ("reserved.hprof", vec![0; 8192]),
    ]
}

#[test]
fn every_kind_of_file_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut answers = String::new();
    for (name, bytes) in files() {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("it can be written");
        let output = heaplens(&["summary", &path.to_string_lossy()]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(output.stdout.is_empty(), "{name}");
        let text = String::from_utf8_lossy(&output.stderr);
        let text = text.replace(&*folder.path().to_string_lossy(), "");
        writeln!(answers, "{}", text.trim_end().replace(" /", " ").replace(" \\", " ")).expect("a string");
    }
    compare("other-files.txt", &answers);
}
