//! Android dumps: names from ProGuard and R8 mappings, applied while opening and afterwards, wrong mappings; copies without
//! values.

use std::sync::Arc;

use heaplens_base::Task;
use heaplens_base::storage::Folder;
use heaplens_dump::Dump;
use heaplens_dump::mapping::MappingFile;
use heaplens_heap::{Address, ObjectId, ReferenceKind, Value};
use heaplens_session::OpenOptions;
use heaplens_session::strip::{StripOptions, strip};
use heaplens_testkit::art::Writer;
use heaplens_testkit::phone::{at, sample};
use heaplens_testkit::sketch::Id;
use heaplens_testkit::{hprof, notation};

use crate::{open_bytes, try_open};

const MAPPING: &str = "\
# pg_map_id: 1a2b3c4
shop.Catalogue -> com.example.Cache:
    shop.Catalogue shared -> current
    java.lang.String headline -> title
shop.Tree$Leaf -> com.android.Node:
    java.lang.Object[] leaves -> next
";

fn open(bytes: &[u8]) -> Dump {
    open_bytes(bytes, &OpenOptions::default())
}

fn object(dump: &Dump, id: Id) -> ObjectId {
    dump.facts.heap.at(Address(id)).unwrap_or_else(|| panic!("no object at {id:#x}"))
}

fn field(dump: &Dump, id: Id, name: &str) -> Value {
    let fields = dump.facts.contents.fields(&dump.facts.heap, object(dump, id)).expect("it is readable");
    fields.into_iter().find(|field| field.name == name).unwrap_or_else(|| panic!("no field {name}")).value
}

/// Count of the parse warning that contains `words`.
fn noted(dump: &Dump, words: &str) -> u64 {
    dump.facts.heap.notes.iter().filter(|note| note.message.contains(words)).map(|note| note.count).sum()
}

fn read(text: &str) -> Arc<MappingFile> {
    let file = crate::temporary_file(text);
    Arc::new(MappingFile::read(file.path()).expect("a mapping"))
}

fn with(text: &str) -> OpenOptions {
    OpenOptions { mappings: vec![read(text)], ..OpenOptions::default() }
}

#[test]
fn classes_and_members_have_the_names_of_the_sources() {
    let dump = open_bytes(sample().write(Writer::Art), &with(MAPPING));
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    let cache = object(&dump, at::CACHE);
    assert_eq!(&*heap.class(cache).name, "shop.Catalogue");
    assert!(heap.classes.named("com.example.Cache").is_none());
    assert_eq!(field(&dump, at::CACHE, "headline"), Value::Object(object(&dump, at::TITLE)));
    let names = contents.reference_names(heap, object(&dump, at::CACHE_CLASS), cache, 9);
    assert!(names.iter().any(|name| name.text == "shared" && name.kind == ReferenceKind::Static), "{names:?}");
    assert!(dump.census.rows.iter().any(|row| &*row.class == "shop.Catalogue"));
    assert_eq!(noted(&dump, "classes renamed by"), 2);
    let mapped = dump.facts.mapped.as_ref().expect("names");
    assert_eq!((mapped.classes.0, &mapped.doubt), (2, &None));
}

/// Adding or removing a mapping changes nothing but names.
#[test]
fn a_mapping_is_added_and_removed_without_rereading() {
    let dump = open(&sample().write(Writer::Art));
    let named = dump.facts.renamed(&read(MAPPING));
    assert!(named.heap.classes.named("shop.Tree$Leaf").is_some());
    let other = named.renamed(&read("shop.Other -> com.example.Cache:\n"));
    assert!(other.heap.classes.named("shop.Other").is_some());
    assert!(other.heap.classes.named("shop.Tree$Leaf").is_none(), "a mapping takes the place of the one before");
    let back = other.unmapped();
    let all = |facts: &heaplens_dump::facts::Facts| {
        let of = |object| (facts.contents.fields(&facts.heap, object), facts.heap.class(object).name.clone());
        facts.heap.objects().map(of).collect::<Vec<_>>()
    };
    assert_eq!(all(&back), all(&dump.facts));
    assert!(back.mapped.is_none());
}

#[test]
fn the_stored_analysis_has_obfuscated_names() {
    let (folder, file) = (tempfile::tempdir().expect("a folder"), tempfile::NamedTempFile::new().expect("a file"));
    std::fs::write(file.path(), sample().write(Writer::Art)).expect("disk space");
    let mut options = with(MAPPING);
    options.storage.folder = Some(Folder::at(folder.path().to_owned()));
    let class = |options: &OpenOptions, stored: bool| {
        let dump = try_open(file.path(), options).expect("a dump");
        assert_eq!(dump.is_from_cache(), stored);
        dump.facts.heap.class(object(&dump, at::CACHE)).name.to_string()
    };
    assert_eq!(class(&options, false), "shop.Catalogue");
    assert_eq!(class(&options, true), "shop.Catalogue");
    options.mappings.clear();
    assert_eq!(class(&options, true), "com.example.Cache");
}

