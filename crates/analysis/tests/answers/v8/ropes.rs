//! Deep ropes (joined strings): their text equals a walk over all parts, and reading all of them does not walk the
//! whole chain for each.

use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::search::search;
use heaplens_analysis::strings::duplicate_strings;
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_testkit::random::Random;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::snapshot::Snapshot as Made;
use heaplens_testkit::v8::write::write;

use super::naive::Mode;
use super::reader::{check, open};

/// A snapshot in which all strings are reachable, with the parts of the joined ones.
#[derive(Default)]
struct Strings {
    made: Made,
    holder: usize,
    texts: Vec<(usize, String)>,
    ropes: Vec<(usize, [usize; 2])>,
}

impl Strings {
    fn new() -> Self {
        let mut made = Made::default();
        let root = made.add("synthetic", "", 1, 0);
        let holder = made.add("object", "global", 3, 10);
        made.name(root, "shortcut", "0: global", holder);
        Self { made, holder, ..Self::default() }
    }

    fn add(&mut self, kind: &'static str, text: &str) -> usize {
        let id = self.made.nodes.len() as u64 * 2 + 1;
        let node = self.made.add(kind, text, id, 32);
        self.made.number(self.holder, "element", node as u32, node);
        node
    }

    fn text(&mut self, text: &str) -> usize {
        let node = self.add("string", text);
        self.texts.push((node, text.to_owned()));
        node
    }

    fn rope(&mut self, parts: [usize; 2]) -> usize {
        let node = self.add("concatenated string", "(concatenated string)");
        self.join(node, parts);
        node
    }

    fn join(&mut self, node: usize, parts: [usize; 2]) {
        self.made.name(node, "internal", "first", parts[0]);
        self.made.name(node, "internal", "second", parts[1]);
        self.ropes.push((node, parts));
    }

    fn open(&self) -> Dump {
        open(&write(&self.made, &Form::node20()), Mode::DevTools)
    }

    /// First `most` characters of a node's text, part by part.
    fn says(&self, node: usize, most: usize) -> String {
        let (mut text, mut waiting) = (String::new(), vec![node]);
        while let Some(at) = waiting.pop().filter(|_| text.chars().count() < most) {
            match self.ropes.binary_search_by_key(&at, |&(rope, _)| rope) {
                Ok(rope) => waiting.extend(self.ropes[rope].1.iter().rev()),
                Err(_) => {
                    text += &self.texts[self.texts.binary_search_by_key(&at, |&(text, _)| text).expect("a text")].1;
                }
            }
        }
        text.chars().take(most).collect()
    }

    /// Adds a string built by appending `lines` lines.
    fn log(&mut self, lines: usize) -> usize {
        let mut log = self.text("begin");
        for line in 0..lines {
            let line = self.text(&format!(" line {line}"));
            log = self.rope([log, line]);
        }
        log
    }
}

#[test]
fn deep_ropes_join_their_parts() {
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let mut strings = Strings::new();
        let leaves: Vec<usize> = ["a", "", "bc", "\u{1f600}", "caf\u{e9} \"x\"\n", "0123456789abcdef"]
            .map(|text| strings.text(text))
            .to_vec();
        let mut last = leaves[0];
        for _ in 0..1_500 {
            let any = if strings.ropes.is_empty() || random.one_in(2) {
                *random.pick(&leaves)
            } else {
                random.pick(&strings.ropes).0
            };
            let parts = match random.below(8) {
                // Flattened by the engine: the text, and an empty part.
                0 => [last, leaves[1]],
                1 => [any, last],
                2 => [any, *random.pick(&leaves)],
                _ => [last, any],
            };
            last = strings.rope(parts);
        }
        let dump = strings.open();
        let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
        for &(node, _) in strings.ropes.iter().step_by(7) {
            let object = heap.find(&format!("@{}", node * 2 + 1)).expect("it exists");
            for most in [1, 81, 1_024, 5_000] {
                let text = contents.text(heap, object, most).expect("a text");
                assert_eq!(text, strings.says(node, most), "seed {seed}, @{}, {most}", node * 2 + 1);
            }
        }
    }
}

