//! Prints id and retained size in bytes of every reachable object of a dump, without the references of the cuts.
//! `cargo run --release --package heaplens_dump --example after_cuts -- app.hprof 0x123:0x456 desk.Session.cart`

use std::io::Write;

use heaplens_analysis::cuts::{Cut, excluded_references, what_if};
use heaplens_base::{Task, storage::MemoryBudget};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: after_cuts DUMP [CUT…]")?;
    let (mut dump, task) = (heaplens_dump::open(path)?, &Task::new());
    let mut out = std::io::BufWriter::new(std::io::stdout());
    let namer = dump.namer(task)?;
    let cuts = arguments.map(|text| namer.resolve_cut(&text, task)).collect::<Result<Vec<Cut>, _>>();
    let cuts = cuts.map_err(|error| format!("{error:?}"))?;
    let freed = what_if(dump.data(), &cuts, task)?.freed;
    if !cuts.is_empty() {
        let excluded = excluded_references(dump.data(), &cuts, task)?;
        dump = dump.without(&excluded, &MemoryBudget::default(), task)?;
    }
    writeln!(out, "freed {} {}", freed.objects, freed.shallow.0)?;
    for object in dump.objects().filter(|&object| dump.analysis.is_reachable(object)) {
        writeln!(out, "{} {}", dump.id(object), dump.retained_size(object).0)?;
    }
    Ok(out.flush()?)
}
