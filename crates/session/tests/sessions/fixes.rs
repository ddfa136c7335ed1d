//! Fixes: the removals of one dump, written by names, read, and looked up in it and in another.

use std::path::Path;
use std::sync::Arc;

use crate::try_open;
use heaplens_analysis::Cut;
use heaplens_analysis::naming::Unresolved;
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_session::cuts::{Fix, SavedCut};
use heaplens_session::{Cuts, Jobs, OpenDump, OpenOptions};

fn fixture(name: &str) -> OpenDump {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name);
    OpenDump::new(try_open(&path, &OpenOptions::default()).expect("it opens"), Arc::default(), false)
}

fn resolved(dump: &OpenDump, name: &str) -> Cut {
    let task = Task::new();
    dump.namer(&task).expect("not cancelled").resolve_cut(name, &task).expect("it exists")
}

fn by_name(dump: &Dump, text: &str, task: &Task) -> Result<Cut, Unresolved> {
    dump.namer(task)?.resolve_cut(text, task)
}

/// A removal of each kind, one of them without a name.
fn removals(dump: &OpenDump) -> Vec<Cut> {
    let names = ["desk.SessionCache.ENTRIES", "desk.Session.page", "object desk.OrderDesk.orders", "desk.AuditEntry"];
    let mut cuts: Vec<Cut> = names.iter().map(|name| resolved(dump, name)).collect();
    let node = dump.heap.objects().find(|&object| &*dump.heap.class(object).name == "desk.ChainLink").expect("a link");
    cuts.push(Cut::Object(node));
    cuts
}

#[test]
fn a_fix_leads_back_to_its_removals_and_by_names_to_those_of_the_next_dump() {
    let (before, after, task) = (fixture("leak-before.hprof.gz"), fixture("leak-after.hprof.gz"), Task::new());
    let jobs = Jobs::new(Arc::new(|| ()));
    let mut cuts = Cuts::default();
    cuts.toggle_all(removals(&after), &after, &jobs);
    cuts.switch(1, false, &after, &jobs);
    cuts.note(0, "Ann clears it at night".to_owned(), &after, &jobs);
    cuts.name_fix(" bounded cache ", &after, &jobs);
    let fix = cuts.as_fix(&after)(&task).expect("not cancelled");
    assert_eq!((&*fix.name, fix.removals.len()), ("bounded cache", 5));
    let read = Fix::parse(&fix.text()).expect("a fix");
    assert_eq!(read, fix);
    let own = after.resolve_fix(&read, by_name, &task).expect("not cancelled");
    let of_list = |cuts: &Cuts| -> Vec<(Cut, bool, String)> {
        cuts.all().iter().map(|removal| (removal.cut.clone(), !removal.is_on, removal.note.clone())).collect()
    };
    let of_fix: Vec<(Cut, bool, String)> =
        own.removals.iter().map(|removal| (removal.cut.clone(), removal.is_off, removal.note.clone())).collect();
    assert_eq!((of_fix, own.missing.len()), (of_list(&cuts), 0));
    // What has an id is none of the other dump.
    let with_id = fix.removals.iter().filter(|removal| removal.cut.contains("0x")).count();
    assert_eq!(fix.dump.is_some(), with_id > 0);
    let other = before.resolve_fix(&read, by_name, &task).expect("not cancelled");
    assert_eq!(other.removals.len() + other.missing.len(), 5);
    assert_eq!(other.removals[0].cut, resolved(&before, "desk.SessionCache.ENTRIES"));
    assert!(other.missing.iter().all(|removal| removal.cut.contains("0x")), "{:?}", other.missing);
    // One step, with the name; what is missing stays with the list, and goes when the step is undone.
    let mut applied = Cuts::default();
    applied.apply(other.clone(), &before, &jobs);
    assert_eq!((applied.fix_name(), applied.all().len()), ("bounded cache", other.removals.len()));
    assert_eq!(applied.missing(&before).len(), other.missing.len());
    applied.undo(&before, &jobs);
    assert_eq!((applied.fix_name(), applied.all().len(), applied.missing(&before).len()), ("", 0, 0));
    applied.redo(&before, &jobs);
    // Nothing removed: nothing to name.
    applied.clear(&before, &jobs);
    assert_eq!((applied.fix_name(), applied.missing(&before).len()), ("", 0));
}

#[test]
fn whatever_a_file_says_is_a_removal_or_missing() {
    let (dump, task) = (fixture("leak-after.hprof.gz"), Task::new());
    let names =
        ["desk.SessionCache.ENTRIES[\"user-17\"].value", "object desk.OrderDesk.orders", "thread \"main\".x[3]"];
    for name in names {
        let pieces = (0..=name.len()).map(|end| name[..end].to_owned());
        let pieces = pieces.chain((0..name.len()).map(|start| format!("{}\u{202e}]", &name[start..])));
        let removals: Vec<SavedCut> = pieces.map(SavedCut::of).collect();
        let number = removals.len();
        let fix = Fix { name: "any".to_owned(), dump: None, removals };
        let resolved = dump.resolve_fix(&fix, by_name, &task).expect("not cancelled");
        assert_eq!(resolved.removals.len() + resolved.missing.len(), number, "{name}");
    }
}
