//! `dominators`: the dominator tree below an object, printed while it is walked. A level may have ten million rows
//! and a tree five million levels, so only the current branch is in memory.

use std::sync::Arc;

use super::args::DominatorsArguments;
use super::failure::Failure;
use super::folded;
use super::names::{Names, object_named};
use super::open::open;
use super::print::{Answer, filter, indented, print_rows, print_tree, rows_wanted, text_filter};
use super::tables::{print_table_with, row_query};
use heaplens_analysis::TextFilter;
use heaplens_analysis::dominator_tree::LevelOrder;
use heaplens_analysis::unreachable::Unreachable;
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_heap::ObjectId;
use heaplens_tables::columns::headings::DEPTH;
use heaplens_tables::columns::{Heading, Value};
use heaplens_tables::dump::folded::LevelQuery;
use heaplens_tables::dump::object_filter::ObjectRowFilter;
use heaplens_tables::dump::objects::order_of;
use heaplens_tables::query::{RowFilter, TableKind};
use heaplens_tables::{Level, OutputForm, RowQuery, Table as _, TableContext, TableError};

/// Selects the part of the tree to walk.
pub(super) struct TreeRange<'a> {
    /// Object to start below; `None` is the virtual root.
    pub(super) of: Option<ObjectId>,
    /// Class filter for the first level.
    pub(super) of_class: TextFilter,
    /// Order of the rows of a level, and true if reversed.
    pub(super) order: (LevelOrder, bool),
    /// Number of rows of the first level to skip.
    pub(super) skip: usize,
    /// Maximum number of rows per level.
    pub(super) top: usize,
    /// Maximum number of levels.
    pub(super) depth: usize,
    /// Filter for rows of the first level.
    pub(super) filter: &'a RowFilter,
    /// If set, restricts the first level to unreachable objects; all objects below those are unreachable too.
    pub(super) only: Option<&'a Unreachable>,
}

/// Pre-order walk of the tree that yields depth and object.
pub(super) struct Walk<'a> {
    dump: &'a Dump,
    wanted: TreeRange<'a>,
    task: Task,
    /// Remaining rows of each level of the current branch.
    levels: Vec<std::iter::Take<std::vec::IntoIter<ObjectId>>>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(dump: &'a Dump, wanted: TreeRange<'a>) -> Result<Self, TableError> {
        let mut walk = Self { dump, wanted, task: Task::new(), levels: Vec::new() };
        let mut first = walk.below(walk.wanted.of, walk.wanted.of_class.clone())?;
        if let Some(only) = walk.wanted.only {
            first.retain(|&object| only.contains(object));
        }
        if !walk.wanted.filter.is_empty() {
            let filter = ObjectRowFilter::new(TableContext::of(dump), walk.wanted.filter)?;
            first.retain(|&object| filter.passes(object));
        }
        let skipped = walk.wanted.skip.min(first.len());
        walk.levels.push(first.split_off(skipped).into_iter().take(walk.wanted.top));
        Ok(walk)
    }

    fn below(&self, of: Option<ObjectId>, of_class: TextFilter) -> Result<Vec<ObjectId>, TableError> {
        Level { of, of_class, ..Level::default() }.objects(TableContext::of(self.dump), self.wanted.order, &self.task)
    }
}

impl Iterator for Walk<'_> {
    type Item = (usize, ObjectId);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let depth = self.levels.len().checked_sub(1)?;
            if let Some(object) = self.levels.last_mut()?.next() {
                if depth + 1 < self.wanted.depth {
                    // This task is never cancelled.
                    let below = self.below(Some(object), TextFilter::default()).unwrap_or_default();
                    self.levels.push(below.into_iter().take(self.wanted.top));
                }
                return Some((depth, object));
            }
            self.levels.pop();
        }
    }
}

