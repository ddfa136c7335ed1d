//! Digests of dumps on disk, a fleet of them, and what it reports.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heaplens_base::storage::Folder;
use heaplens_base::{Share, Task};
use heaplens_fleet::{
    Baseline, CLASS, COLUMNS, DUMP, DigestForm, DigestIdentity, DigestOptions, DigestRecord, FINDING, Fleet,
    FleetReport, FleetTable, LeakChange, QUESTIONS, UNREADABLE, ask, digest, read, unreadable, version_order, write,
    write_html, write_json, write_markdown, write_text,
};
use heaplens_tables::columns::Value;
use heaplens_tables::export::text_width::TextWidth;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

fn digested(name: &str, options: &DigestOptions) -> Vec<DigestRecord> {
    digest((&fixture(name), name), &DigestIdentity::default(), options, &Task::new()).expect("not cancelled")
}

fn of<'a>(records: &'a [DigestRecord], kind: &'static str) -> impl Iterator<Item = &'a DigestRecord> {
    records.iter().filter(move |record| record.record.as_deref() == Some(kind))
}

#[test]
fn dumps_of_every_format_have_a_digest_that_is_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["leak-after.hprof.gz", "node/desk-final.heapsnapshot.gz", "ibm/shop-v5.phd", "android/album.hprof.gz"]
    {
        let records = digested(name, &DigestOptions::default());
        let of_dump = of(&records, DUMP).next().expect("the dump");
        assert_eq!(of_dump.status.as_deref(), Some("read"), "{name}");
        assert!(of_dump.objects > Some(10), "{name}");
        assert!(of(&records, FINDING).count() > 0, "{name}");
        assert!((1..=20).contains(&of(&records, CLASS).count()), "{name}");
        for (file, form) in [("a.parquet", DigestForm::Parquet), ("a.jsonl", DigestForm::JsonLines)] {
            let path = folder.path().join(file);
            let mut bytes = Vec::new();
            write(&mut bytes, form, &records).expect("a file");
            fs::write(&path, bytes).expect("a file");
            let mut back = Vec::new();
            read(&path, &Task::new(), |record| back.push(record)).expect("a digest");
            assert_eq!(back, records, "{name} {file}");
        }
    }
}

#[test]
fn what_cannot_be_read_is_a_record_with_its_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = fs::read(fixture("android/album.hprof.gz")).expect("a dump");
    let cases: [(&str, &[u8]); 4] =
        [("empty.hprof", &[]), ("noise.hprof", &[7; 4_096]), ("cut.hprof.gz", &bytes[..40]), ("text.hprof", b"<html>")];
    for (name, bytes) in cases {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        let stated = DigestIdentity { app: Some("shop".to_owned()), ..DigestIdentity::default() };
        let records = digest((&path, name), &stated, &DigestOptions::default(), &Task::new()).expect("not cancelled");
        let [record] = &records[..] else { panic!("{name}: {records:?}") };
        assert_eq!(record.status.as_deref(), Some(UNREADABLE), "{name}");
        assert!(record.error.as_deref().is_some_and(|error| error.len() > 10), "{name}");
        assert_eq!((record.app.as_deref(), record.version.as_deref()), (Some("shop"), Some("unknown")));
        assert_eq!(record.file_bytes, Some(bytes.len() as u64));
    }
    let missing = folder.path().join("missing.hprof");
    let records = digest((&missing, "m"), &DigestIdentity::default(), &DigestOptions::default(), &Task::new())
        .expect("not cancelled");
    assert_eq!(records[0].status.as_deref(), Some(UNREADABLE));
}

/// Keys of maps and names of threads are values of the program.
#[test]
fn values_are_written_only_on_request() {
    let hidden = digested("keys-after.hprof.gz", &DigestOptions::default());
    let shown = digested("keys-after.hprof.gz", &DigestOptions { values: true, ..DigestOptions::default() });
    let names = |records: &[DigestRecord]| -> Vec<String> {
        records
            .iter()
            .flat_map(|record| [record.name.clone(), record.owner.clone()])
            .flatten()
            .map(|n| n.to_string())
            .collect()
    };
    assert!(names(&shown).iter().any(|name| name.contains("thread \"")), "{:?}", names(&shown));
    assert!(names(&hidden).iter().all(|name| !name.contains('"') || name.contains("\"…\"")), "{:?}", names(&hidden));
    assert_eq!(shown.len(), hidden.len(), "nothing else differs");
    let fingerprints =
        |records: &[DigestRecord]| records.iter().map(|record| record.fingerprint.clone()).collect::<Vec<_>>();
    assert_eq!(fingerprints(&shown), fingerprints(&hidden));
}

