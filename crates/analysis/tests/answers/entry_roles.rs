//! Functions, tasks and exceptions among the entries of a structure are evidence for a leak, as are references of entries to
//! objects of the application outside of them; data that is loaded once has neither.

use std::fmt::Write as _;

use heaplens_analysis::LeakFinding;
use heaplens_analysis::leaks::Evidence;

use crate::structures::{ADDRESS, addresses, findings};

/// Classes of an office, whose clients are in one array, and of a desk that they may have.
const OFFICE: &str = "class desk.Office\n  static clients: object = clients\n  static cities: object = cities\nroot desk.Office class\n\
    class desk.Desk\n  field text: object\nclass desk.Client\n  field text: object\n  field other: object\n\
    class java.lang.Enum\nclass desk.Rank extends java.lang.Enum\nclass desk.Desk$$Lambda$14+0x00007f51fc006000\n  field arg$1: object\n\
    class desk.Desk$1\n  field val$x: object\nclass desk.Desk$$ExternalSyntheticLambda3\n  field f$0: object\nclass java.lang.Throwable\n  field detailMessage: object\n\
    class java.lang.Exception extends java.lang.Throwable\nclass desk.Failure extends java.lang.Exception\n\
    class java.lang.Thread\n  field name: object\n";

/// Evidence about the clients: 60 entries with a text of their own each, as `entry` writes them, given their number.
fn evidence(more: &str, entry: impl Fn(usize) -> String) -> Vec<Evidence> {
    let actual = office(more, entry);
    let clients = actual.iter().find(|finding| finding.qualified == "desk.Office.clients");
    let is_meant =
        |sign: &&Evidence| matches!(sign, Evidence::Functions(..) | Evidence::HoldFunctions(..) | Evidence::Refer(..));
    clients.expect("a finding").evidence.iter().filter(is_meant).cloned().collect()
}

fn office(more: &str, entry: impl Fn(usize) -> String) -> Vec<LeakFinding> {
    let mut text = format!("{ADDRESS}{OFFICE}{more}");
    let cities = addresses(&mut text, "city", 60);
    for at in 0..60 {
        writeln!(text, "{}\ntext{at} = \"client {at} of the office\"", entry(at)).expect("a text");
    }
    let clients: Vec<String> = (0..60).map(|at| format!("client{at}")).collect();
    writeln!(text, "clients = java.lang.Object[] {} null", clients.join(" ")).expect("a text");
    writeln!(text, "cities = java.lang.Object[] {cities} null").expect("a text");
    findings(&text)
}

#[test]
fn functions_and_exceptions_are_told_from_data() {
    let name = |class: &str| Evidence::Functions(class.to_owned(), 30, 30);
    let lambda = |at| format!("client{at} = desk.Desk$$Lambda$14+0x00007f51fc006000 arg$1=text{at}");
    assert_eq!(evidence("", lambda), [name("lambdas in desk.Desk")]);
    assert_eq!(evidence("", |at| format!("client{at} = desk.Desk$1 val$x=text{at}")), [name("desk.Desk$1")]);
    let synthetic = "desk.Desk$$ExternalSyntheticLambda3";
    assert_eq!(evidence("", |at| format!("client{at} = {synthetic} f$0=text{at}")), [name(synthetic)], "of Android");
    let failure = |at| format!("client{at} = desk.Failure detailMessage=text{at}");
    assert_eq!(evidence("", failure), [name("desk.Failure")]);
    assert_eq!(evidence("", |at| format!("client{at} = desk.Client text=text{at}")), []);
}

#[test]
fn functions_within_entries_count_if_most_entries_hold_one() {
    let with = |every: usize| {
        move |at: usize| match at % every {
            0 => format!("client{at} = desk.Client text=text{at}"),
            _ => format!("client{at} = desk.Client other=task{at}\ntask{at} = desk.Desk$1 val$x=text{at}"),
        }
    };
    assert_eq!(evidence("", with(usize::MAX)).len(), 1);
    let Some(Evidence::HoldFunctions(class, count, 30)) = evidence("", with(usize::MAX)).pop() else { panic!() };
    assert_eq!((class.as_str(), count), ("desk.Desk$1", 29), "the first holds none");
    assert_eq!(evidence("", with(4)), [], "fewer than nine tenths");
}

#[test]
fn references_to_objects_of_the_application_outside_of_entries_count() {
    let desk = "desk = desk.Desk\nrank = desk.Rank\nclass desk.Hall\n  static desk: object = desk\n  static rank: object = rank\n\
        root desk.Hall class\n";
    let to = |other: &'static str| move |at| format!("client{at} = desk.Client text=text{at} other={other}");
    assert_eq!(evidence(desk, to("desk")), [Evidence::Refer("desk.Desk".to_owned(), 30, 30)]);
    assert_eq!(evidence(desk, to("rank")), [], "constants of an enumeration are data");
    assert_eq!(evidence(desk, to("citytext7")), [], "strings are data");
    let own = |at| format!("client{at} = desk.Client text=text{at} other=own{at}\nown{at} = desk.Desk");
    assert_eq!(evidence(desk, own), [], "the entry retains it");
    let next = |at| format!("client{at} = desk.Client text=text{at} other=client{}", (at + 2) % 60);
    assert_eq!(evidence(desk, next), [], "another entry");
}

#[test]
fn a_small_list_of_functions_comes_before_a_larger_table() {
    let lambda = |at| format!("client{at} = desk.Desk$$Lambda$14+0x00007f51fc006000 arg$1=text{at}");
    let mut of_data = office("", |at| format!("client{at} = desk.Client text=text{at}"));
    let mut of_functions = office("", lambda);
    assert_eq!(of_functions.remove(0).label, "Office.clients");
    let certainty = |findings: &mut Vec<LeakFinding>, label: &str| {
        let at = findings.iter().position(|finding| finding.qualified == label).expect("a finding");
        findings.remove(at).certainty
    };
    assert!(certainty(&mut of_data, "desk.Office.clients") < 0.6);
    assert!(certainty(&mut of_functions, "desk.Office.cities") < 0.6);
}
