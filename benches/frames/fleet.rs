//! A fleet of ten thousand dumps: time to open it, and cost of frames while its leaks scroll, are filtered and drawn, and
//! the dumps of one are listed.

use std::sync::Arc;

use eframe::egui::Key;
use heaplens_base::Count;
use heaplens_fleet::{CLASS, DUMP, DigestForm, DigestRecord, FINDING, READ, version_order, write};
use heaplens_testkit::random::Random;

use crate::stage::{Stage, head};

/// Dumps, leaks of each program, and classes of each dump.
const DUMPS: u32 = 10_000;
const LEAKS: u32 = 400;
const CLASSES: u32 = 20;
const APPS: [&str; 3] = ["shop", "mail", "maps"];
/// Dumps in a file.
const IN_FILE: u32 = 500;

/// Prints time of opening and cost of frames.
pub(crate) fn bench() -> std::io::Result<()> {
    println!("\n## A fleet of {} dumps\n", Count(DUMPS.into()));
    let folder = tempfile::tempdir()?;
    for first in (0..DUMPS).step_by(IN_FILE as usize) {
        let records: Vec<DigestRecord> = (first..first + IN_FILE).flat_map(records).collect();
        let mut bytes = Vec::new();
        write(&mut bytes, DigestForm::Parquet, &records)?;
        std::fs::write(folder.path().join(format!("{first:05}.parquet")), bytes)?;
    }
    let mut stage = Stage::new(folder.path());
    head();
    stage.ask(|_| {}).print("opening");
    stage.travel("leaks");
    stage.ask(|stage| stage.filter("Cache7")).print("filter the leaks");
    stage.ask(|stage| stage.click("Treemap")).print("treemap");
    stage.hover("pointer over the treemap");
    stage.ask(|stage| stage.click("Table")).print("table");
    stage.ask(|stage| stage.press(Key::Home)).print("first leak");
    stage.ask(|stage| stage.press(Key::Enter)).print("its dumps");
    stage.travel("dumps");
    stage.ask(|stage| stage.press(Key::Escape)).print("back");
    Ok(())
}

/// Records of a dump: about fifteen of the leaks of its program.
fn records(number: u32) -> Vec<DigestRecord> {
    let mut random = Random::new(u64::from(number) + 1);
    let app = *random.pick(&APPS);
    let version = format!("1.{}", 8 + random.below(5));
    let base = DigestRecord {
        dump: Some(format!("dumps/{number:05}.hprof").into()),
        app: Some(app.into()),
        version_order: Some(version_order(&version).into()),
        version: Some(version.into()),
        device: Some(format!("device {}", random.below(40)).into()),
        taken_at: Some("2026-01-02T03:04:05Z".into()),
        status: Some(READ.into()),
        ..DigestRecord::default()
    };
    let mut all = vec![DigestRecord { record: Some(DUMP.into()), shallow_bytes: Some(50_000_000), ..base.clone() }];
    for leak in 0..LEAKS {
        if random.below(LEAKS) < 15 {
            let name: Arc<str> = format!("{app}.module{}.Cache{leak}.entries", leak % 20).into();
            all.push(DigestRecord {
                record: Some(FINDING.into()),
                section: Some("leak".into()),
                fingerprint: Some(format!("{leak:06x}").into()),
                owner: Some(Arc::clone(&name)),
                name: Some(name),
                class: Some(format!("{app}.Item{leak}").into()),
                objects: Some(1_000),
                retained_bytes: Some(10_000 + u64::from(random.below(5_000_000))),
                ..base.clone()
            });
        }
    }
    all.extend((0..CLASSES).map(|class| DigestRecord {
        record: Some(CLASS.into()),
        class: Some(format!("{app}.Item{class}").into()),
        objects: Some(1_000),
        retained_bytes: Some(u64::from(random.below(5_000_000))),
        ..base.clone()
    }));
    all
}