#[test]
fn a_baseline_says_how_large_each_finding_was() {
    let mut before = Fleet::default();
    before.add(digested("leak-before.hprof.gz", &DigestOptions::default()));
    let baseline = Some(Arc::new(Baseline::of(&before)));
    let records = digested("leak-after.hprof.gz", &DigestOptions { baseline, ..DigestOptions::default() });
    let cache = of(&records, FINDING).find(|record| record.name.as_deref() == Some("desk.SessionCache.ENTRIES"));
    let cache = cache.expect("the leak");
    assert!(cache.baseline_bytes > Some(0) && cache.baseline_bytes < cache.retained_bytes, "{cache:?}");
    let known = before.findings.iter().find(|record| record.fingerprint == cache.fingerprint).expect("in both");
    assert_eq!(known.retained_bytes, cache.baseline_bytes);
    assert!(of(&records, DUMP).all(|record| record.baseline_bytes.is_none()));
}

/// A dump with findings: fingerprint and bytes.
fn made(app: &str, version: &str, dump: &str, findings: &[(&str, u64)]) -> Vec<DigestRecord> {
    let base = DigestRecord {
        dump_id: Some(dump.into()),
        dump: Some(dump.into()),
        app: Some(app.into()),
        version: Some(version.into()),
        version_order: Some(version_order(version).into()),
        device: Some("phone".into()),
        taken_at: Some("2026-01-02T03:04:05Z".into()),
        status: Some("read".into()),
        ..DigestRecord::default()
    };
    let least_bytes = if app == "mail" { Some(5) } else { None };
    let of_dump =
        DigestRecord { record: Some(DUMP.into()), shallow_bytes: Some(1_000_000), least_bytes, ..base.clone() };
    let finding = |&(fingerprint, bytes): &(&str, u64)| DigestRecord {
        record: Some(FINDING.into()),
        section: Some("leak".into()),
        fingerprint: Some(fingerprint.into()),
        name: Some(format!("{app}.{fingerprint}").into()),
        retained_bytes: Some(bytes),
        ..base.clone()
    };
    [of_dump].into_iter().chain(findings.iter().map(finding)).collect()
}

/// Ten dumps of each of three versions. Version 1.10 comes after 1.9.
fn fleet() -> Arc<Fleet> {
    let mut fleet = Fleet::default();
    for (version, findings) in [
        ("1.8", &[("old", 10), ("returns", 10), ("grows", 10), ("stays", 10)][..]),
        ("1.9", &[("grows", 10), ("stays", 10), ("ends", 10), ("shrinks", 100)][..]),
        ("1.10", &[("grows", 12), ("stays", 10), ("starts", 10), ("returns", 10), ("shrinks", 50)][..]),
    ] {
        for dump in 0..10 {
            fleet.add(made("shop", version, &format!("{version}-{dump}"), findings));
        }
    }
    // In all dumps of one version, and too small for the list of the next.
    fleet.add(
        (0..10).flat_map(|dump| made("maps", "1", &format!("o{dump}"), &[("small", 10), ("ended", 90)])).collect(),
    );
    let mut grown: Vec<DigestRecord> = (0..10).flat_map(|dump| made("maps", "2", &format!("p{dump}"), &[])).collect();
    grown.iter_mut().for_each(|record| record.least_bytes = Some(50));
    fleet.add(grown);
    // In one of ten dumps of one version, and in two or none of the next: chance.
    fleet.add(made("mail", "1", "m1", &[("rare", 10), ("seldom", 10)]));
    fleet.add((2..11).flat_map(|dump| made("mail", "1", &format!("m{dump}"), &[])).collect());
    fleet.add(
        (0..10)
            .flat_map(|dump| made("mail", "2", &format!("n{dump}"), if dump < 2 { &[("rare", 10)] } else { &[] }))
            .collect(),
    );
    Arc::new(fleet)
}

#[test]
fn changes_of_the_last_version_are_told_by_presence_size_and_share() {
    let answer = ask(&fleet(), "changes", &Task::new()).expect("an answer");
    let mut changes: Vec<(&str, &str)> =
        (0..answer.rows.len()).map(|row| (answer.text(row, "fingerprint"), answer.text(row, "change"))).collect();
    changes.sort_unstable();
    let expected = [
        ("ended", "fixed"),
        ("ends", "fixed"),
        ("grows", "worse"),
        ("old", "gone"),
        ("rare", "same"),
        ("returns", "back"),
        ("seldom", "same"),
        ("shrinks", "better"),
        ("small", "same"),
        ("starts", "new"),
        ("stays", "same"),
    ];
    assert_eq!(changes, expected);
    assert!(
        (0..answer.rows.len()).all(|row| answer.text(row, "app") != "shop" || answer.text(row, "version") == "1.10")
    );
}

