//! Times the queries that the window runs on a large dump automatically or on one key: parts of the overview, levels
//! of the dominator tree, shared objects, charts, owners and names, the palette, a selection of a million rows. Prints
//! wall time and CPU time in seconds, and peak memory.
//!
//! `cargo bench --bench answers -- [--cache FOLDER] [FILE]...`; without files a
//! fixture.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod process;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use heaplens_analysis::Question;
use heaplens_analysis::dominator_tree::{
    FoldInputs, GroupedTree, LevelForm, LevelOrder, LevelPart, Partition, PartitionBy, Shared,
};
use heaplens_analysis::grouping::{GroupBy, groups};
use heaplens_analysis::holders::holders;
use heaplens_analysis::loaders::loaders;
use heaplens_analysis::naming::Namer;
use heaplens_analysis::outline::{OutlineLimits, outline};
use heaplens_analysis::overview::glance;
use heaplens_analysis::strings::duplicate_strings;
use heaplens_analysis::threads::threads;
use heaplens_analysis::waste::waste;
use heaplens_base::storage::Folder;
use heaplens_base::{Bytes, Count, Task};
use heaplens_dump::Dump;
use heaplens_heap::ObjectId;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_session::overview::{DetailsQuestion, WasteTotalsQuestion};
use process::{anonymous_memory, cpu_time};

/// Number of rows on a page.
const PAGE: usize = 30;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut files, mut options) = (Vec::new(), OpenOptions::default());
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--cache" => options.storage.folder = arguments.next().map(|folder| Folder::at(folder.into())),
            flag if flag.starts_with("--") => {}
            file => files.push(PathBuf::from(file)),
        }
    }
    if files.is_empty() {
        files.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/leak-after.hprof.gz"));
    }
    for file in &files {
        match open_and_wait(file, &options, &Task::new()) {
            Ok(dump) => bench(file, &dump),
            Err(error) => println!("{}: {error}", file.display()),
        }
    }
}

fn bench(file: &Path, dump: &Dump) {
    let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    println!("\n## {name}: {} objects\n", Count(heap.len() as u64));
    println!("| | wall s | CPU s | peak memory |");
    println!("|---|--:|--:|--:|");
    let task = Task::new();
    // Without the answers so far.
    let anew = || dump.with_answers(dump.runtime_classes().clone(), None);
    measure("overview: what columns say", || glance(dump.data(), &[], &task));
    measure("overview: a look at every object", || DetailsQuestion.compute(anew().data(), &task));
    measure("… packages", || groups(dump.data(), GroupBy::Package, &task));
    measure("… threads", || threads(dump.data(), &task));
    measure("… class loaders", || loaders(dump.data(), &task));
    measure("overview: a look inside every object", || WasteTotalsQuestion.compute(anew().data(), &task));
    let strings = duplicate_strings(dump.data(), &task).expect("not cancelled");
    measure("… waste", || waste(dump.data(), &strings, &task));
    measure("… duplicate strings", || duplicate_strings(dump.data(), &task));

    let partition = Partition::new(heap, PartitionBy::Class);
    let level = |form, shared| {
        let order = (LevelOrder::Retained, false);
        let dump = dump.data();
        let folding = FoldInputs { dump, names_chains: true, form, partition: &partition, shared, order, then: None };
        folding.rows(LevelPart::TOP, &|_| true, &task)
    };
    let top = ask("top of the tree, folded, before it is known who shares what", || level(LevelForm::Folded, None));
    measure("top of the tree, plain", || level(LevelForm::Plain, None));
    let shared = ask("who shares what", || Shared::find(dump.data(), &task));
    measure("top of the tree, folded", || level(LevelForm::Folded, shared.as_ref().ok()));
    drop(shared);

    let Ok(tree) = GroupedTree::new(dump.data(), &task) else { return };
    let cut = OutlineLimits { least: analysis.shown.shallow.0 / 400_000, pieces: 20_000, depth: 64 };
    measure("picture of the dominator tree", || outline(&tree, None, cut, &task));

    let namer = ask("what is looked up for names", || dump.namer(&task));
    let Ok(namer) = namer else { return };
    if let Ok(top) = &top {
        let page: Vec<ObjectId> = top.rows.iter().copied().take(PAGE).collect();
        measure("owners of a page of the top", || owners(&namer, &page));
    }
    // Spread over the heap, like a page of a sorted object list.
    let shown: Vec<ObjectId> = heap.objects().filter(|&object| analysis.is_reachable(object)).collect();
    let page: Vec<ObjectId> = (0..PAGE).filter_map(|n| shown.get(shown.len() * n / PAGE).copied()).collect();
    measure("owners of a page from all over the heap", || owners(&namer, &page));
    measure("names of a page from all over the heap", || {
        page.iter().map(|&o| namer.name(o, &task)).collect::<Vec<_>>()
    });
    let deepest = shown.iter().copied().max_by_key(|&object| (analysis.distance(object), object));
    if let Some(deepest) = deepest {
        measure("name of the object farthest from a root", || namer.name(deepest, &task));
        measure("the same once more", || namer.name(deepest, &task));
        measure("its owner", || namer.owner(deepest, &task));
    }
    let million = shown.get(..shown.len().min(1_000_000)).unwrap_or_default();
    measure("holders of a million objects", || holders(dump.data(), million, &task));
}

fn owners(namer: &Namer<'_>, page: &[ObjectId]) -> usize {
    page.iter().filter(|&&object| matches!(namer.owner(object, &Task::new()), Ok(Some(_)))).count()
}

/// Prints time and memory of a query and discards its result.
fn measure<T>(what: &str, answer: impl FnOnce() -> T) {
    drop(ask(what, answer));
}

/// Prints time and memory of a query.
fn ask<T>(what: &str, answer: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    let before = anonymous_memory();
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut most = 0;
            while !done.load(Ordering::Relaxed) {
                most = most.max(anonymous_memory());
                std::thread::sleep(Duration::from_millis(2));
            }
            most
        });
        let (cpu, began) = (cpu_time(), Instant::now());
        let answer = answer();
        let (wall, cpu) = (began.elapsed(), cpu_time().saturating_sub(cpu));
        done.store(true, Ordering::Relaxed);
        let memory = watch.join().unwrap_or(0).saturating_sub(before);
        println!("| {what} | {:.3} | {:.2} | {} |", wall.as_secs_f64(), cpu.as_secs_f64(), Bytes(memory));
        answer
    })
}
