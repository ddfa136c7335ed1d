//! The overview of a dump in parts of increasing cost: from columns, from every object, from the contents of every
//! object.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::output_file::{OutputFile, OutputKind};
use heaplens_analysis::answer_file::AnswerFile;
use heaplens_analysis::finalizers::{FinalizerRow, FinalizerState, FinalizersQuestion};
use heaplens_analysis::grouping::{GroupRow, GroupsQuestion};
use heaplens_analysis::loaders::{LoaderRow, LoadersQuestion};
use heaplens_analysis::native_memory::OutsideHeap;
use heaplens_analysis::native_owners::{NativeOwner, NativeOwnersQuestion};
use heaplens_analysis::overview::{
    DetailedOverview, Finding, FindingSubject, SumRow, Target, ThreadSum, WasteSum, WasteTotals, is_much,
};
use heaplens_analysis::strings::{DuplicateStrings, StringsQuestion};
use heaplens_analysis::waste::{WasteQuestion, WasteRow};
use heaplens_analysis::{DumpData, GroupBy, Question, ThreadRow, WasteKind, threads::ThreadsQuestion};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{Analysis, Heap};

/// Maximum number of packages and threads.
const ROWS: usize = 5;
/// Maximum number of findings about native memory.
const NATIVE: usize = 2;
/// Maximum number of class loaders named.
const NAMED: usize = 3;
/// Number of objects awaiting finalization that makes a finding whatever their size.
const WAITING: u64 = 1_000;
/// Maximum number of characters shown of a string.
const CHARACTERS: usize = 40;

/// What do packages, threads, class loaders, finalizers and direct buffers hold? Visits every object.
#[derive(Clone, PartialEq, Eq)]
pub struct DetailsQuestion;

impl Question for DetailsQuestion {
    type Answer = DetailedOverview;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<DetailedOverview, Cancelled> {
        details(dump, task)
    }

    fn file(&self) -> Option<AnswerFile<DetailedOverview>> {
        Some(AnswerFile::json("overview", &()))
    }
}

/// Which kinds of waste are there, and what is wasted by each? Reads the contents of every object.
#[derive(Clone, PartialEq, Eq)]
pub struct WasteTotalsQuestion;

impl Question for WasteTotalsQuestion {
    type Answer = WasteTotals;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<WasteTotals, Cancelled> {
        waste_totals(dump, task)
    }

    fn file(&self) -> Option<AnswerFile<WasteTotals>> {
        Some(AnswerFile::json("waste", &()))
    }
}

fn details(dump: DumpData<'_>, task: &Task) -> Result<DetailedOverview, Cancelled> {
    let DumpData { heap, analysis, .. } = dump;
    let packages = dump.intermediate(&GroupsQuestion(GroupBy::Package), task)?;
    let mut packages: Vec<&GroupRow> = packages.iter().collect();
    packages.sort_by(|a, b| b.retained.cmp(&a.retained).then_with(|| a.name.cmp(&b.name)));
    let threads = dump.intermediate(&ThreadsQuestion, task)?;
    let mut findings: Vec<Finding> = garbage(analysis).into_iter().collect();
    findings.extend(native(dump, &dump.intermediate(&NativeOwnersQuestion, task)?));
    findings.extend(waiting(analysis, &dump.intermediate(&FinalizersQuestion, task)?));
    findings.extend(leaked_loaders(dump, &dump.intermediate(&LoadersQuestion, task)?));
    findings.iter_mut().for_each(|finding| finding.is_incomplete = heap.is_incomplete());
    Ok(DetailedOverview {
        packages: packages.iter().take(ROWS).map(|row| package(analysis, row)).collect(),
        thread_count: threads.len() as u64,
        threads: threads.iter().take(ROWS).map(|row| thread(heap, row)).collect(),
        findings,
    })
}

fn waste_totals(dump: DumpData<'_>, task: &Task) -> Result<WasteTotals, Cancelled> {
    let analysis = dump.analysis;
    let strings = dump.intermediate(&StringsQuestion, task)?;
    let rows = dump.intermediate(&WasteQuestion, task)?;
    let total = analysis.shown.shallow;
    // Object headers are no finding. What two kinds have is told once.
    let large = rows.iter().filter(|row| row.kind != WasteKind::ObjectHeaders && is_much(row.own().shallow, total));
    let finding = |row: &WasteRow| {
        let about = match row.kind {
            WasteKind::DuplicateStrings => of_strings(dump, &strings),
            kind => FindingSubject::Waste(kind, row.own().objects),
        };
        let finding = Finding::new(about, row.own().shallow, total, target(row.kind));
        Finding { extent: row.extent.clone(), ..finding }
    };
    let findings = large.map(finding).collect();
    let sum = |row: &WasteRow| {
        let &WasteRow { kind, objects, wasted, .. } = row;
        WasteSum { kind, objects, wasted, own: row.own(), target: target(kind) }
    };
    Ok(WasteTotals { rows: rows.iter().map(sum).collect(), findings })
}

