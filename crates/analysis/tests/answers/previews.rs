//! A preview shows the fields that tell the instances of a class apart.

use std::fmt::Write as _;

use heaplens_analysis::preview::{label_or_preview, preview};
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open};
use heaplens_heap::ObjectId;
use heaplens_testkit::fixtures;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

fn sketched(text: &str) -> Dump {
    let sketch = notation::read(text).unwrap_or_else(|why| panic!("{why}"));
    crate::open_bytes(write(&sketch, Form::MODERN), &OpenOptions::default())
}

/// Previews of the reachable instances of a class, in address order.
fn previews(dump: &Dump, class: &str) -> Vec<Option<String>> {
    let heap = &dump.facts.heap;
    let is_one = |object: &ObjectId| &*heap.class(*object).name == class && dump.analysis.is_reachable(*object);
    let of = |object| preview(dump.data(), object, &Task::new()).expect("not cancelled");
    heap.objects().filter(is_one).map(of).collect()
}

/// Sessions whose other fields are the same, repeat one another, or say nothing.
fn sessions() -> String {
    let mut text = "class shop.Status extends java.lang.Enum\nclass java.lang.Enum\n  field name: object\n\
                    class shop.Session\n  field hash: int\n  field visits: int\n  field shop: object\n  field id: object\n\
                    \x20 field sameId: object\n  field isOpen: boolean\n  field status: object\n  field password: object\n\
                    \x20 field notes: object\n  field items: object\n  static ALL: object = all\nroot shop.Session class\n\
                    shop = \"corner shop\"\nopen = shop.Status name=openName\nopenName = \"OPEN\"\n\
                    done = shop.Status name=doneName\ndoneName = \"DONE\"\n"
        .to_owned();
    for at in 0..6 {
        let status = if at % 2 == 0 { "open" } else { "done" };
        writeln!(
            text,
            "s{at} = shop.Session hash={} visits={} shop=shop id=id{at} sameId=id{at} isOpen={} status={status} \
             password=secret{at} notes=notes{at}\nid{at} = \"sess-{at}\"\nsecret{at} = \"hunter{at}\"\n\
             notes{at} = \"{}{at}\"",
            at * 1_000 + 7,
            at / 2,
            at % 2,
            "a long text ".repeat(12),
        )
        .expect("a text");
    }
    text + "all = java.lang.Object[] s0 s1 s2 s3 s4 s5\n"
}

#[test]
fn fields_that_tell_instances_apart_are_shown_texts_first() {
    let shown = previews(&sketched(&sessions()), "shop.Session");
    assert_eq!(shown[0].as_deref(), Some("id \"sess-0\"  visits 0  status OPEN"));
    assert_eq!(shown[5].as_deref(), Some("id \"sess-5\"  visits 2  status DONE"));
}

#[test]
fn fields_have_the_names_of_their_source() {
    let dump = sketched(
        "class shop.Audited$Trait$FieldHelper\nclass shop.Desk\n  field shop_Audited__changes: int\n\
         \x20 field name$delegate: object\n  static DESK: object = desk\nroot shop.Desk class\n\
         desk = shop.Desk shop_Audited__changes=3 name$delegate=name\nname = \"first floor\"\n",
    );
    assert_eq!(previews(&dump, "shop.Desk")[0].as_deref(), Some("name \"first floor\"  changes 3"));
}

#[test]
fn hidden_values_have_no_preview() {
    let dump = sketched(&sessions()).redacted();
    assert!(previews(&dump, "shop.Session").iter().all(Option::is_none));
}

#[test]
fn a_single_instance_shows_its_first_fields() {
    let dump = sketched(
        "class shop.Desk\n  field rows: int\n  field name: object\n  static DESK: object = desk\nroot shop.Desk class\n\
         desk = shop.Desk rows=3 name=name\nname = \"first floor\"\n",
    );
    assert_eq!(previews(&dump, "shop.Desk"), [Some("name \"first floor\"  rows 3".to_owned())]);
}

/// Arrays, class objects and strings have labels; so have entries of maps, as key and value.
#[test]
fn labels_come_before_previews() {
    let dump = open(fixtures::path("leak-after.hprof.gz")).unwrap_or_else(|error| panic!("{error}"));
    let (heap, task) = (&dump.facts.heap, Task::new());
    let mut entries = 0;
    for object in heap.objects().filter(|&object| dump.analysis.is_reachable(object)).step_by(7) {
        let shown = label_or_preview(dump.data(), object, &task).expect("not cancelled");
        match dump.contents.label(heap, object) {
            Some(label) => assert_eq!(shown, Some(label)),
            None => assert!(shown.is_none_or(|preview| preview.contains(' ') && preview.chars().count() < 200)),
        }
        if &*heap.class(object).name == "java.util.HashMap$Node" {
            let label = dump.contents.label(heap, object).unwrap_or_default();
            entries += u32::from(label.contains(" → "));
        }
    }
    assert!(entries > 10);
    let carts = previews(&dump, "desk.Session");
    assert!(carts.iter().flatten().all(|preview| preview.contains('"')), "{:?}", carts.first());
    assert!(carts.iter().flatten().count() > 10, "{:?}", carts.first());
}

#[test]
fn objects_of_javascript_show_their_properties() {
    let dump = open(fixtures::path("node/desk-final.heapsnapshot.gz")).unwrap_or_else(|error| panic!("{error}"));
    let sessions = previews(&dump, "Session");
    assert!(!sessions.is_empty());
    assert!(sessions.iter().flatten().any(|preview| preview.contains("visitor \"visitor ")), "{:?}", sessions.first());
    let nodes = previews(&dump, "TreeNode");
    assert!(nodes.iter().flatten().any(|preview| preview.contains("name \"cell ")), "{:?}", nodes.first());
}
