//! A table query as plain data: the table that answers it, and the
//! command line that prints it.

use std::io::Write;
use std::sync::Arc;

use super::diff::Changes;
use super::folded::Asked;
use super::{
    AggregatedPaths, Arrangement, Between, Bitmaps, Classes, Collections, Finalizers, Folded, Form, Gaps, Groups,
    JavaScript, Kept, Level, Loaders, MergedPaths, Neighbours, Objects, OwnedObjects, OwnershipRoots, Roots, Route,
    Sites, Strings, Table, Threads, Trouble, Waste, aggregated, javascript, kept, merged, ownership, route, write,
};
use crate::analysis::filter::TextFilter;
use crate::analysis::grouping::GroupBy;
use crate::analysis::histogram::{histogram, histogram_in};
use crate::analysis::ownership::Ownership;
use crate::analysis::ownership::kept::RootsOf;
use crate::analysis::references::{Direction, references};
use crate::export::command_line::{CommandLine, OpenedAs};
use crate::export::dictionary::Dictionary;
use crate::heap::analyzed::Rules;
use crate::heap::classes::Strength;
use crate::heap::facts::Heap;
use crate::heap::ids::{ClassId, ObjectId};
use crate::heap::recorded::SoftLinks;
use crate::task::Task;

/// Kind of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// Classes.
    Classes,
    /// Packages, class loaders or superclasses.
    Groups(GroupBy),
    /// Every object.
    Objects,
    /// The objects of a class.
    ObjectsOf(ClassId),
    /// These objects, in this order.
    Named(Vec<ObjectId>),
    /// Children of an object in the dominator tree whose class name contains this text.
    Level(Option<ObjectId>, String),
    /// A folded level: chains, groups and shared objects are rows.
    Folded(Asked),
    /// References of an object.
    References(ObjectId, Direction),
    /// Threads.
    Threads,
    /// Duplicate strings.
    Strings,
    /// Collections by class.
    Collections,
    /// Kinds of waste.
    Waste,
    /// Bitmaps of Android.
    Bitmaps,
    /// Class loaders.
    Loaders,
    /// Objects with a finalizer, by class.
    Finalizers,
    /// GC roots by kind.
    Roots,
    /// Inferred roots, or every object with its owner.
    Ownership(ownership::Asked),
    /// Gaps between objects.
    Gaps,
    /// Path between two objects.
    Route(route::Asked),
    /// Retained set of an object.
    Kept(kept::Asked),
    /// Allocation sites.
    Sites,
    /// Tables of JavaScript snapshots only.
    JavaScript(javascript::Asked),
    /// Leaks between snapshots of one program, already computed.
    Between(Between),
    /// Merged paths from GC roots to many objects.
    Merged(merged::Asked),
    /// Merged paths for each class that reaches the thresholds.
    MergedByClass(aggregated::Asked),
    /// A comparison with another dump, already computed.
    Changes(Changes),
}

/// A table query: kind, filter, order and range of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Kind of rows.
    pub subject: Subject,
    /// Filter, order and range.
    pub how: Arrangement,
}

