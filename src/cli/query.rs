//! Arguments of commands → table queries: the only place where the command line becomes a query. Its inverse is
//! [`TableQuery::command`]; a test holds both together.

use std::path::Path;
use std::sync::Arc;

use clap::Parser;

use super::args::{
    Arguments, Command, DominatorsArguments, FoldArguments, HistogramArguments, JavaScriptArguments, OrderArguments,
    ReferencesArguments, RelatedArguments, RetainedSetArguments, RootsArguments, RouteArguments,
};
use super::cuts::cuts_named;
use super::failure::Failure;
use super::names::{object_named, objects_named};
use heaplens_analysis::Direction;
use heaplens_analysis::dominator_tree::{LevelForm, PartitionBy};
use heaplens_analysis::paths::merged::PathTargets;
use heaplens_analysis::related::Relation;
use heaplens_dump::Dump;
use heaplens_heap::{ClassId, ObjectId, Strength};
use heaplens_tables::dump::folded::{LevelParent, LevelQuery, MANY, SYSTEM};
use heaplens_tables::dump::javascript::JavaScriptQuery;
use heaplens_tables::dump::ownership::OwnershipQuery;
use heaplens_tables::dump::related::RelatedQuery;
use heaplens_tables::dump::retained_set::RetainedSetQuery;
use heaplens_tables::dump::route::RouteQuery;
use heaplens_tables::query::RowFilter;
use heaplens_tables::{HistogramRows, Question, TableKind, TableQuery, relations};

/// Table that a question asks of `dump`; `None` if its answer is no table, or one that only its command computes.
///
/// # Errors
/// The usage error, or the name that the dump does not have.
pub fn table_query(question: &Question, dump: &Dump) -> Result<Option<TableQuery>, String> {
    let arguments = Arguments::try_parse_from(question.words()).map_err(|error| error.to_string())?;
    let query = arguments.command.map_or(Ok(None), |command| of_command(&command, dump));
    query.map_err(|failure| failure.to_string())
}

fn of_command(command: &Command, dump: &Dump) -> Result<Option<TableQuery>, Failure> {
    let in_order = OrderArguments::default();
    let (kind, order, print) = match command {
        Command::Histogram(a) if a.unreachable || a.retained_by.is_some() || !a.cut.is_empty() => return Ok(None),
        Command::Histogram(a) => (histogram(a), &a.order, &a.print),
        Command::Dominators(a) if a.unreachable || a.drops || a.depth.is_some() || !a.cut.is_empty() => {
            return Ok(None);
        }
        Command::Dominators(a) => (Some(level(a, dump)?), &a.order, &a.print),
        Command::References(a) => (Some(references(a, dump)?), &a.order, &a.print),
        Command::Related(a) => (Some(TableKind::Related(related(a, dump)?)), &a.order, &a.print),
        Command::Roots(a) => (roots(a), &a.order, &a.print),
        Command::Route(a) => (Some(TableKind::Route(route(a, dump)?)), &in_order, &a.print),
        Command::RetainedSet(a) => (Some(TableKind::RetainedSet(retained_set(a, dump)?)), &a.order, &a.print),
        Command::JavaScript(a) => (javascript(a)?, &a.order, &a.print),
        Command::Bitmaps(a) => (Some(TableKind::Relation(&relations::BITMAPS)), &a.order, &a.print),
        Command::Sites(a) => (a.site.is_none().then_some(TableKind::Relation(&relations::SITES)), &a.order, &a.print),
        Command::Threads(a) => (Some(TableKind::Relation(&relations::THREADS)), &a.order, &a.print),
        Command::Loaders(a) => (Some(TableKind::Relation(&relations::LOADERS)), &a.order, &a.print),
        Command::Table(a) => (Some(TableKind::Relation(a.relation)), &a.arguments.order, &a.arguments.print),
        _ => return Ok(None),
    };
    Ok(kind.map(|subject| TableQuery { kind: subject, rows: order.rows(print.filter.as_deref(), print.top) }))
}

