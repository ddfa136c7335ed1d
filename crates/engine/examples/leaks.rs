//! Prints what leaks in a dump, with what to clear.
//! `cargo run --release --package heaplens-engine --example leaks -- app.hprof`
#![expect(clippy::print_stdout, reason = "the result of the program")]

use heaplens_engine::leaks::{Group, LeakOptions};
use heaplens_engine::{Task, open};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: leaks DUMP")?;
    let dump = open(path)?;
    let findings = dump.leaks(&LeakOptions::default(), &Task::new())?;
    for leak in findings.iter().filter(|finding| finding.group == Group::Leak) {
        println!("{leak}");
        for evidence in &leak.evidence {
            println!("  {evidence}");
        }
        for cut in &leak.cut {
            println!("  clear {}", cut.name);
        }
    }
    Ok(())
}