pub(super) fn dominators(arguments: &DominatorsArguments) -> Answer {
    if folded::is_asked(arguments) {
        return folded::dominators(arguments);
    }
    let print = &arguments.print;
    let filter = filter(print)?;
    let mut open_as = print.open.clone();
    open_as.opening.keep_unreachable |= arguments.unreachable;
    let (dump, _) = open(&arguments.file, &open_as)?;
    let find = || Unreachable::find(dump.data(), &Task::new());
    let unreachable = arguments.unreachable.then(find).transpose()?;
    let of = arguments.of.as_deref().map(|id| object_named(&dump, &arguments.file, id)).transpose()?;
    let of_class = text_filter(arguments.filter_class.as_deref())?;
    if arguments.depth.is_none_or(|depth| depth <= 1) && (arguments.depth.is_none() || !print.format.is_cells()) {
        let (owner, preview) = (arguments.owner, arguments.preview);
        let level = Level { of, of_class, only: unreachable, owner, preview };
        let shown_rows = RowQuery { owner, preview, age: arguments.age, ..row_query(&arguments.order, print) };
        let ages = arguments.age.then(|| dump.ages(&Task::new())).transpose()?;
        let names = Names::of(&dump)?;
        let context = TableContext::of(&dump).with_namer(names.namer()).with_ages(ages);
        return print_table_with(&dump, context, &level, &shown_rows, print.format);
    }
    let depth = arguments.depth.unwrap_or(1) as usize;
    let order = arguments
        .order
        .sort
        .as_deref()
        .map_or(Ok(LevelOrder::Retained), |key| order_of(TableContext::of(&dump), key))?;
    let walk = Walk::new(
        &dump,
        TreeRange {
            of,
            of_class,
            order: (order, arguments.order.reverse),
            skip: arguments.order.skip,
            top: rows_wanted(print),
            depth,
            filter: &filter,
            only: unreachable.as_ref(),
        },
    )?;
    let names = Names::of(&dump)?;
    let ages = arguments.age.then(|| dump.ages(&Task::new())).transpose()?;
    let context = TableContext::of(&dump).with_namer(names.namer()).with_ages(ages);
    let table = Level { owner: arguments.owner, preview: arguments.preview, ..Level::default() };
    let columns = table.columns(context);
    let headings: Vec<Heading> = columns.iter().map(|column| column.heading).collect();
    let cells = |object: ObjectId| -> Vec<Value<'_>> {
        columns.iter().map(|column| table.cell(context, object.index(), column.index)).collect()
    };
    match print.format {
        OutputForm::Json => {
            let rows = walk.map(|(depth, object)| {
                let mut row = Vec::new();
                table.write_row(context, object.index(), 0, &mut row)?;
                row.pop_if(|last| *last == b'}');
                Ok((depth, row))
            });
            print_tree(&dump, depth, rows)
        }
        form if form.is_cells() => {
            let headings: Vec<_> = headings.iter().copied().chain([DEPTH]).collect();
            let with_depth = |(depth, object)| [cells(object), vec![Value::Count(depth as u64)]].concat();
            print_rows(&dump, form, &headings, walk.map(with_depth))
        }
        form => print_rows(&dump, form, &headings, walk.map(|(depth, object)| indented(cells(object), depth))),
    }
}

/// The table of the arguments; `None` if only this command computes it.
pub(super) fn kind(arguments: &DominatorsArguments, dump: &Dump) -> Result<Option<Arc<dyn TableKind>>, Failure> {
    if arguments.unreachable || arguments.drops || arguments.depth.is_some() {
        return Ok(None);
    }
    if folded::is_asked(arguments) {
        return Ok(Some(Arc::new(folded::query(arguments, dump)?)));
    }
    let of = arguments.of.as_deref().map(|id| object_named(dump, &arguments.file, id)).transpose()?;
    let of_class = arguments.filter_class.clone().unwrap_or_default();
    Ok(Some(Arc::new(LevelQuery { of_class, ..LevelQuery::children(of) })))
}