#[test]
fn the_table_of_leaks_has_every_version_in_order() {
    let table = FleetTable::new(fleet(), &Task::new()).expect("a table");
    assert_eq!(table.readable, Share { part: 70, total: 70 });
    assert_eq!(&*table.leaks[0].fingerprint, "shrinks", "the largest first");
    let returns = table.leaks.iter().find(|leak| &*leak.fingerprint == "returns").expect("the leak");
    assert_eq!((returns.change, returns.dumps), (LeakChange::Back, Share { part: 20, total: 30 }));
    assert_eq!((&*returns.versions.0, &*returns.versions.1), ("1.8", "1.10"));
    let by_version: Vec<(&str, u64, u64)> =
        returns.by_version.iter().map(|of| (&*of.version, of.share.part, of.mean.0)).collect();
    assert_eq!(by_version, [("1.8", 10, 10), ("1.9", 0, 0), ("1.10", 10, 10)]);
    assert_eq!(table.findings_of(returns).len(), 20);
}

#[test]
fn a_digest_that_is_there_twice_counts_once() {
    let mut fleet = Fleet::default();
    fleet.add(made("shop", "1", "a", &[("leak", 10)]));
    fleet.add(made("shop", "1", "a", &[("leak", 10)]));
    fleet.add(made("shop", "1", "b", &[("leak", 10)]));
    assert_eq!((fleet.dumps.len(), fleet.findings.len(), fleet.repeated), (2, 2, 1));
    // Also in one file.
    let twice = [made("shop", "1", "c", &[("leak", 10)]), made("shop", "1", "c", &[("leak", 10)])].concat();
    fleet.add(twice);
    assert_eq!((fleet.dumps.len(), fleet.findings.len(), fleet.repeated), (3, 3, 2));
}

/// The device was slow, or the file not there yet: what the dump would have said is not in the first digest.
#[test]
fn a_digest_takes_the_place_of_one_that_could_not_be_read() {
    let (path, stated) = (fixture("leak-after.hprof.gz"), DigestIdentity::default());
    let readable =
        || digest((&path, "heap.hprof"), &stated, &DigestOptions::default(), &Task::new()).expect("not cancelled");
    let failed = || vec![unreadable((&path, "heap.hprof"), "it took too long", &stated)];
    for digests in [[failed(), readable()], [readable(), failed()]] {
        let mut fleet = Fleet::default();
        digests.into_iter().for_each(|records| fleet.add(records));
        assert_eq!((fleet.dumps.len(), fleet.repeated), (1, 1));
        assert_eq!(fleet.dumps[0].status.as_deref(), Some("read"));
        assert!(!fleet.findings.is_empty());
    }
    let mut fleet = Fleet::default();
    [failed(), failed(), readable(), readable()].into_iter().for_each(|records| fleet.add(records));
    assert_eq!((fleet.dumps.len(), fleet.repeated), (1, 3));
}

/// Two hosts name their dumps alike.
#[test]
fn dumps_of_one_name_are_told_apart_by_their_device() {
    let path = fixture("leak-after.hprof.gz");
    let of = |device: &str| {
        let stated = DigestIdentity { device: Some(device.to_owned()), ..DigestIdentity::default() };
        digest((&path, "heap.hprof"), &stated, &DigestOptions::default(), &Task::new()).expect("not cancelled")
    };
    let mut fleet = Fleet::default();
    fleet.add(of("h1"));
    fleet.add(of("h2"));
    assert_eq!((fleet.dumps.len(), fleet.repeated), (2, 0));
    let answer = ask(&Arc::new(fleet), "leaks", &Task::new()).expect("an answer");
    assert!((answer.number(0, "dumps") - 2.0).abs() < f64::EPSILON);
}

/// A stored analysis that is damaged gives no wrong digest: the dump itself is read.
#[test]
fn a_damaged_stored_analysis_changes_no_digest() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut stored = DigestOptions::default();
    stored.open.storage.folder = Some(Folder::at(folder.path().to_owned()));
    let without_time = |mut records: Vec<DigestRecord>| {
        records.iter_mut().for_each(|record| record.seconds = None);
        records
    };
    let right = without_time(digested("leak-before.hprof.gz", &stored));
    let mut damaged = 0;
    for entry in fs::read_dir(folder.path()).expect("the folder").flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|end| end == "answer") {
            fs::remove_file(&path).expect("an answer");
        } else if path.is_file() && path.metadata().is_ok_and(|file| file.len() > 100_000) {
            let mut bytes = fs::read(&path).expect("the analysis");
            let middle = bytes.len() / 2;
            (0..64).for_each(|at| bytes[middle + at] ^= 0x55);
            fs::write(&path, bytes).expect("the analysis");
            damaged += 1;
        }
    }
    assert!(damaged > 0, "a stored analysis");
    assert_eq!(without_time(digested("leak-before.hprof.gz", &stored)), right);
}

