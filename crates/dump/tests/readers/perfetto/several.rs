//! Traces with several heap graphs, and traces without any.

use std::io::Write;

use flate2::{Compression, write::ZlibEncoder};
use heaplens_dump::OpenOptions;
use heaplens_testkit::perfetto::{self, Form, Graph, Object, Type, packet, root};

use super::same_heap::heap_of;
use super::{dominators, try_bytes, warnings};

/// A heap graph of a process with `many` objects of a class of its own.
fn graph_of(pid: u64, sequence: u64, time: u64, many: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut graph = Graph::new(&mut bytes, Form::MODERN, (pid, sequence, time));
    let name = format!("shop.C{pid}");
    let mut write = || {
        graph.type_of(&Type { id: 1, name: &name, ..Type::default() })?;
        graph.roots(root::JNI_GLOBAL, &[2])?;
        (1..=many).try_for_each(|n| graph.object(&Object { id: 2 * n, of: 1, size: 16, ..Object::default() }))
    };
    write().and_then(|()| graph.end()).expect("memory");
    bytes
}

fn open_numbered(bytes: &[u8], number: Option<u32>) -> Result<heaplens_dump::Dump, String> {
    let mut options = OpenOptions::default();
    options.read.heap_graph = number;
    try_bytes(bytes, &options)
}

#[test]
fn the_largest_heap_graph_is_shown_unless_another_is_chosen() {
    let mut bytes = perfetto::processes(&[(4, "com.shop", 10_001)]);
    // One writer ends a heap graph and begins another; the second loses its end.
    for (pid, sequence, time, many) in
        [(3, 9, 1_000_000_000, 5), (4, 9, 2_500_000_000, 8), (3, 8, 3_000_000_000, 8), (5, 7, 1, 2)]
    {
        bytes.extend(graph_of(pid, sequence, time, many));
    }
    let class = |number| {
        let dump = open_numbered(&bytes, number).expect("a heap");
        let heap = &dump.facts.heap;
        (heap.len(), heap.classes.iter().next().map(|(_, class)| class.name.to_string()).unwrap_or_default())
    };
    // Of several, the last of the largest.
    assert_eq!(class(None), (8, "shop.C3".to_owned()));
    let chosen = [1, 2, 3, 4].map(|number| class(Some(number)));
    assert_eq!(
        chosen,
        [(5, "shop.C3"), (8, "shop.C4"), (8, "shop.C3"), (2, "shop.C5")].map(|(n, c)| (n, c.to_owned()))
    );
    let error = open_numbered(&bytes, Some(5)).map(drop).expect_err("there are four");
    assert!(error.contains("heap graph number 5") && error.contains("only 4"), "{error}");
    let dump = open_numbered(&bytes, Some(1)).expect("a heap");
    let note = dump.facts.heap.notes.iter().find(|note| note.message.contains("4 heap graphs")).expect("a note");
    let listed = "(2: com.shop (process 4) at 2.500 s, 8 objects; 3: process 3 at 3.000 s, 8 objects; 4: process 5";
    assert!(note.message.contains(listed) && note.count == 3, "{}", note.message);
    assert_eq!(dump.facts.heap.origin.producer, "Android, process 3");
    assert_eq!(warnings(&dump), []);
}

#[test]
fn a_writer_that_loses_the_end_of_a_heap_graph_begins_another() {
    let mut first = Vec::new();
    let mut graph = Graph::new(&mut first, Form::MODERN, (3, 9, 1));
    graph.object(&Object { id: 2, of: 1, size: 16, ..Object::default() }).expect("memory");
    graph.split().expect("memory");
    let bytes = [first, graph_of(4, 9, 2, 3)].concat();
    assert_eq!(open_numbered(&bytes, None).expect("a heap").facts.heap.len(), 3);
    let cut = open_numbered(&bytes, Some(1)).expect("a heap");
    assert_eq!(cut.facts.heap.len(), 1);
    assert!(warnings(&cut).iter().any(|(_, _, message, _)| message.contains("last packet")), "{:?}", warnings(&cut));
}

#[test]
fn a_trace_without_a_heap_graph_says_so() {
    let bytes = [perfetto::processes(&[(1, "init", 0)]), perfetto::clocks(7, 6)].concat();
    let error = open_numbered(&bytes, None).map(drop).expect_err("no heap graph");
    let expected = "Perfetto: expected a heap graph, found a Perfetto trace without one. Record it with the data source android.java_hprof.";
    assert_eq!(error, expected);
}

#[test]
fn compressed_packets_are_unpacked() {
    let sketch = heap_of(4, 300);
    let plain = perfetto::write(&sketch, Form { packet: 2_000, ..Form::MODERN }, |_| 24);
    let packed = |bytes: &[u8]| {
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
        zlib.write_all(bytes).expect("memory");
        zlib.finish().expect("memory")
    };
    let options = OpenOptions::default();
    let expected = dominators(&try_bytes(&plain, &options).expect("a heap"));
    let complete = packet(|out| {
        out.bytes(50, &packed(&plain));
    });
    let opened = try_bytes(&complete, &options).expect("a heap");
    assert_eq!((dominators(&opened), warnings(&opened)), (expected.clone(), vec![]));
    let mixed = [perfetto::clocks(7, 6), complete.clone(), perfetto::processes(&[(7, "com.shop", 1)])].concat();
    assert_eq!(dominators(&try_bytes(&mixed, &options).expect("a heap")), expected);
    // Truncated or damaged: what can be unpacked is read, and the rest is said to be missing.
    let mut most = 0;
    for end in (20..complete.len()).step_by(complete.len() / 20) {
        if let Ok(dump) = try_bytes(&complete[..end], &options) {
            most = most.max(dump.facts.heap.len());
            assert!(!warnings(&dump).is_empty());
        }
    }
    // A damaged one is missing, and so are all if there is no other.
    let mut torn = packed(&plain);
    let middle = torn.len() / 2;
    torn[middle..].iter_mut().for_each(|byte| *byte ^= 0x55);
    let torn = packet(|out| {
        out.bytes(50, &torn);
    });
    let dump = try_bytes(&[complete, torn.clone()].concat(), &options).expect("the first packet");
    assert!(
        warnings(&dump).iter().any(|(_, _, message, _)| message.contains("compressed packet")),
        "{:?}",
        warnings(&dump)
    );
    assert_eq!(dominators(&dump), expected);
    let error = try_bytes(&torn, &options).map(drop).expect_err("nothing can be unpacked");
    assert!(error.starts_with("Perfetto: expected compressed packets"), "{error}");
}