impl Request {
    /// Computes the rows.
    ///
    /// # Errors
    /// If the query is invalid, or the task is cancelled.
    pub fn table(&self, from: Dictionary<'_>, task: &Task) -> Result<Arc<dyn Table>, Trouble> {
        let Dictionary { heap, contents, analyzed, .. } = from;
        let owner = self.how.owner;
        let count = heap.len();
        Ok(match &self.subject {
            Subject::Classes => Arc::new(Classes(match self.how.pattern()?.heap() {
                Some((name, _)) => histogram_in(heap, analyzed, name, task)?,
                None => histogram(heap, analyzed),
            })),
            Subject::Groups(by) => Arc::new(Groups::of(from, *by, task)?),
            Subject::Objects => Arc::new(Objects { count, owner, ..Objects::default() }),
            Subject::ObjectsOf(class) => {
                let mut only = vec![false; heap.classes.len()];
                only.get_mut(class.index()).into_iter().for_each(|only| *only = true);
                Arc::new(Objects { count, owner, classes: Some(only), ..Objects::default() })
            }
            Subject::Named(objects) => {
                Arc::new(Objects { count, owner, named: Some(objects.clone()), ..Objects::default() })
            }
            Subject::Level(of, class) => {
                let of_class = TextFilter::parse(class).map_err(Trouble::Wish)?;
                Arc::new(Level { of: *of, of_class, only: None, owner })
            }
            Subject::Folded(asked) => Arc::new(Folded::find(from, asked, &self.how, task)?),
            Subject::References(object, direction) => {
                let limit = self.references_read();
                Arc::new(Neighbours(references(heap, contents, analyzed, *object, *direction, limit, task)?))
            }
            Subject::Threads => Arc::new(Threads::of(from, task)?),
            Subject::Strings => Arc::new(Strings::of(from, task)?),
            Subject::Collections => Arc::new(Collections::of(from, task)?),
            Subject::Waste => Arc::new(Waste::of(from, task)?),
            Subject::Bitmaps => Arc::new(Bitmaps::of(from, task)?),
            Subject::Loaders => Arc::new(Loaders::of(from, task)?),
            Subject::Finalizers => Arc::new(Finalizers::of(from, task)?),
            Subject::Roots => Arc::new(Roots::of(from)),
            Subject::Ownership(asked) => {
                let found = Arc::new(Ownership::find(heap, asked.soft, task)?);
                if asked.every_object { Arc::new(OwnedObjects { found }) } else { Arc::new(OwnershipRoots::new(found)) }
            }
            Subject::Gaps => Arc::new(Gaps::of(from, task)?),
            Subject::Route(asked) => Arc::new(Route::of(from, *asked, task)?),
            Subject::Kept(asked) => Arc::new(Kept::of(from, *asked, task)?),
            Subject::Sites => Arc::new(Sites::of(from, task)?),
            Subject::JavaScript(asked) => Arc::new(JavaScript::of(from, *asked, task)?),
            Subject::Merged(asked) => Arc::new(MergedPaths::find(from, asked, task)?),
            Subject::MergedByClass(asked) => Arc::new(AggregatedPaths::find(from, asked, task)?),
            Subject::Changes(changes) => Arc::clone(&changes.table),
            Subject::Between(between) => Arc::clone(&between.table),
        })
    }

    /// Computes and writes the rows, as the command line does.
    ///
    /// # Errors
    /// [`Trouble`] with the reason; part of the output may have been written.
    pub fn write(&self, from: Dictionary<'_>, form: Form, out: &mut dyn Write, task: &Task) -> Result<(), Trouble> {
        match &self.subject {
            Subject::Changes(changes) => changes.write(from, &self.how, form, out, task),
            _ => write(&*self.table(from, task)?, from, &self.how, form, out, task),
        }
    }

    /// Filtering and sorting need all rows, taking the first ones does not.
    fn references_read(&self) -> usize {
        let how = &self.how;
        let all = !how.filter.trim().is_empty() || how.sort.is_some() || how.reverse || !how.places.is_empty();
        if all { usize::MAX } else { how.top.map_or(usize::MAX, |top| how.skip.saturating_add(top)) }
    }

    /// True if its rows contain names of objects, which need a namer.
    pub fn names_objects(&self) -> bool {
        matches!(self.subject, Subject::Bitmaps | Subject::Between(_))
    }

