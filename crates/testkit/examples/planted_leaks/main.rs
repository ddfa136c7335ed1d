//! Writes thirty dumps with one planted leak each, and `questions.jsonl`: what somebody would ask about each, and the
//! answer as it was planned, from the program and not from heaplens. Every third question is set aside (`held_out`).
//!
//!     cargo run --release -p heaplens_testkit --example planted_leaks -- FOLDER
//!
//! `integrations/assistants/evaluate.py` asks them.

mod java;
mod library;
mod question;
mod server;

mod hotspot;
mod j9;

mod phone;

mod android;

mod script;

mod node;

use std::fs;
use std::io;
use std::path::Path;

use heaplens_testkit::art::Writer;
use heaplens_testkit::sketch::{Id, Sketch};
use heaplens_testkit::v8::form::Form as SnapshotForm;
use heaplens_testkit::{hprof, phd, v8};

use crate::question::{DumpFormat, Plan};

/// First address of a dump, and of the one before it: everything has moved in between.
const FIRST: [Id; 2] = [0xe000_0000, 0xd040_0000];
/// Every third question is set aside.
const HELD_OUT: usize = 3;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder] = &arguments[..] else {
        return Err(io::Error::other("planted_leaks FOLDER"));
    };
    let folder = Path::new(folder);
    fs::create_dir_all(folder)?;
    let mut questions = Vec::new();
    for (plan, plant) in hotspot::LEAKS {
        let dump = |first, count| hprof::write(&server_heap(plan, plant, first, count), hprof::Form::MODERN);
        write(folder, plan, DumpFormat::HotSpot, &mut questions, dump)?;
    }
    for (plan, plant) in android::LEAKS {
        let dump = |_, count| {
            let mut java = phone::started(plan.has_larger);
            plant(&mut java, count);
            phone::art(&java).write(Writer::Art)
        };
        write(folder, plan, DumpFormat::Android, &mut questions, dump)?;
    }
    for (plan, plant) in node::LEAKS {
        let dump = |_, count| {
            let is_page = plan.name.starts_with("page");
            let mut script = node::started(is_page, plan.has_larger);
            plant(&mut script, count);
            let form = if is_page { SnapshotForm::chromium() } else { SnapshotForm::node20() };
            v8::write::write(&script.made, &form).into_bytes()
        };
        write(folder, plan, DumpFormat::V8, &mut questions, dump)?;
    }
    for (plan, plant) in j9::LEAKS {
        let dump = |first, count| phd::write(&server_heap(plan, plant, first, count), phd::Form::MODERN);
        write(folder, plan, DumpFormat::Phd, &mut questions, dump)?;
    }
    fs::write(folder.join("questions.jsonl"), questions.concat())
}

fn server_heap(plan: Plan, plant: hotspot::Plant, first: Id, count: usize) -> Sketch {
    let mut java = server::started(first, plan.has_larger);
    plant(&mut java, count);
    server::finish(&mut java);
    java.sketch
}

/// Writes the dump of a plan, and the one before it, and adds its question.
fn write(
    folder: &Path,
    plan: Plan,
    format: DumpFormat,
    questions: &mut Vec<String>,
    dump: impl Fn(Id, usize) -> Vec<u8>,
) -> io::Result<()> {
    let (_, ending) = format.words();
    if plan.has_before {
        let bytes = dump(FIRST[1], plan.count / 4);
        fs::write(folder.join(format!("{}-before.{ending}", plan.name)), bytes)?;
    }
    fs::write(folder.join(format!("{}.{ending}", plan.name)), dump(FIRST[0], plan.count))?;
    questions.push(plan.line(format, questions.len() % HELD_OUT == HELD_OUT - 1));
    Ok(())
}
