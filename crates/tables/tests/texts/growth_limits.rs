//! Limits of growth over three dumps and more.

use heaplens_analysis::naming::{NameIndex, Namer};
use heaplens_analysis::runtime_classes::RuntimeClasses;
use heaplens_base::{Bytes, Task};
use heaplens_session::LoadedDump;
use heaplens_session::chain::Chain;
use heaplens_session::series::series;
use heaplens_tables::diff::limits::{GrowthLimit, LimitCheck};

/// A program with a static array of so many entries.
fn program(entries: usize) -> LoadedDump {
    let labels: Vec<String> = (0..entries).map(|at| format!("entry{at}")).collect();
    let entries: String = labels.iter().map(|label| format!("{label} = shop.Entry number=7\n")).collect();
    crate::sketched(&format!(
        "class shop.App
           static leak: object = leak
         root shop.App class
         class shop.Entry
           field number: long
         leak = java.lang.Object[] {}
{entries}",
        labels.join(" ")
    ))
}

#[test]
fn an_owner_that_grew_exceeds_its_limit_by_what_is_charged_to_it() {
    let (dumps, task) = ([96, 300, 700].map(program), Task::new());
    let chain = Chain::new(dumps.iter().map(LoadedDump::to_compare).collect(), |_| None, &task).expect("not cancelled");
    let found = series(&chain, &task).expect("not cancelled");
    let indices = dumps.each_ref().map(|dump| {
        let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
        NameIndex::new(heap, contents, &dump.analysis, RuntimeClasses::default(), &task).expect("not cancelled")
    });
    let namers = dumps.iter().zip(&indices).map(|(dump, index)| {
        let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
        Namer { heap, contents, analysis: &dump.analysis, index }
    });
    let namers: Vec<Namer<'_>> = namers.collect();
    let limit = GrowthLimit { owner: "shop.App.leak".to_owned(), bytes: Bytes(0) };
    let limits = LimitCheck::series(&found, &namers).expect("three dumps");
    let grown = limits.grown(&limit, &task).expect("not cancelled");
    assert_eq!(grown.iter().map(|grown| grown.bytes).collect::<Vec<_>>(), [found.owners[0].charged]);
}
