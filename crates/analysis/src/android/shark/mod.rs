//! Leaks as LeakCanary's engine, Shark, finds them: [`leak_report`] lists objects that are leaking by the state in
//! their fields, the path that holds each, the suspect reference, and a fingerprint identical to Shark's.
//!
//! Leaking objects are those that a table of inspectors reports or that LeakCanary watched. Paths to them begin at
//! [`Roots`] and follow known leaks ([`Matchers`]) last; each object on a path has a [`Status`]. Where Shark fails, on
//! a missing field, string or class, this continues: missing data gives no verdict. `docs/android.md` lists the other
//! differences.

mod collection_readers;
mod collections;
mod device;
mod fingerprint;
mod inspectors;
mod leaking;
mod matchers;
mod metadata;
mod reading;
mod reference;
mod reference_fields;
mod references;
mod roots;
mod search;
mod sizes;
mod starts;
mod status;
mod trace;
mod watched;

pub use self::device::Device;
pub use self::matchers::{Kind, Matcher, Matchers};
pub use self::roots::Roots;
pub use self::status::Status;
pub use self::trace::{
    KnownLeak, Leak, LeakReference, LeakReferenceKind, LeakReport, LeakStep, LeakSubject, LeakTrace, Metadata,
    SubjectKind, root_text,
};

use self::reading::{Search, TracedLeaks};
use self::{inspectors::InspectorContext, sizes::Sizes};
use super::android_heap::AndroidHeap;
use heaplens_base::{Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{Contents, Heap};

/// Options of a leak search.
#[derive(Clone, Copy)]
pub struct SharkQuery<'a> {
    /// The dump.
    pub heap: &'a Heap,
    /// Access to object contents.
    pub contents: &'a dyn Contents,
    /// Known leaks and ignored references.
    pub matchers: &'a Matchers,
    /// Device data given by the user; the rest is read from the dump.
    pub device: &'a Device,
    /// GC roots at which paths begin.
    pub roots: Roots,
}

/// All leaks of a dump.
pub fn leak_report(question: SharkQuery<'_>, task: &Task) -> Result<LeakReport, Cancelled> {
    let phone = AndroidHeap::new(question.heap, question.contents);
    let device = Device::of(&phone, question.device);
    let matchers = question.matchers.of(&device);
    let sizes = Sizes::new(&phone);
    let scene = InspectorContext::new(&phone, watched::watched(&phone, task)?, watched::dumped_at(&phone));
    let leaking = leaking::leaking(&scene, task)?;
    let search =
        Search { phone: &phone, matchers: &matchers, sizes: &sizes, scene: Some(&scene), roots: question.roots };
    let TracedLeaks { leaks, unreachable, untraced } = search.leaks(&leaking, task)?;
    let metadata = metadata::metadata(&phone, &sizes, device, task)?;
    Ok(LeakReport { leaks, unreachable, untraced, metadata })
}

/// Leaks for given objects, without inspecting objects on the paths and without resolving
/// collections, as KOOM uses Shark.
pub(super) fn plain_leaks(
    phone: &AndroidHeap<'_>,
    question: SharkQuery<'_>,
    device: &Device,
    leaking: &Bits,
    task: &Task,
) -> Result<Vec<Leak>, Cancelled> {
    let matchers = question.matchers.of(device);
    let sizes = Sizes::new(phone);
    let search = Search { phone, matchers: &matchers, sizes: &sizes, scene: None, roots: question.roots };
    Ok(search.leaks(leaking, task)?.leaks)
}
