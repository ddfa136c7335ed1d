//! Leaks as LeakCanary's engine, Shark, finds them: objects that should be gone by
//! what their own fields say, the path that holds each, the reference to look at,
//! and a fingerprint that is Shark's to the letter.
//!
//! `leaking` finds the objects with the table in `inspectors` and what LeakCanary
//! `watched`; `search` finds paths from `roots` over `references`, known leaks
//! (`matchers`) last; `reading` makes leaks of them; `status` says what follows for
//! each object on the way. Where Shark gives up, on a
//! field, a text or a class that is missing, this goes on: what is not there is no
//! verdict. `docs/android.md` says what else differs.

mod collections;
mod device;
mod fingerprint;
mod inspectors;
mod leaking;
mod matchers;
mod metadata;
mod reading;
mod references;
mod roots;
mod search;
mod sizes;
mod status;
mod trace;
mod watched;

pub use self::device::Device;
pub use self::matchers::{Kind, Matcher, Matchers};
pub use self::roots::Roots;
pub use self::status::Status;
pub use self::trace::{
    Known, Leak, LeakReference, LeakReferenceKind, LeakReport, LeakStep, LeakTrace, Metadata, Subject, SubjectKind,
    root_text,
};

use self::inspectors::Scene;
use self::reading::{Search, Told};
use self::sizes::Sizes;
use super::phone::Phone;
use crate::graph::bits::Bits;
use crate::heap::contents::Contents;
use crate::heap::facts::Heap;
use crate::task::{Cancelled, Task};

/// What is looked for.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The dump.
    pub heap: &'a Heap,
    /// What is inside of its objects.
    pub contents: &'a dyn Contents,
    /// Known leaks, and references that do not count.
    pub matchers: &'a Matchers,
    /// What the user says of the device; the dump says the rest.
    pub device: &'a Device,
    /// Where paths begin.
    pub roots: Roots,
}

/// All leaks of a dump.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn leak_report(question: Question<'_>, task: &Task) -> Result<LeakReport, Cancelled> {
    let phone = Phone::new(question.heap, question.contents);
    let device = Device::of(&phone, question.device);
    let matchers = question.matchers.of(&device);
    let sizes = Sizes::new(&phone);
    let scene = Scene::new(&phone, watched::watched(&phone, task)?, watched::dumped_at(&phone));
    let leaking = leaking::leaking(&scene, task)?;
    let search =
        Search { phone: &phone, matchers: &matchers, sizes: &sizes, scene: Some(&scene), roots: question.roots };
    let Told { leaks, unreachable, untraced } = search.leaks(&leaking, task)?;
    let metadata = metadata::metadata(&phone, &sizes, device, task)?;
    Ok(LeakReport { leaks, unreachable, untraced, metadata })
}

/// The leaks that some objects are, with nothing known of those on the way and collections taken for what they are
/// built of: as KOOM has Shark search.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub(super) fn plain_leaks(
    phone: &Phone<'_>,
    question: Question<'_>,
    device: &Device,
    leaking: &Bits,
    task: &Task,
) -> Result<Vec<Leak>, Cancelled> {
    let matchers = question.matchers.of(device);
    let sizes = Sizes::new(phone);
    let search = Search { phone, matchers: &matchers, sizes: &sizes, scene: None, roots: question.roots };
    Ok(search.leaks(leaking, task)?.leaks)
}
