//! What is asked of Android dumps and needs no values is answered for heap graphs of Perfetto too.

use heaplens_analysis::android::bitmaps::Bitmaps;
use heaplens_analysis::android::koom::{Thresholds, koom_report};
use heaplens_analysis::android::owners::Owners;
use heaplens_analysis::android::shark::{Device, Matchers, Roots, SharkQuery, leak_report};
use heaplens_base::Task;
use heaplens_dump::OpenOptions;
use heaplens_heap::Address;
use heaplens_testkit::perfetto::{Form, natives};

#[test]
fn every_analysis_of_android_gives_an_answer() {
    let dump = crate::open_bytes(natives::sample(Form::MODERN), &OpenOptions::default());
    let (heap, contents, analysis, task) = (&*dump.facts.heap, &*dump.facts.contents, &*dump.analysis, Task::new());
    let (matchers, device) = (Matchers::none(), Device::default());
    let question = SharkQuery { heap, contents, matchers: &matchers, device: &device, roots: Roots::All };
    let leaks = leak_report(question, &task).expect("not cancelled");
    assert_eq!(leaks.metadata.instances, 7, "class objects apart");
    let _koom = koom_report(question, &Thresholds::default(), &task).expect("not cancelled");
    let bitmaps = Bitmaps::find(dump.data(), &task).expect("not cancelled");
    assert_eq!(bitmaps.bitmaps.iter().map(|bitmap| bitmap.native.0).collect::<Vec<_>>(), [123_456]);
    let owners = Owners::find(heap, contents, &task).expect("not cancelled");
    owners.left_out(heap, analysis, &task).expect("not cancelled");
    // On the device, objects begin at multiples of eight.
    assert_eq!(heap.shallow(heap.at(Address(1)).expect("the bitmap")).0, 48);
}
