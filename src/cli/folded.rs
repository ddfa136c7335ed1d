//! Grouped forms of `dominators`: collapsed chains and siblings, groups by class, package or loader, objects shared
//! by several owners, and accumulation points.

use std::path::Path;

use super::args::{DominatorsArguments, FoldArguments};
use super::failure::Failure;
use super::names::{Names, object_named};
use super::open::open;
use super::print::{Answer, filter, indented, print_rows, print_tree, rows_wanted, text_filter};
use super::tables::{print_table, print_table_with, row_query};
use heaplens_analysis::dominator_tree::drops::big_drops;
use heaplens_analysis::dominator_tree::rows::Rows;
use heaplens_analysis::dominator_tree::{DropRule, Fold, FoldInputs, LevelForm, LevelPart, PartitionBy, Shared};
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_heap::{ClassId, ObjectId};
use heaplens_tables::columns::{Value, headings};
use heaplens_tables::dump::drops::drop_table;
use heaplens_tables::dump::folded::{LevelContext, LevelParent, LevelQuery, MANY, Row, SYSTEM};
use heaplens_tables::dump::object_filter::ObjectRowFilter;
use heaplens_tables::query::RowFilter;
use heaplens_tables::{FoldedLevel, OutputForm, RowQuery, TableContext};

/// Columns omitted from text output, where the name of a row contains class, label and count, and its short name comes first.
const LEFT_OUT: [&str; 4] = ["lead", "kind", "class", "label"];

/// True if the arguments request one of the forms in this file.
pub(super) fn is_asked(arguments: &DominatorsArguments) -> bool {
    arguments.drops || is_folded(&arguments.folded)
}

pub(super) fn dominators(arguments: &DominatorsArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    text_filter(arguments.filter_class.as_deref())?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    if arguments.drops {
        return drops(arguments, &dump, &filter);
    }
    let query = query(arguments, &dump)?;
    let shown_rows = row_query(&arguments.order, print);
    let names = Names::of(&dump)?;
    let (context, task) = (TableContext::of(&dump).with_namer(names.namer()), Task::new());
    if arguments.depth.is_none() && print.format != OutputForm::Text {
        let level = FoldedLevel::find(context, &query, &shown_rows, &task)?;
        return print_table_with(&dump, context, &level, &shown_rows, print.format);
    }
    let ground = LevelContext::new(context, &query, &shown_rows, &task)?;
    let (part, rows) = ground.level(context, &query, &filter, &task)?;
    let depth = arguments.depth.unwrap_or(1) as usize;
    let first = Level { part, rows, next: shown_rows.skip, end: shown_rows.skip.saturating_add(rows_wanted(print)) };
    let walk = Walk { folding: ground.folding(context), task, top: rows_wanted(print), depth, levels: vec![first] };
    let mut columns = Row::columns(context);
    if print.format == OutputForm::Text {
        columns.retain(|column| !LEFT_OUT.contains(&column.heading.key));
    }
    let mut titles: Vec<_> = columns.iter().map(|column| column.heading).collect();
    let cells = |row: &PrintedRow| -> Vec<Value<'static>> {
        columns.iter().map(|column| column.cell(row.row(ground.shared()), context).into_static()).collect()
    };
    match print.format {
        OutputForm::Json => {
            let rows = walk.map(|(depth, row)| {
                let mut opened = Vec::new();
                row.row(ground.shared()).write_open(context, &mut opened)?;
                Ok((depth, opened))
            });
            print_tree(&dump, depth, rows)
        }
        form if form.is_cells() => {
            titles.push(headings::DEPTH);
            let with_depth =
                |(depth, row): (usize, PrintedRow)| [cells(&row), vec![Value::Count(depth as u64)]].concat();
            print_rows(&dump, form, &titles, walk.map(with_depth))
        }
        form => print_rows(&dump, form, &titles, walk.map(|(depth, row)| indented(cells(&row), depth))),
    }
}

fn drops(arguments: &DominatorsArguments, dump: &Dump, filter: &RowFilter) -> Answer {
    let analysis = &dump.analysis;
    let filter = ObjectRowFilter::new(TableContext::of(dump), filter)?;
    let rule = DropRule { percent: arguments.drop_share, ..DropRule::of(analysis) };
    let drops = big_drops(dump.data(), rule, &Task::new())?;
    let drops = drops.into_iter().filter(|drop| filter.passes(drop.holder) || filter.passes(drop.point));
    let shown_rows = RowQuery { top: Some(rows_wanted(&arguments.print)), ..RowQuery::default() };
    print_table(dump, &drop_table(drops.collect()), &shown_rows, arguments.print.format)
}

/// A row: an object, or the group that it represents.
struct PrintedRow {
    object: ObjectId,
    fold: Option<Fold>,
    part: LevelPart,
}

