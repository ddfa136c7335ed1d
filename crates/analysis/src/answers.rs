//! Questions about a whole dump, and their answers: each is computed at most once at a time, and shared.
//!
//! Nothing is ever invalidated: a dump does not change. Facts that are read or named in another way, other references that
//! count, or another list of the user make another state of the dump, with answers of its own.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::answer_file::{AnswerFile, AnswerStorage};
use crate::runtime_classes::RuntimeClasses;
use heaplens_base::{Cancelled, Shared, Task};
use heaplens_heap::{Analysis, Contents, Heap};
use heaplens_process::ProcessRecord;

/// An answer with more bytes than this, and [`BYTES_PER_OBJECT`] for each object of the heap, is not retained.
const SMALL: usize = 16 << 20;
const BYTES_PER_OBJECT: usize = 4;

/// What an analysis reads of one state of a dump. Cheap to copy: it consists of references only.
#[derive(Clone, Copy)]
pub struct DumpData<'a> {
    /// The facts.
    pub heap: &'a Heap,
    /// Access to object contents.
    pub contents: &'a dyn Contents,
    /// Derived columns.
    pub analysis: &'a Analysis,
    /// Answers of this state of the dump.
    pub answers: &'a Answers,
    /// What was recorded of the process beside the dump.
    pub record: Option<&'a ProcessRecord>,
}

impl<'a> DumpData<'a> {
    /// The answer to a question, computed unless it is known, being computed, or kept on disk. It is kept on disk if the
    /// question says so.
    ///
    /// # Errors
    /// When `task` is cancelled. A computation that another task waits for goes on.
    pub fn answer<Q: Question>(self, question: &Q, task: &Task) -> Result<Arc<Q::Answer>, Cancelled> {
        let answer = self.intermediate(question, task)?;
        if let (Some(storage), Some(file)) = (self.answers.storage.as_deref(), question.file())
            && !self.answers.entry_of(question).is_kept.swap(true, Ordering::Relaxed)
        {
            file.write(storage, &answer);
        }
        Ok(answer)
    }

    /// Like [`Self::answer`], for a part of another answer: it is not kept on disk unless it is asked for by itself.
    ///
    /// # Errors
    /// Those of [`Self::answer`].
    pub fn intermediate<Q: Question>(self, question: &Q, task: &Task) -> Result<Arc<Q::Answer>, Cancelled> {
        let known = self.answers.entry_of(question);
        let is_small = |answer: &Q::Answer| self.is_small::<Q>(answer);
        known.answer.get(task, is_small, |task| {
            if let (Some(storage), Some(file)) = (self.answers.storage.as_deref(), question.file())
                && let Some(answer) = file.read(storage)
            {
                known.is_kept.store(true, Ordering::Relaxed);
                return Ok(answer);
            }
            question.compute(self, task)
        })
    }

    /// Like [`Self::answer`], as a reference into the store.
    ///
    /// # Errors
    /// Those of [`Self::answer`].
    pub fn retained_answer<Q: RetainedQuestion>(self, question: &Q, task: &Task) -> Result<&'a Q::Answer, Cancelled> {
        let answer = &self.answers.entry_of(question).answer;
        answer.get(task, |_| true, |task| question.compute(self, task))?;
        Ok(answer.retained().unwrap_or_else(|| unreachable!("every answer of a retained question is retained")))
    }

    fn is_small<Q: Question>(self, answer: &Q::Answer) -> bool {
        Q::bytes(answer) <= SMALL.saturating_add(self.heap.len().saturating_mul(BYTES_PER_OBJECT))
    }
}

/// A question about a whole dump. Its parameters are its fields.
pub trait Question: Any + Clone + Eq + Send + Sync {
    /// The answer.
    type Answer: Any + Send + Sync;

    /// Computes the answer. Other questions may be asked of `dump`, but not this one.
    ///
    /// # Errors
    /// When `task` is cancelled.
    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Self::Answer, Cancelled>;

    /// How the answer is kept on disk beside the stored analysis; `None`: it is not.
    fn file(&self) -> Option<AnswerFile<Self::Answer>> {
        None
    }

    /// Approximate memory of an answer that may be large. A small one is retained as long as the dump is open, a large one
    /// as long as somebody holds it.
    fn bytes(_answer: &Self::Answer) -> usize {
        0
    }
}

/// A question whose answer is always retained, so that it can be borrowed, and not kept on disk.
pub trait RetainedQuestion: Question {}

/// Answers about one state of a dump, and the lists of the user that they depend on.
#[derive(Default)]
pub struct Answers {
    runtime_classes: Arc<RuntimeClasses>,
    storage: Option<Arc<dyn AnswerStorage>>,
    /// A list that only grows, so that answers can be borrowed from it. It has an entry for each question ever asked.
    first: Link,
}

type Link = OnceLock<Box<Entry>>;

struct Entry {
    /// A [`KnownAnswer`].
    known: Box<dyn Any + Send + Sync>,
    next: Link,
}

struct KnownAnswer<Q: Question> {
    question: Q,
    answer: Shared<Q::Answer>,
    /// True once the answer is on disk, or cannot be kept there.
    is_kept: AtomicBool,
}

impl Answers {
    /// No answers yet. Those of `storage` are about the dump with these runtime classes.
    pub fn new(runtime_classes: Arc<RuntimeClasses>, storage: Option<Arc<dyn AnswerStorage>>) -> Self {
        Self { runtime_classes, storage, first: Link::new() }
    }

    /// Rules for runtime classes.
    pub fn runtime_classes(&self) -> &Arc<RuntimeClasses> {
        &self.runtime_classes
    }

    /// Where answers are kept on disk, if they are.
    pub fn storage(&self) -> Option<&Arc<dyn AnswerStorage>> {
        self.storage.as_ref()
    }

    /// The answer to a question, if it is known.
    pub fn known<Q: Question>(&self, question: &Q) -> Option<Arc<Q::Answer>> {
        self.entry_of(question).answer.known()
    }

    /// How often a question was computed, or read from disk.
    pub fn computations<Q: Question>(&self, question: &Q) -> u32 {
        self.entry_of(question).answer.computations()
    }

    fn entry_of<Q: Question>(&self, question: &Q) -> &KnownAnswer<Q> {
        let new = || {
            let known =
                KnownAnswer { question: question.clone(), answer: Shared::default(), is_kept: AtomicBool::new(false) };
            Box::new(Entry { known: Box::new(known), next: Link::new() })
        };
        let mut link = &self.first;
        loop {
            let entry = link.get_or_init(new);
            match entry.known.downcast_ref::<KnownAnswer<Q>>() {
                Some(known) if known.question == *question => return known,
                _ => link = &entry.next,
            }
        }
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        let mut next = self.first.take();
        while let Some(mut entry) = next {
            next = entry.next.take();
        }
    }
}