/// `None` for single objects.
pub(super) fn histogram(arguments: &HistogramArguments) -> Option<TableKind> {
    match arguments.by {
        HistogramRows::Classes => Some(TableKind::Relation(&relations::CLASSES)),
        HistogramRows::Groups(by) => Some(TableKind::Relation(relations::histogram_by(by))),
        HistogramRows::Objects => None,
    }
}

pub(super) fn references(arguments: &ReferencesArguments, dump: &Dump) -> Result<TableKind, Failure> {
    let direction = if arguments.incoming { Direction::Incoming } else { Direction::Outgoing };
    Ok(TableKind::References(object_named(dump, &arguments.file, &arguments.id)?, direction))
}

pub(super) fn related(arguments: &RelatedArguments, dump: &Dump) -> Result<RelatedQuery, Failure> {
    if arguments.by != Relation::Retained && !arguments.without.is_empty() {
        return Err(Failure::Usage("--without applies to --by retained only".to_owned()));
    }
    let set = (&*arguments.ids, arguments.class.as_deref(), true);
    let objects = objects_named(dump, &arguments.file, set, &RowFilter::default())?;
    let without = cuts_named(dump, &arguments.file, "--without", &arguments.without)?;
    Ok(RelatedQuery { of: PathTargets::Objects(Arc::from(objects)), by: arguments.by, without, group: arguments.group })
}

/// `None` for the listing of HeapRoots, which is no table.
pub(super) fn roots(arguments: &RootsArguments) -> Option<TableKind> {
    let (soft, every_object) = (arguments.soft.unwrap_or_default(), arguments.every_object);
    let inferred = || TableKind::Ownership(OwnershipQuery { soft, every_object });
    (!arguments.listing).then(|| if arguments.ownership { inferred() } else { TableKind::Relation(&relations::ROOTS) })
}

/// Here `--strength` applies to the path only, not to opening the dump.
pub(super) fn route(arguments: &RouteArguments, dump: &Dump) -> Result<RouteQuery, Failure> {
    let object = |id: &str| object_named(dump, &arguments.file, id);
    let weakest = arguments.print.open.strength.filter(|&query| query != Strength::Phantom);
    Ok(RouteQuery { from: object(&arguments.from)?, to: object(&arguments.to)?, weakest })
}

pub(super) fn retained_set(arguments: &RetainedSetArguments, dump: &Dump) -> Result<RetainedSetQuery, Failure> {
    let set = (&*arguments.ids, arguments.class.as_deref(), true);
    let objects = objects_named(dump, &arguments.file, set, &RowFilter::default())?;
    Ok(RetainedSetQuery { objects, roots: arguments.roots, soft: arguments.soft })
}

/// `None` for all tables.
pub(super) fn javascript(arguments: &JavaScriptArguments) -> Result<Option<TableKind>, Failure> {
    match (arguments.of, arguments.between) {
        (Some(JavaScriptQuery::Timeline), Some((first, last))) => Ok(Some(TableKind::Allocated { first, last })),
        (_, Some(_)) => Err(Failure::Usage("--between requires --of timeline".to_owned())),
        (of, None) => Ok(of.map(|of| TableKind::Relation(of.relation()))),
    }
}

fn level(arguments: &DominatorsArguments, dump: &Dump) -> Result<TableKind, Failure> {
    if is_folded(&arguments.folded) {
        return Ok(TableKind::FoldedLevel(folded_level(arguments, dump)?));
    }
    let of = arguments.of.as_deref().map(|id| object_named(dump, &arguments.file, id)).transpose()?;
    Ok(TableKind::Level(of, arguments.filter_class.clone().unwrap_or_default()))
}

/// True if rows are chains or groups.
pub(super) fn is_folded(folded: &FoldArguments) -> bool {
    let FoldArguments { fold, by, shared, chain, chain_objects, shared_by, class, package, loader } = folded;
    let named = [chain, chain_objects, class, package, loader];
    *fold || by.is_some() || *shared || !shared_by.is_empty() || named.iter().any(|n| n.is_some())
}

/// A level whose rows are chains or groups.
pub(super) fn folded_level(arguments: &DominatorsArguments, dump: &Dump) -> Result<LevelQuery, Failure> {
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