impl PrintedRow {
    fn row<'a>(&'a self, shared: Option<&'a Shared>) -> Row<'a> {
        Row { object: self.object, fold: self.fold.as_ref(), part: self.part, shared }
    }
}

/// A level of the current branch.
struct Level {
    part: LevelPart,
    rows: Rows,
    next: usize,
    /// End of the rows to print, exclusive.
    end: usize,
}

/// Pre-order walk of the tree that yields depth and row.
struct Walk<'a> {
    folding: FoldInputs<'a>,
    task: Task,
    /// Maximum number of rows per level.
    top: usize,
    /// Maximum number of levels.
    depth: usize,
    levels: Vec<Level>,
}

impl Iterator for Walk<'_> {
    type Item = (usize, PrintedRow);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let depth = self.levels.len().checked_sub(1)?;
            let level = self.levels.last_mut()?;
            let Some(&object) = level.rows.rows.get(level.next).filter(|_| level.next < level.end) else {
                self.levels.pop();
                continue;
            };
            level.next += 1;
            let shown = PrintedRow { object, fold: level.rows.fold(object).cloned(), part: level.part };
            if depth + 1 < self.depth
                && let Some(part) = level.rows.below(self.folding.dump.analysis, level.part, object)
            {
                // This task is never cancelled.
                let rows = self.folding.rows(part, &|_| true, &self.task).unwrap_or_default();
                self.levels.push(Level { part, rows, next: 0, end: self.top });
            }
            return Some((depth, shown));
        }
    }
}

/// True if rows are chains or groups.
fn is_folded(folded: &FoldArguments) -> bool {
    let FoldArguments { fold, by, shared, chain, chain_objects, shared_by, class, package, loader } = folded;
    let named = [chain, chain_objects, class, package, loader];
    *fold || by.is_some() || *shared || !shared_by.is_empty() || named.iter().any(|n| n.is_some())
}

/// A level whose rows are chains or groups.
pub(super) fn query(arguments: &DominatorsArguments, dump: &Dump) -> Result<LevelQuery, Failure> {
    let (folded, file) = (&arguments.folded, arguments.file.as_path());
    let object = |id: &String| object_named(dump, file, id);
    let only = group(folded, dump, file)?;
    let by = folded.by.or(only.map(|(by, _)| by).filter(|&by| by != PartitionBy::Class));
    let parent = if folded.shared {
        LevelParent::Shared
    } else if let Some(head) = &folded.chain {
        LevelParent::Chain(object(head)?)
    } else if let Some(head) = &folded.chain_objects {
        LevelParent::ChainObjects(object(head)?)
    } else if folded.shared_by == [MANY] {
        LevelParent::SharedBy(None)
    } else if folded.shared_by.is_empty() {
        LevelParent::Below(arguments.of.as_ref().map(object).transpose()?)
    } else {
        let mut owners = folded.shared_by.iter().map(object).collect::<Result<Vec<ObjectId>, Failure>>()?;
        owners.sort_unstable();
        owners.dedup();
        LevelParent::SharedBy(Some(owners))
    };
    let of_class = arguments.filter_class.clone().unwrap_or_default();
    Ok(LevelQuery { form: by.map_or(LevelForm::Folded, LevelForm::By), parent, only, of_class })
}

/// The group to expand, by a class that represents it.
fn group(folded: &FoldArguments, dump: &Dump, file: &Path) -> Result<Option<(PartitionBy, ClassId)>, Failure> {
    let heap = &dump.facts.heap;
    let unknown = |what: String| Failure::Unusable(format!("{}: {what}", file.display()));
    Ok(Some(if let Some(name) = &folded.class {
        let by_name = heap.classes.named(name);
        let named = by_name.or_else(|| heap.find(name).and_then(|object| heap.classes.of_object(object)));
        let missing = || unknown(format!("no class {name}; 'heaplens histogram' lists all classes"));
        (PartitionBy::Class, named.ok_or_else(missing)?)
    } else if let Some(name) = &folded.package {
        let named = heap.classes.iter().find(|(_, class)| class.package() == name).map(|(id, _)| id);
        let missing = || unknown(format!("no package {name}; 'heaplens histogram --by package' lists all packages"));
        (PartitionBy::Package, named.ok_or_else(missing)?)
    } else if let Some(id) = &folded.loader {
        let loader = if id == SYSTEM { None } else { Some(object_named(dump, file, id)?) };
        let named = heap.classes.iter().find(|(_, class)| class.loader == loader).map(|(id, _)| id);
        (PartitionBy::Loader, named.ok_or_else(|| unknown(format!("class loader {id} loaded no classes")))?)
    } else {
        return Ok(None);
    }))
}