    /// Command line that prints the same rows.
    pub fn command(&self, heap: &Heap, opened: &OpenedAs) -> CommandLine {
        let line = |command: &str| CommandLine::new(command, opened);
        let id = |object: ObjectId| heap.id_text(object);
        let line = match &self.subject {
            Subject::Classes => line("histogram"),
            Subject::Groups(by) => line("histogram").option(
                "by",
                match by {
                    GroupBy::Package => "package",
                    GroupBy::Loader => "loader",
                    GroupBy::Superclass => "superclass",
                },
            ),
            Subject::Objects => line("objects"),
            Subject::ObjectsOf(class) => line("objects").option("class", class_named(heap, *class)),
            Subject::Named(objects) => {
                objects.iter().fold(line("objects"), |line, &object| line.option("object", id(object)))
            }
            Subject::Level(of, class) => {
                let line = line("dominators").some("of", of.map(id));
                line.some("filter-class", Some(class).filter(|class| !class.is_empty()))
            }
            Subject::Folded(asked) => asked.arguments(line("dominators"), heap),
            Subject::References(object, direction) => {
                let way = if *direction == Direction::Incoming { "in" } else { "out" };
                line("references").argument(id(*object)).flag(way)
            }
            Subject::Threads => line("threads"),
            Subject::Strings => line("strings"),
            Subject::Collections => line("collections"),
            Subject::Waste => line("waste"),
            Subject::Bitmaps => line("bitmaps"),
            Subject::Loaders => line("loaders"),
            Subject::Finalizers => line("finalizers"),
            Subject::Roots => line("roots"),
            Subject::Ownership(asked) => {
                let line = soft(line("roots").flag("ownership"), asked.soft);
                if asked.every_object { line.flag("every-object") } else { line }
            }
            Subject::Gaps => line("gaps"),
            Subject::Route(asked) => {
                // The options of the opened dump include a strength too: it is the same option.
                let opened = OpenedAs { rules: Rules { weakest: Strength::Phantom, ..opened.rules }, ..opened.clone() };
                let line = CommandLine::new("route", &opened).argument(id(asked.from)).argument(id(asked.to));
                line.some("strength", asked.weakest.map(Strength::name))
            }
            Subject::Kept(asked) => {
                let line = soft(line("kept").argument(id(asked.object)), asked.soft);
                line.some("roots", asked.roots.map(RootsOf::name))
            }
            Subject::Sites => line("sites"),
            Subject::JavaScript(asked) => {
                let line = line("javascript").option("of", asked.key());
                line.some("between", asked.between().map(|(first, last)| format!("{first}-{last}")))
            }
            Subject::Merged(asked) => asked.command(heap, opened),
            Subject::MergedByClass(asked) => asked.command(opened),
            Subject::Changes(changes) => changes.command(opened),
            Subject::Between(between) => between.command(opened),
        };
        self.how.options(line)
    }
}

/// Adds the option for soft links, if not the default.
fn soft(line: CommandLine, soft: SoftLinks) -> CommandLine {
    if soft == SoftLinks::default() { line } else { line.option("soft", soft.name()) }
}

/// A class by name, or by the id of its class object if the name is ambiguous.
pub(super) fn class_named(heap: &Heap, class: ClassId) -> String {
    let row = heap.classes.get(class);
    let namesakes = heap.classes.iter().filter(|(_, other)| other.name == row.name).count();
    match row.object.filter(|_| namesakes > 1) {
        Some(object) => heap.id_text(object),
        None => row.name.to_string(),
    }
}

impl Arrangement {
    /// Command-line options of the query.
    fn options(&self, mut line: CommandLine) -> CommandLine {
        line = line.some("filter", Some(&self.filter).filter(|filter| !filter.is_empty()));
        if !self.places.is_empty() {
            let range = |range: &std::ops::RangeInclusive<u32>| {
                let (first, last) = (range.start(), range.end());
                if first == last { first.to_string() } else { format!("{first}-{last}") }
            };
            line = line.option("rows", self.places.iter().map(range).collect::<Vec<_>>().join(","));
        }
        line = line.some("sort", self.sort.as_ref());
        if self.reverse {
            line = line.flag("reverse");
        }
        line = line.some("skip", (self.skip > 0).then(|| self.skip.to_string()));
        line.some("top", self.top.map(|top| top.to_string()))
    }
}
