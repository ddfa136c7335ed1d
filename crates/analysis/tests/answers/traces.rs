//! Android leak traces equal Shark's: its unit tests, restated as small heaps. For known bugs of Shark, the tests state the
//! correct result.

use heaplens_analysis::android::shark::{
    Device, Leak, LeakReport, Matchers, Roots, SharkQuery, leak_report, root_text,
};
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::leakcanary::watching;
use heaplens_testkit::notation;

mod beyond;
mod collections;
mod fragments;
mod koom;
mod missing;
mod paths;
mod sizes;
mod statuses;

fn open(bytes: &[u8]) -> Dump {
    crate::open_bytes(bytes, &OpenOptions::default())
}

fn look(dump: &Dump, matchers: &Matchers) -> LeakReport {
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let device = Device::default();
    leak_report(SharkQuery { heap, contents, matchers, device: &device, roots: Roots::All }, &Task::new())
        .expect("not cancelled")
}

/// Leaks of a heap with watched objects and additional known leaks.
fn found_with(heap: &str, watched: &[&str], known: &str) -> LeakReport {
    let mut matchers = Matchers::default();
    matchers.add(known).expect("matchers");
    look(&sketched(&watching(heap, watched)), &matchers)
}

/// Dump of a heap in the notation of `crates/testkit/src/notation.rs`, with 4-byte ids.
fn sketched(heap: &str) -> Dump {
    let sketch = notation::read(heap).unwrap_or_else(|why| panic!("{why}"));
    open(&write(&sketch, Form { id_bytes: 4, ..Form::MODERN }))
}

fn report_of(heap: &str, watched: &[&str]) -> LeakReport {
    found_with(heap, watched, "")
}

/// A leak in one line: `application System class: GcRoot.path Holder.next`.
fn path_text(leak: &Leak) -> String {
    let trace = &leak.traces[0];
    let references = trace.steps.iter().filter_map(|step| step.reference.as_ref());
    let path: Vec<String> = references.map(|reference| format!("{}{}", reference.prefix(), reference.name)).collect();
    format!("{} {}: {}", leak.kind(), root_text(trace.root), path.join(" "))
}

fn path_texts(report: &LeakReport) -> Vec<String> {
    report.leaks.iter().map(path_text).collect()
}

fn labels(leak: &Leak) -> &[String] {
    leak.traces[0].steps.last().map_or(&[], |step| &step.subject.labels)
}
