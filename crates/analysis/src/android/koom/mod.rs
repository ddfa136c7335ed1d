//! The report of KOOM, Kwai's memory monitor: [`koom_report`] lists destroyed activities and fragments, large bitmaps
//! and arrays, counts of some classes, and paths to them as Shark finds them from KOOM's subset of the roots. What
//! counts is decided by [`Thresholds`] and rules after KOOM's `HeapAnalysisService`.

mod rules;

pub use self::rules::{ClassCount, KoomBigObject, Thresholds};

use rustc_hash::FxHashMap;

use super::android_heap::AndroidHeap;
use super::shark::{Device, Leak, SharkQuery, plain_leaks};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// KOOM's report of a dump.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KoomReport {
    /// Paths grouped by their references; application leaks before known leaks.
    pub paths: Vec<KoomPath>,
    /// Counted classes, in order of first occurrence.
    pub classes: Vec<ClassCount>,
    /// Large bitmaps, then large primitive arrays, then large object arrays.
    pub big: Vec<KoomBigObject>,
    /// The device.
    pub device: Device,
    /// `Build.MODEL`, if the dump contains it.
    pub model: Option<String>,
}

/// Objects with the same path.
#[derive(Debug, Clone, PartialEq)]
pub struct KoomPath {
    /// Reason why the object of the first path is reported.
    pub reason: String,
    /// The paths.
    pub leak: Leak,
}

/// Builds KOOM's report of a dump.
pub fn koom_report(question: SharkQuery<'_>, thresholds: &Thresholds, task: &Task) -> Result<KoomReport, Cancelled> {
    let phone = AndroidHeap::new(question.heap, question.contents);
    let findings = rules::find(&phone, thresholds, task)?;
    let device = Device::of(&phone, question.device);
    let mut leaks = plain_leaks(&phone, question, &device, &findings.leaking, task)?;
    leaks.sort_by_key(|leak| leak.known.is_some());
    let reasons: FxHashMap<ObjectId, String> = findings.reasons.into_iter().collect();
    let paths = leaks.into_iter().map(|leak| {
        let last = leak.traces.first().and_then(|trace| trace.steps.last()).map(|step| step.subject.object);
        let reason = last.and_then(|object| reasons.get(&object)).cloned().unwrap_or_default();
        KoomPath { reason, leak }
    });
    let paths = paths.collect();
    let model = phone.static_field("android.os.Build", "MODEL").and_then(|model| phone.text_of(model.object()?));
    Ok(KoomReport { paths, classes: findings.classes, big: findings.big, device, model })
}

impl KoomPath {
    /// The fingerprint as KOOM writes it: each byte on its own, without its leading zero.
    pub fn signature(&self) -> String {
        signature(&self.leak.fingerprint)
    }
}

fn signature(fingerprint: &str) -> String {
    let bytes = fingerprint.as_bytes().chunks(2).map(|digits| match digits {
        [b'0', low] => vec![*low],
        digits => digits.to_vec(),
    });
    bytes.flatten().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::signature;

    #[test]
    fn signatures_are_those_of_koom() {
        assert_eq!(signature("059e4338a401bd8bb1cee5f3ef0b37f284a4d1e7"), "59e4338a41bd8bb1cee5f3efb37f284a4d1e7");
        assert_eq!(signature("00ff10"), "0ff10");
    }
}