#[test]
fn deep_ropes_are_compared_as_in_devtools() {
    let mut strings = Strings::new();
    let log = strings.log(700);
    let other = strings.text("not a line");
    strings.rope([log, other]);
    check(&write(&strings.made, &Form::node20()), Mode::DevTools).unwrap_or_else(|why| panic!("{why}"));
}

#[test]
fn a_string_built_by_appending_is_one_hit_and_no_duplicate() {
    let mut strings = Strings::new();
    let log = strings.log(20_000);
    // Only the last is held by anything but the next.
    strings.made.nodes[strings.holder].edges.clear();
    strings.made.number(strings.holder, "element", 0, log);
    let dump = strings.open();
    let (heap, task) = (&dump.facts.heap, Task::new());
    let actual = duplicate_strings(dump.data(), &task).expect("not cancelled");
    // Every step is another text; only the digits of the lines are not.
    assert_eq!(actual.groups.len(), 0, "{:?}", actual.groups.first());
    let (wanted, mut hits) = (TextFilter::parse("line 19999").expect("a filter"), Vec::new());
    search(dump.data(), &wanted, &task, &mut |more| hits.extend(more)).expect("not cancelled");
    let ids: Vec<String> = hits.iter().map(|&object| heap.id_text(object)).collect();
    // The whole string, and the single line.
    assert_eq!(ids, [log - 1, log].map(|node| format!("@{}", node * 2 + 1)));
}

/// Malformed files: cyclic parts without text.
#[test]
fn cyclic_ropes_end() {
    let mut strings = Strings::new();
    let nothing = strings.text("");
    let nodes: Vec<usize> = (0..5_000).map(|_| strings.add("concatenated string", "(concatenated string)")).collect();
    for (at, &node) in nodes.iter().enumerate() {
        let next = nodes[(at + 1) % nodes.len()];
        strings.join(node, if at % 2 == 0 { [next, nothing] } else { [nothing, next] });
    }
    let dump = strings.open();
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let actual = duplicate_strings(dump.data(), &Task::new()).expect("not cancelled");
    assert!(actual.groups.iter().all(|group| group.wasted.0 > 0));
    let object = heap.find(&format!("@{}", nodes[17] * 2 + 1)).expect("it exists");
    assert_eq!(contents.text(heap, object, 1_000).as_deref(), Some(""));
}

/// A part that leads back to the whole is empty for any requested length; the rest appears once.
#[test]
fn parts_that_lead_back_are_skipped() {
    for first in [1_000, 30, 1_000_000] {
        let mut strings = Strings::new();
        let (here, there) = (strings.text("here "), strings.text("there "));
        let rope = strings.add("concatenated string", "(concatenated string)");
        strings.join(rope, [here, rope]);
        let (one, other) = (strings.add("concatenated string", ""), strings.add("concatenated string", ""));
        strings.join(one, [here, other]);
        strings.join(other, [one, there]);
        let dump = strings.open();
        let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
        for (node, text) in [(rope, "here "), (one, "here there "), (other, "there ")] {
            let object = heap.find(&format!("@{}", node * 2 + 1)).expect("it exists");
            for most in [first, 12, 1_000] {
                assert_eq!(contents.text(heap, object, most).as_deref(), Some(text), "{first}, {most}");
            }
        }
    }
}

/// A file of a few kilobytes joins petabytes, behind parts that say nothing.
#[test]
fn doubling_ropes_are_cut_at_the_limit() {
    let mut strings = Strings::new();
    let (mut nothing, mut doubled) = (strings.text(""), strings.text("0123456789"));
    for _ in 0..46 {
        nothing = strings.rope([nothing, nothing]);
        doubled = strings.rope([doubled, doubled]);
    }
    let complete = strings.rope([nothing, doubled]);
    let dump = strings.open();
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let object = heap.find(&format!("@{}", complete * 2 + 1)).expect("it exists");
    assert_eq!(
        contents.text(heap, object, 25).map(|text| text[..25].to_owned()),
        Some("0123456789".repeat(3)[..25].to_owned())
    );
    let all = contents.text(heap, object, usize::MAX).expect("a text");
    assert!((1 << 20..1 << 22).contains(&all.len()), "{}", all.len());
}
