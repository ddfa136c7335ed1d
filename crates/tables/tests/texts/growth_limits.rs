//! Limits of growth over three dumps and more.

use heaplens_analysis::naming::Namer;
use heaplens_base::{Bytes, Task};
use heaplens_dump::Dump;
use heaplens_session::chain::Chain;
use heaplens_session::series::series;
use heaplens_tables::diff::limits::{GrowthLimit, LimitCheck};

/// A program with a static array of so many entries.
fn program(entries: usize) -> Dump {
    let labels: Vec<String> = (0..entries).map(|at| format!("entry{at}")).collect();
    let entries: Vec<String> = labels.iter().map(|label| format!("{label} = shop.Entry number=7")).collect();
    let entries = entries.join("\n");
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
    let chain = Chain::new(dumps.iter().map(Dump::data).collect(), |_| None, &task).expect("not cancelled");
    let actual = series(&chain, &task).expect("not cancelled");
    let namers: Vec<Namer<'_>> = dumps.iter().map(|dump| dump.namer(&task).expect("not cancelled")).collect();
    let limit = GrowthLimit { owner: "shop.App.leak".to_owned(), bytes: Bytes(0) };
    let limits = LimitCheck::series(&actual, &namers).expect("three dumps");
    let grown = limits.grown(&limit, &task).expect("not cancelled");
    assert_eq!(grown.iter().map(|grown| grown.bytes).collect::<Vec<_>>(), [actual.owners[0].charged]);
}
