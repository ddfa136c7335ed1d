//! The memory of a process, for programs and for people.

#![expect(missing_docs, reason = "names say it; the command line's manual explains them")]

use std::io::{self, Write};

use serde::Serialize;

use heaplens_analysis::leaks::words::capital;
use heaplens_analysis::native_owners::NativeOwner;
use heaplens_analysis::process::{Descriptors, HeapAmounts, ProcessGrowth, ProcessMemory, ProcessPart};
use heaplens_base::{ByteDelta, Bytes, Count, Share};
use heaplens_heap::Heap;

/// Maximum number of owners in text.
const OWNERS: usize = 10;

/// The answer in JSON.
#[derive(Debug, Serialize)]
pub struct ProcessAnswer {
    pub sentence: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth: Option<String>,
    pub resident_bytes: Option<u64>,
    pub unexplained_bytes: Option<u64>,
    pub peak_resident_bytes: Option<u64>,
    pub limit_bytes: Option<u64>,
    pub threads: Option<u64>,
    pub open_files: Option<u64>,
    pub open_sockets: Option<u64>,
    pub open_files_limit: Option<u64>,
    pub heap: HeapRow,
    pub parts: Vec<PartRow>,
    pub owners: Vec<OwnerRow>,
    pub failure: Option<String>,
    pub recorded_by: Vec<String>,
    pub not_recorded: Vec<GapRow>,
    #[serde(skip)]
    descriptors: Option<String>,
    #[serde(skip)]
    is_compared: bool,
}

#[derive(Debug, Serialize)]
pub struct HeapRow {
    pub file_bytes: u64,
    pub live_bytes: u64,
    pub unreachable_bytes: u64,
    pub used_bytes: Option<u64>,
    pub committed_bytes: Option<u64>,
    pub limit_bytes: Option<u64>,
    pub resident_bytes: Option<u64>,
}

#[derive(Debug, Serialize)]
pub struct PartRow {
    pub kind: &'static str,
    pub part: String,
    pub bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_bytes: Option<u64>,
    pub known: &'static str,
    pub count: Option<u64>,
    #[serde(skip)]
    counted: (&'static str, &'static str),
    pub owner: Option<String>,
    pub about: String,
}

#[derive(Debug, Serialize)]
pub struct OwnerRow {
    pub owner: Option<String>,
    pub kind: &'static str,
    pub objects: u64,
    pub native_bytes: Option<u64>,
    pub shared_bytes: Option<u64>,
    pub id: String,
    #[serde(skip)]
    words: String,
}

#[derive(Debug, Serialize)]
pub struct GapRow {
    pub what: String,
    pub why: String,
}

/// What else is known of the process, a line each: the failure that ended it, its limits and counts, and what is not recorded.
pub fn further_facts(memory: &ProcessMemory) -> Vec<String> {
    let limit = memory.limits.as_ref().and_then(|limits| limits.memory);
    let counts = [
        limit.map(|limit| format!("limit of the container {}", Bytes(limit))),
        memory.heap.limit.map(|limit| format!("limit of the heap {limit}")),
        memory.peak.map(|peak| format!("peak {peak}")),
        memory.threads.map(|threads| Count(threads).of("thread", "threads")),
        memory.descriptors.as_ref().map(descriptors),
    ];
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    let failure = memory.failure.iter().map(|failure| format!("Ended by: {failure}"));
    let counts = (!counts.is_empty()).then(|| capital(&counts.join(" · ")));
    let gaps = memory.gaps.iter().map(|gap| format!("Not recorded: {}: {}", gap.what, gap.why));
    failure.chain(counts).chain(gaps).collect()
}