fn package(analysis: &Analysis, row: &GroupRow) -> SumRow {
    let biggest = row.members.iter().copied().max_by_key(|&c| (analysis.class_retained(c), std::cmp::Reverse(c)));
    let &GroupRow { objects, shallow, retained, .. } = row;
    SumRow { name: row.name.clone(), class: biggest, objects, shallow, retained }
}

fn thread(heap: &Heap, row: &ThreadRow) -> ThreadSum {
    let number = || match (row.object, row.stack) {
        (Some(object), _) => heap.id_text(object),
        (None, stack) => format!("thread {}", stack.map_or(0, |(serial, _)| serial)),
    };
    ThreadSum {
        object: row.object,
        id: row.object.map(|object| heap.id_text(object)),
        name: row.name.clone().unwrap_or_else(number),
        state: row.state,
        retained: row.retained,
        out_of_memory: row.out_of_memory,
    }
}

fn garbage(analysis: &Analysis) -> Option<Finding> {
    let bytes = analysis.unreachable.shallow;
    let total = analysis.shown.shallow + bytes;
    // Less than a tenth is ordinary garbage.
    let much = bytes > Bytes(0) && bytes.0 >= total.0 / 10;
    let about = FindingSubject::Garbage(analysis.unreachable.objects);
    much.then_some(Finding::new(about, bytes, total, Target::Histogram))
}

/// What holds much memory outside the heap: as much as makes a finding inside.
fn native(dump: DumpData<'_>, owners: &[NativeOwner]) -> Vec<Finding> {
    let (heap, outside) = (dump.analysis.shown.shallow, OutsideHeap::of(dump).bytes());
    let much = owners.iter().filter(|owner| owner.is_much(heap, 100));
    // What is outside is no part of the heap: its share is that of both.
    let total = heap + outside;
    let finding =
        |owner: &NativeOwner| Finding::new(FindingSubject::Native(owner.clone()), owner.bytes, total, Target::Process);
    much.take(NATIVE).map(finding).collect()
}

fn waiting(analysis: &Analysis, rows: &[FinalizerRow]) -> Option<Finding> {
    let waiting = || rows.iter().filter(|row| row.state == FinalizerState::Waiting);
    let objects = waiting().map(|row| row.objects.len() as u64).sum();
    let bytes = waiting().map(|row| row.retained).sum();
    let total = analysis.shown.shallow;
    let much = objects > 0 && (is_much(bytes, total) || objects >= WAITING);
    much.then_some(Finding::new(FindingSubject::Finalizers(objects), bytes, total, Target::Finalizers))
}

/// Loaders retained only by their own classes: applications that were stopped or replaced.
fn leaked_loaders(dump: DumpData<'_>, rows: &[LoaderRow]) -> Option<Finding> {
    let leaked: Vec<&LoaderRow> = rows.iter().filter(|row| !row.held_otherwise() && row.objects > 0).collect();
    let objects = leaked.iter().filter_map(|row| row.loader);
    let bytes = dump.analysis.retained_together(objects);
    let total = dump.analysis.shown.shallow;
    let label = |row: &&LoaderRow| {
        let class = row.loader.map_or("", |loader| &dump.heap.class(loader).name);
        row.name.as_ref().map_or_else(|| class.to_owned(), |name| format!("{class} {name:?}"))
    };
    let mut names: Vec<String> = leaked.iter().map(label).collect();
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    is_much(bytes, total).then_some(Finding::new(FindingSubject::Loaders(names), bytes, total, Target::Loaders))
}

fn of_strings(dump: DumpData<'_>, strings: &DuplicateStrings) -> FindingSubject {
    let (objects, _, _) = strings.surplus();
    let costliest = strings.groups.first();
    let text = costliest.map(|group| dump.contents.text(dump.heap, group.first, CHARACTERS + 1).unwrap_or_default());
    let text = text.unwrap_or_default();
    let cut = text.chars().count() > CHARACTERS;
    let short: String = text.chars().take(CHARACTERS).chain(cut.then_some('…')).collect();
    FindingSubject::DuplicateStrings(objects, short, costliest.map_or(0, |group| group.objects))
}

fn target(kind: WasteKind) -> Target {
    match kind {
        WasteKind::DuplicateStrings => Target::Strings,
        WasteKind::EmptyCollections | WasteKind::SparseCollections | WasteKind::UnusedRoom => Target::Collections,
        WasteKind::DuplicateArrays
        | WasteKind::ZeroArrays
        | WasteKind::UnusedBuffers
        | WasteKind::DuplicateNumbers
        | WasteKind::ObjectHeaders => Target::Waste,
    }
}

/// Writes a report to a file; `inputs` are the files it was made of, `has_values` unless they are redacted.
///
/// # Errors
/// Those of [`OutputFile::write`].
pub fn save(path: &Path, inputs: &[PathBuf], has_values: bool, report: &[u8]) -> io::Result<()> {
    OutputFile::new(path, OutputKind::Text, inputs).with_values(has_values).write(|out| out.write_all(report))
}