/// What no dump can have, and lines that never end.
#[test]
fn hostile_digests_are_refused_and_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).expect("a file");
        let fleet = Fleet::read(std::slice::from_ref(&path), &Task::new()).expect("not cancelled");
        fs::remove_file(&path).expect("a file");
        assert!(fleet.is_empty() && fleet.failed.len() == 1, "{name}: {:?}", fleet.failed);
        assert!(fleet.failed[0].contains(name), "{:?}", fleet.failed);
    };
    refused("size.jsonl", br#"{"record":"dump","dump":"a","shallow_bytes":9000000000000000000}"#);
    refused("other.jsonl", br#"{"foo":1}"#);
    refused("line.jsonl", &vec![b' '; 2 << 20]);
    refused("type.jsonl", br#"{"record":"dump","dump":7}"#);
    let mut parquet = Vec::new();
    write(&mut parquet, DigestForm::Parquet, &made("shop", "1", "a", &[("leak", 10)])).expect("a file");
    // Every truncation, and every byte turned: an error or records, never a panic.
    for at in 0..parquet.len() {
        let mut turned = parquet.clone();
        turned[at] ^= 0xff;
        for (bytes, name) in [(&parquet[..at], "cut.parquet"), (&turned, "turned.parquet")] {
            let path = folder.path().join(name);
            fs::write(&path, bytes).expect("a file");
            drop(read(&path, &Task::new(), |_| {}));
        }
    }
}

#[test]
fn reports_say_the_same_in_every_form() {
    let report = FleetReport::new(&fleet(), &Task::new()).expect("a report");
    let printed = |write: fn(&mut Vec<u8>, &FleetReport) -> std::io::Result<()>| {
        let mut out = Vec::new();
        write(&mut out, &report).expect("a vector takes all");
        String::from_utf8(out).expect("UTF-8")
    };
    let (text, markdown) = (
        printed(|out, report| write_text(out, report, TextWidth::Unlimited)),
        printed(|out, report| write_markdown(out, report)),
    );
    let (html, json) = (printed(|out, report| write_html(out, report)), printed(|out, report| write_json(out, report)));
    for form in [&text, &html] {
        assert!(form.contains("shop, 1.9 to 1.10: new") && form.contains("shop.starts"), "{form}");
    }
    assert!(markdown.contains("## shop, 1.9 to 1.10: new"), "{markdown}");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["dumps"], 70);
    assert_eq!(json["changes"].as_array().map(Vec::len), Some(11));
}

#[test]
fn every_question_has_an_answer_with_rows() {
    let mut fleet = Arc::into_inner(fleet()).expect("the only one");
    let broken = fixture("nowhere.hprof");
    fleet.add(
        digest((&broken, "x"), &DigestIdentity::default(), &DigestOptions::default(), &Task::new())
            .expect("not cancelled"),
    );
    let fleet = Arc::new(fleet);
    for question in &QUESTIONS {
        let answer = ask(&fleet, question.key, &Task::new()).expect("an answer");
        assert!(!answer.rows.is_empty(), "{}", question.key);
        // Partitions of a table, whatever reads it.
        assert_eq!(answer.columns[0].name, "app", "{}", question.key);
    }
}

/// Folders say what the files in them lack, as Spark writes them.
#[test]
fn folders_of_partitions_and_damaged_files_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let below = folder.path().join("app=shop/version=1.10");
    fs::create_dir_all(&below).expect("folders");
    let line = r#"{"record":"dump","dump":"a","status":"read"}"#;
    fs::write(below.join("part.jsonl"), format!("{line}\n\n")).expect("a file");
    fs::write(below.join("_SUCCESS"), "").expect("a file");
    fs::write(below.join("bad.parquet"), b"PAR1 no").expect("a file");
    fs::write(below.join("bad.jsonl"), "{").expect("a file");
    fs::write(below.join("notes.txt"), "no digest").expect("a file");
    let fleet = Fleet::read(&[folder.path().to_owned()], &Task::new()).expect("not cancelled");
    assert_eq!((fleet.dumps.len(), fleet.failed.len()), (1, 2), "{:?}", fleet.failed);
    assert_eq!(fleet.dumps[0].app.as_deref(), Some("shop"));
    assert_eq!(fleet.dumps[0].version.as_deref(), Some("1.10"));
    let version = COLUMNS.iter().position(|(name, ..)| *name == "version").expect("a column");
    assert_eq!(fleet.dumps[0].value(version), Value::text("1.10"));
}