#[test]
fn a_mapping_of_another_build_is_reported() {
    let bytes = sample().write(Writer::Art);
    let doubt =
        |text| open_bytes(&bytes, &with(text)).facts.mapped.clone().expect("names").doubt.clone().expect("a doubt");
    assert!(doubt("shop.Other -> a.b:\n").contains("names none of the"));
    let text = "shop.Other -> com.example.Cache:\n    int size -> title\n    int limit -> limit\n";
    assert!(doubt(text).starts_with("1 of 2 mapped fields"), "{}", doubt(text));
}

/// A frame expands to its inlined frames; its locals belong to the outermost.
#[test]
fn frames_have_the_lines_of_the_sources() {
    let heap = "\
class a.d
class java.lang.Thread
  field name: object
class a.e
t = java.lang.Thread
held = a.e
root t thread 1 trace 2
root held frame 1 0
trace 2 thread 1
  frame a.d.b (I)V r8-map-id-1a2b3c4d 11
  frame a.d.c ()V SourceFile 3
  frame java.lang.Thread.run ()V Thread.java 833";
    let mapping = "\
# pg_map_id: 1a2b3c4
shop.Sessions -> a.d:
# {\"id\":\"sourceFile\",\"fileName\":\"Sessions.kt\"}
    10:12:void shop.Log.write(java.lang.String):7:9 -> b
    10:12:void open(shop.Session):100:102 -> b
    void close() -> c
";
    let sketch = notation::read(heap).expect("a heap");
    let bytes = hprof::write(&sketch, hprof::Form::MODERN);
    let dump = open_bytes(&bytes, &with(mapping));
    let contents = &dump.facts.contents;
    let stack = contents.whole_stack(0);
    let texts: Vec<&str> = stack.frames.iter().map(|frame| &*frame.text).collect();
    let expected = [
        "shop.Log.write(Log.java:8)",
        "shop.Sessions.open(Sessions.kt:101)",
        "shop.Sessions.close(Sessions.kt:3)",
        "java.lang.Thread.run(Thread.java:833)",
    ];
    assert_eq!(texts, expected);
    let holding: Vec<usize> = (0..4).filter(|&at| !stack.frames[at].locals.is_empty()).collect();
    assert_eq!(holding, [1]);
    let thread = contents.stack_owners()[0].object.expect("a thread");
    assert_eq!(contents.stack(&dump.facts.heap, thread), expected);
    let other = mapping.replace("1a2b3c4", "ffff000");
    let doubt = open_bytes(&bytes, &with(&other)).facts.mapped.clone().expect("names").doubt.clone();
    assert!(doubt.is_some_and(|doubt| doubt.contains("another build")));
}

/// A stripped dump has the same sizes and counts, and no values.
#[test]
fn a_stripped_dump_keeps_all_but_contents() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (from, to) = (folder.path().join("from.hprof"), folder.path().join("to.hprof"));
    let copy = |heaps: &[String]| {
        let what = StripOptions { heaps: heaps.to_vec(), ..StripOptions::default() };
        strip(&from, &to, &what, &OpenOptions::default().read, &Task::new()).expect("a dump")
    };
    for by in [Writer::Art, Writer::Koom, Writer::Tailor] {
        let bytes = sample().write(by);
        std::fs::write(&from, &bytes).expect("disk space");
        let lines = copy(&[]);
        assert_eq!((lines.broken, lines.left_out), (None, 0), "{by:?}");
        let written = std::fs::read(&to).expect("it was written");
        let (complete, stripped) = (open(&bytes), open(&written));
        assert!(!written.windows(5).any(|text| text == b"hello"), "{by:?}");
        let title = object(&stripped, at::TITLE);
        assert_eq!(stripped.facts.contents.text(&stripped.facts.heap, title, 100), None, "{by:?}");
        let (heap, other) = (&complete.facts.heap, &stripped.facts.heap);
        assert_eq!(heap.len(), other.len(), "{by:?}");
        for object in heap.objects() {
            assert_eq!(heap.address(object), other.address(object), "{by:?}");
            assert_eq!(heap.shallow(object), other.shallow(object), "{by:?}");
            assert_eq!(heap.references(object), other.references(object), "{by:?}");
            assert_eq!(heap.region_name(object), other.region_name(object), "{by:?}");
            assert_eq!(heap.native(object), other.native(object), "{by:?}");
            assert_eq!(complete.analysis.retained(object), stripped.analysis.retained(object), "{by:?}");
        }
    }
    std::fs::write(&from, sample().write(Writer::Art)).expect("disk space");
    let lines = copy(&["app".to_owned()]);
    assert_eq!(lines.left_out, 6);
    let app = open(&std::fs::read(&to).expect("it was written"));
    assert_eq!(app.facts.heap.at(Address(at::ZYGOTE_NODE)), None);
    assert_eq!(app.facts.heap.region_name(object(&app, at::CACHE)), Some("app"));
}
