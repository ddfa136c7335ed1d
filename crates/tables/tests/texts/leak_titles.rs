//! Titles of findings: names as in the source, and the file of a variable that others are called as.

use std::fmt::Write as _;

use heaplens_analysis::LeakFinding;
use heaplens_analysis::leaks::default_min_bytes;
use heaplens_analysis::leaks::words::{statement, title};
use heaplens_base::Task;
use heaplens_session::leaks::{LeakRules, findings};

use crate::sketched;

/// The finding about 200 watchers that a companion object of Scala holds.
fn finding() -> LeakFinding {
    let mut text =
        "class harbour.Pier$\n  static MODULE$: object = pier\n  field buoy: object\nroot harbour.Pier$ class\n\
         class harbour.Buoy\n  field org$harbour$Signals$$watchers: object\n\
         class harbour.Harbour$$Lambda$19+0x0000000100003410\n  field arg$1: object\n\
         pier = harbour.Pier$ buoy=buoy\nbuoy = harbour.Buoy org$harbour$Signals$$watchers=watchers\n\
         class java.util.ArrayList\n  field elementData: object\n  field size: int\n  field modCount: int\n\
         watchers = java.util.ArrayList elementData=elements size=200 modCount=200\n"
            .to_owned();
    for at in 0..200 {
        writeln!(
            text,
            "watcher{at} = harbour.Harbour$$Lambda$19+0x0000000100003410 arg$1=ship{at}\nship{at} = \"ship {at}\""
        )
        .expect("a text");
    }
    let all: Vec<String> = (0..200).map(|at| format!("watcher{at}")).collect();
    writeln!(text, "elements = java.lang.Object[] {}", all.join(" ")).expect("a text");
    let dump = sketched(&text);
    let min_bytes = default_min_bytes(dump.analysis.shown.shallow);
    findings(dump.data(), (&LeakRules::default(), min_bytes), &Task::new()).expect("not cancelled").swap_remove(0)
}

#[test]
fn names_of_compilers_are_those_of_the_source() {
    assert_eq!(statement(&finding()), "Signals.watchers holds 200 lambdas in harbour.Harbour");
}

#[test]
fn variables_of_one_name_are_told_apart_in_titles() {
    let finding = LeakFinding { distinction: Some("a.js".to_owned()), label: "cache".to_owned(), ..finding() };
    assert!(title(&finding).starts_with("cache (a.js) holds 200 "), "{}", title(&finding));
}