/// `490 open files of 1,024, 401 of them sockets`
fn descriptors(descriptors: &Descriptors) -> String {
    let open = Count(descriptors.open).of("open file", "open files");
    let limit = descriptors.limit.map_or_else(String::new, |limit| format!(" of {}", Count(limit)));
    let sockets = match descriptors.sockets {
        0 => String::new(),
        sockets => format!(", {} of them {}", Count(sockets), if sockets == 1 { "a socket" } else { "sockets" }),
    };
    format!("{open}{limit}{sockets}")
}

impl ProcessAnswer {
    /// The answer about a dump; with one about an earlier dump, its parts are beside those of this one.
    pub fn new(heap: &Heap, memory: &ProcessMemory, before: Option<&ProcessMemory>) -> Self {
        let owner = |owner: &NativeOwner| OwnerRow {
            owner: owner.name.clone(),
            kind: owner.kind.name(),
            objects: owner.objects,
            native_bytes: owner.kind.has_bytes().then_some(owner.bytes.0),
            shared_bytes: owner.kind.has_bytes().then_some(owner.shared.0),
            id: heap.id_text(owner.object),
            words: owner.to_string(),
        };
        Self {
            sentence: memory.to_string(),
            growth: before.map(|before| ProcessGrowth { before, after: memory }.to_string()),
            resident_bytes: memory.resident.map(|bytes| bytes.0),
            unexplained_bytes: memory.unexplained().map(|bytes| bytes.0),
            peak_resident_bytes: memory.peak.map(|bytes| bytes.0),
            limit_bytes: memory.limits.as_ref().and_then(|limits| limits.memory),
            threads: memory.threads,
            open_files: memory.descriptors.as_ref().map(|descriptors| descriptors.open),
            open_sockets: memory.descriptors.as_ref().map(|descriptors| descriptors.sockets),
            open_files_limit: memory.descriptors.as_ref().and_then(|descriptors| descriptors.limit),
            descriptors: memory.descriptors.as_ref().map(descriptors),
            heap: HeapRow::new(memory.heap),
            parts: parts(memory, before),
            owners: memory.owners.iter().map(owner).collect(),
            failure: memory.failure.clone(),
            recorded_by: memory.sources.clone(),
            not_recorded: memory
                .gaps
                .iter()
                .map(|gap| GapRow { what: gap.what.clone(), why: gap.why.clone() })
                .collect(),
            is_compared: before.is_some(),
        }
    }

