//! Dumps truncated at any byte open or are refused with a reason, in every form; and every Android-only analysis gives
//! an answer or none.

use heaplens_analysis::android::bitmaps::Bitmaps;
use heaplens_analysis::android::koom::{Thresholds, koom_report};
use heaplens_analysis::android::owners::Owners;
use heaplens_analysis::android::shark::{Device, Matchers, Roots, SharkQuery, leak_report};
use heaplens_base::{Bytes, Task};
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_testkit::art::Writer;
use heaplens_testkit::phone::sample;

/// Opens the first bytes of a dump, and asks it everything.
fn is_open(bytes: &[u8]) -> bool {
    let file = crate::temporary_file(bytes);
    match open_with(file.path(), &OpenOptions::default(), &Task::new()) {
        Ok(dump) => {
            ask(&dump);
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

fn ask(dump: &Dump) {
    let (heap, contents, analysis, task) = (&*dump.facts.heap, &*dump.facts.contents, &*dump.analysis, Task::new());
    for object in heap.objects() {
        let _any = contents.label(heap, object);
        assert!(analysis.retained(object) >= Bytes(0));
    }
    let (matchers, device) = (Matchers::none(), Device::default());
    let question = SharkQuery { heap, contents, matchers: &matchers, device: &device, roots: Roots::All };
    let leaks = leak_report(question, &task).expect("not cancelled");
    assert!(leaks.metadata.instances <= heap.len() as u64);
    let koom = koom_report(question, &Thresholds::default(), &task).expect("not cancelled");
    assert!(koom.big.is_empty(), "nothing of it is big");
    Bitmaps::find(dump.data(), &task).expect("not cancelled");
    let owners = Owners::find(heap, contents, &task).expect("not cancelled");
    owners.left_out(heap, analysis, &task).expect("not cancelled");
}

#[test]
fn every_truncation_opens_or_is_refused() {
    for by in [Writer::Art, Writer::Koom, Writer::Tailor] {
        let bytes = &sample().write(by);
        // Half of the lengths each.
        let opened = std::thread::scope(|scope| {
            let halves = [0, 1].map(|odd| {
                scope.spawn(move || (odd..bytes.len()).step_by(2).filter(|&length| is_open(&bytes[..length])).count())
            });
            halves.into_iter().map(|half| half.join().expect("no panic")).sum::<usize>()
        });
        assert!(opened > bytes.len() / 2, "{by:?}: {opened}");
    }
}