    /// Writes it as text.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        if let Some(growth) = &self.growth {
            writeln!(out, "{growth}")?;
        }
        writeln!(out, "{}", self.sentence)?;
        if let Some(failure) = &self.failure {
            writeln!(out, "Ended by: {failure}")?;
        }
        writeln!(out)?;
        self.write_parts(out)?;
        if !self.owners.is_empty() {
            writeln!(out, "\nHeld outside the heap")?;
            let all: u64 = self.owners.iter().filter_map(|owner| owner.native_bytes).sum();
            let large = |owner: &&OwnerRow| owner.native_bytes.is_some_and(|bytes| bytes >= all / 100);
            let (with_bytes, counted): (Vec<&OwnerRow>, Vec<&OwnerRow>) =
                self.owners.iter().partition(|owner| owner.native_bytes.is_some());
            let most = counted.first().map_or(0, |owner| owner.objects);
            // Of what has a number alone, what is many.
            let many = counted.into_iter().filter(|owner| owner.objects >= (most / 20).max(2));
            let mut shown = 0;
            for owner in with_bytes.into_iter().take(OWNERS).take_while(large).chain(many.take(OWNERS)) {
                writeln!(out, "  {}", owner.words)?;
                shown += 1;
            }
            if let Some(more) = self.owners.len().checked_sub(shown).filter(|&more| more > 0) {
                writeln!(out, "  {} more; 'heaplens native' lists them", Count(more as u64))?;
            }
        }
        writeln!(out, "\nHeap       {}", self.heap.words())?;
        if let Some(limit) = self.limit_bytes {
            writeln!(out, "Limit      {} for the container", Bytes(limit))?;
        }
        if let Some(peak) = self.peak_resident_bytes {
            writeln!(out, "Peak       {} resident", Bytes(peak))?;
        }
        if let Some(threads) = self.threads {
            writeln!(out, "Threads    {}", Count(threads))?;
        }
        if let Some(descriptors) = &self.descriptors {
            writeln!(out, "Files      {descriptors}")?;
        }
        if !self.recorded_by.is_empty() {
            writeln!(out, "Recorded   {}", self.recorded_by.join(", "))?;
        }
        for gap in &self.not_recorded {
            writeln!(out, "Not recorded: {}: {}", gap.what, gap.why)?;
        }
        Ok(())
    }

    fn write_parts(&self, out: &mut impl Write) -> io::Result<()> {
        let wide = self.parts.iter().map(|part| part.part.chars().count()).max().unwrap_or(0);
        for part in &self.parts {
            let share = self.resident_bytes.map_or_else(String::new, |all| {
                format!("  {:>6}", Share::of(Bytes(part.bytes), Bytes(all)).to_string())
            });
            let change = match part.before_bytes {
                Some(before) => format!("  {:>10}", ByteDelta::between(Bytes(before), Bytes(part.bytes)).to_string()),
                None if self.is_compared => format!("  {:>10}", "–"),
                None => String::new(),
            };
            let mut words = vec![part.known.to_owned()];
            words.extend(part.count.map(|count| Count(count).of(part.counted.0, part.counted.1)));
            words.extend(part.owner.as_ref().map(|owner| format!("held by {owner}")));
            words.extend((!part.about.is_empty() && part.about != part.part).then(|| part.about.clone()));
            let bytes = Bytes(part.bytes).to_string();
            writeln!(out, "{:<wide$}  {bytes:>8}{share}{change}  {}", part.part, words.join(", "))?;
        }
        Ok(())
    }
}

/// The parts, those of an earlier dump beside them; a part that is no more has no bytes.
fn parts(memory: &ProcessMemory, before: Option<&ProcessMemory>) -> Vec<PartRow> {
    let row = |part: ProcessPart, before: Option<Bytes>| PartRow {
        kind: part.kind.name(),
        part: part.title().to_owned(),
        bytes: part.bytes.0,
        before_bytes: before.map(|bytes| bytes.0),
        known: part.basis.name(),
        count: part.count,
        counted: part.kind.counted(),
        owner: part.holder,
        about: part.about,
    };
    match before {
        Some(before) => {
            let growth = ProcessGrowth { before, after: memory };
            growth.parts().into_iter().map(|change| row(change.part, Some(change.before))).collect()
        }
        None => memory.parts.iter().map(|part| row(part.clone(), None)).collect(),
    }
}

impl HeapRow {
    fn new(heap: HeapAmounts) -> Self {
        let bytes = |of: Option<Bytes>| of.map(|bytes| bytes.0);
        Self {
            file_bytes: heap.file.0,
            live_bytes: heap.live.0,
            unreachable_bytes: heap.unreachable.0,
            used_bytes: bytes(heap.used),
            committed_bytes: bytes(heap.committed),
            limit_bytes: bytes(heap.limit),
            resident_bytes: bytes(heap.resident),
        }
    }

    /// `live 13.0 MB + unreachable 1.0 MB in the dump; used 20.0 MB before it, committed 389 MB, limit 512 MB`
    fn words(&self) -> String {
        let (live, unreachable) = (Bytes(self.live_bytes), Bytes(self.unreachable_bytes));
        let mut words = format!("live {live} + unreachable {unreachable} in the dump");
        let more = [
            ("used before the dump", self.used_bytes),
            ("resident", self.resident_bytes),
            ("committed", self.committed_bytes),
            ("limit", self.limit_bytes),
        ];
        for (name, bytes) in more {
            words += &bytes.map_or_else(String::new, |bytes| format!(", {name} {}", Bytes(bytes)));
        }
        words
    }
}
