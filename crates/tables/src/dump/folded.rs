//! A folded level of the dominator tree: a row is an object, a chain, a group, or objects shared by the same owners.
//! The level can be described by options, so that the command line prints what the window shows.

use std::io::{self, Write};
use std::sync::Arc;

use crate::columns::{Column, Columns, Condition, Record, TextPlace, heading, headings};
use crate::dump::group_name::{GroupName, set_of};
use crate::dump::level::{LEVEL, Level};
use crate::dump::objects::order_of;
use crate::export::parts;
use crate::query::{Conditions, Question, RowFilter, TableError, TableKind, TypedFilter, class_named};
use crate::relation::{Relation, relation};
use crate::table::write_entries;
use crate::{OrderedRows, RowQuery, Table, TableContext, TableResult, TypedTable};
use heaplens_analysis::TextFilter;
use heaplens_analysis::dominator_tree::chains::chain_from;
use heaplens_analysis::dominator_tree::rows::Rows;
use heaplens_analysis::dominator_tree::{
    Fold, FoldInputs, FoldKind, GroupId, LevelForm, LevelOrder, LevelPart, Partition, PartitionBy, Shared,
    SharedQuestion, Source, lead_of_group, lead_of_object,
};
use heaplens_analysis::filter::ObjectFilter;
use heaplens_base::{Bytes, Task};
use heaplens_heap::{ClassId, Figure, Heap, ObjectId};
use heaplens_session::OpenSettings;

pub(crate) const COLUMNS: Columns<Row<'static>> = &[
    &[
        headings::SHORT_NAME.when(Condition::Named).text(|row, dump| row.short_name(dump).map(Into::into)),
        headings::LEAD
            .when(Condition::Named)
            .in_text(TextPlace::Omitted)
            .text(|row, dump| row.lead(dump).map(Into::into)),
        heading("row", "Row", "Object, chain, group or set of shared objects that the row shows")
            .text(|row, dump| Some(row.name(dump).into())),
        heading("kind", "Kind", "object: a single object; chain, members, group, shared: several objects in one row")
            .text(|row, _| Some(row.kind().into())),
        heading("id", "Object", "Address or id of the object; for a chain its first object").object(|row, _| row.id()),
        headings::CLASS.text(|row, dump| dump.class_of(row.object).filter(|_| row.has_class())),
        headings::LABEL.text(|row, dump| if row.fold.is_none() { dump.label(row.object) } else { None }),
        headings::OBJECTS.count(|row, _| Some(row.fold.map_or(1, |fold| fold.objects))),
        headings::SHALLOW_OF_ALL
            .bytes(|row, dump| Some(row.fold.map_or_else(|| dump.heap.shallow(row.object), |fold| fold.shallow))),
        headings::RETAINED_BY_ALL.bytes(|row, dump| Some(row.retained(dump))),
        headings::SHARE_OF_RETAINED.share(|row, dump| Some(dump.share(row.retained(dump)))),
        headings::DOMINATED.count(|row, dump| {
            Some(row.fold.map_or_else(|| dump.analysis.dominated_count(row.object), |fold| fold.dominated))
        }),
    ],
    &parts::figures::<Row<'static>>(|row, dump, nth| {
        let figure = Figure::ALL[nth];
        let Some(fold) = row.fold else { return Some(dump.analysis.figure(dump.heap, row.object, figure)) };
        fold.amounts.get(dump.analysis.figures().position(|of| of == figure)?).copied()
    }),
];

/// Parent of a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LevelParent {
    /// An object; `None`: the virtual root.
    Below(Option<ObjectId>),
    /// The chain that begins with an object.
    Chain(ObjectId),
    /// The objects of that chain themselves.
    ChainObjects(ObjectId),
    /// Objects shared by exactly these owners; `None` for many.
    SharedBy(Option<Vec<ObjectId>>),
    /// All shared objects, a row for each set of owners.
    Shared,
}

/// Query for a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelQuery {
    /// Form of the tree.
    pub form: LevelForm,
    /// Parent of the level.
    pub parent: LevelParent,
    /// Only one group of it: criterion, and the class that represents the group.
    pub only: Option<(PartitionBy, ClassId)>,
    /// Only objects whose class name contains this text.
    pub of_class: String,
}

impl LevelQuery {
    /// The first level.
    pub fn top(form: LevelForm, of_class: &str) -> Self {
        Self { form, parent: LevelParent::Below(None), only: None, of_class: of_class.to_owned() }
    }

    /// Query for a part of a tree; `None` if the owners of a shared part are no longer known.
    pub fn part(form: LevelForm, part: LevelPart, shared: Option<&Shared>) -> Option<Self> {
        let parent = match part.source {
            Source::Below(of) => LevelParent::Below(of),
            Source::Chain(chain) => LevelParent::Chain(chain.head),
            Source::Members(chain) => LevelParent::ChainObjects(chain.head),
            Source::Shared(set) => LevelParent::SharedBy(set_of(shared, set)?.owners.clone()),
        };
        Some(Self { form, parent, only: part.only, of_class: String::new() })
    }

    /// Query for the children of an object; `None`: the virtual root.
    pub fn children(of: Option<ObjectId>) -> Self {
        Self { parent: LevelParent::Below(of), ..Self::top(LevelForm::Plain, "") }
    }

    /// Parent of a level whose rows are single objects; `None` if they may be chains or groups.
    pub fn plain_parent(&self) -> Option<Option<ObjectId>> {
        match self.parent {
            LevelParent::Below(of) if self.form == LevelForm::Plain && self.only.is_none() => Some(of),
            _ => None,
        }
    }
}

impl TableKind for LevelQuery {
    fn relation(&self) -> Option<&'static Relation> {
        Some(if self.plain_parent().is_some() { &LEVEL } else { &FOLDED })
    }

    fn table(&self, dump: TableContext<'_>, rows: &RowQuery, task: &Task) -> TableResult<Arc<dyn Table>> {
        let Some(of) = self.plain_parent() else { return Ok(Arc::new(FoldedLevel::find(dump, self, rows, task)?)) };
        let of_class = TextFilter::parse(&self.of_class).map_err(TableError::InvalidQuery)?;
        Ok(Arc::new(Level { of, of_class, only: None, owner: rows.owner, preview: rows.preview }))
    }

    fn command(&self, heap: &Heap, opened: &OpenSettings) -> Question {
        let id = |object: ObjectId| heap.id_text(object);
        let line = Question::new("dominators", opened);
        let line = match (&self.parent, self.form) {
            _ if self.plain_parent().is_some() => line,
            (LevelParent::Shared, _) => line.flag("shared"),
            (_, LevelForm::By(by)) => line.option("by", by.name()),
            (_, LevelForm::Folded | LevelForm::Plain) => line.flag("fold"),
        };
        let line = match &self.parent {
            LevelParent::Below(of) => line.some("of", of.map(id)),
            LevelParent::Chain(head) => line.option("chain", id(*head)),
            LevelParent::ChainObjects(head) => line.option("chain-objects", id(*head)),
            LevelParent::SharedBy(None) => line.option("shared-by", MANY),
            LevelParent::SharedBy(Some(owners)) => {
                owners.iter().fold(line, |line, &owner| line.option("shared-by", id(owner)))
            }
            LevelParent::Shared => line,
        };
        let line = match self.only {
            None => line,
            Some((PartitionBy::Class, class)) => line.option("class", class_named(heap, class)),
            Some((PartitionBy::Package, class)) => line.option("package", heap.classes.get(class).package()),
            Some((PartitionBy::Loader, class)) => {
                line.option("loader", heap.classes.get(class).loader.map_or_else(|| SYSTEM.to_owned(), id))
            }
        };
        line.some("filter-class", Some(&self.of_class).filter(|class| !class.is_empty()))
    }
}

/// A level of the dominator tree with chains and groups.
pub const FOLDED: Relation = relation!("dominators --fold, --by, --shared", COLUMNS).naming_objects();

/// Word for many owners.
pub const MANY: &str = "many";
/// Word for the bootstrap loader.
pub const SYSTEM: &str = "system";

/// Data shared by all levels of one tree.
pub struct LevelContext {
    form: LevelForm,
    partition: Partition,
    shared: Option<Arc<Shared>>,
    order: (LevelOrder, bool),
}

impl LevelContext {
    /// Computes the data for queried levels.
    pub fn new(dump: TableContext<'_>, query: &LevelQuery, rows: &RowQuery, task: &Task) -> Result<Self, TableError> {
        let order = rows.sort.as_deref().map_or(Ok(LevelOrder::Retained), |key| order_of(dump, key))?;
        let by = match (query.form, query.only) {
            (LevelForm::By(by), _) | (_, Some((by, _))) => by,
            _ => PartitionBy::Class,
        };
        let wants_shared = match query.parent {
            LevelParent::Below(None) => query.form == LevelForm::Folded,
            LevelParent::Below(Some(_)) | LevelParent::Chain(_) | LevelParent::ChainObjects(_) => false,
            LevelParent::SharedBy(_) | LevelParent::Shared => true,
        };
        let heap = dump.heap;
        let shared = wants_shared.then(|| dump.data().answer(&SharedQuestion, task)).transpose()?;
        Ok(Self { form: query.form, partition: Partition::new(heap, by), shared, order: (order, rows.reverse) })
    }

    /// Shared objects, if requested.
    pub fn shared(&self) -> Option<&Shared> {
        self.shared.as_deref()
    }

    /// Makes levels.
    pub fn folding<'a>(&'a self, dump: TableContext<'a>) -> FoldInputs<'a> {
        FoldInputs {
            dump: dump.data(),
            names_chains: true,
            form: self.form,
            partition: &self.partition,
            shared: self.shared.as_deref(),
            order: self.order,
            then: None,
        }
    }

    /// The queried level of objects that pass: its part of the tree, and its rows.
    pub fn level(
        &self,
        dump: TableContext<'_>,
        query: &LevelQuery,
        filter: &RowFilter,
        task: &Task,
    ) -> Result<(LevelPart, Rows), TableError> {
        let heap = dump.heap;
        let of_class = TextFilter::parse(&query.of_class).map_err(TableError::InvalidQuery)?;
        let passing = ObjectFilter::new(heap, &of_class);
        let conditions = LevelConditions::new(dump, filter)?;
        let words = &filter.text;
        let keep =
            |object: ObjectId| passing.has(object) && (words.is_empty() || words.passes_object(dump.data(), object));
        let chain = |head| {
            let chain_found = chain_from(dump.data(), head, task)?;
            chain_found.ok_or_else(|| TableError::InvalidQuery(format!("no chain starts at {}", heap.id_text(head))))
        };
        let source = match &query.parent {
            LevelParent::Below(of) => Some(Source::Below(*of)),
            LevelParent::Chain(head) => Some(Source::Chain(chain(*head)?)),
            LevelParent::ChainObjects(head) => Some(Source::Members(chain(*head)?)),
            LevelParent::SharedBy(owners) => {
                let sets = self.shared.as_ref().map_or(&[][..], |shared| &shared.sets);
                let set = sets.iter().position(|set| set.owners == *owners);
                Some(Source::Shared(set.ok_or_else(|| {
                    TableError::InvalidQuery("no objects are shared by exactly these owners".to_owned())
                })? as u32))
            }
            LevelParent::Shared => None,
        };
        let folding = self.folding(dump);
        let (part, mut rows) = match source {
            Some(source) => {
                let part = LevelPart { source, only: query.only };
                (part, folding.rows(part, &keep, task)?)
            }
            None => (LevelPart::TOP, folding.shared_rows(&keep, task)?),
        };
        conditions.keep(dump, (part, &mut rows), self.shared.as_deref());
        Ok((part, rows))
    }
}

/// Conditions on the numbers of a level's rows: of groups as a whole, not of their objects.
pub struct LevelConditions(Conditions<Row<'static>>);

impl LevelConditions {
    /// The conditions of a filter.
    ///
    /// # Errors
    /// [`TableError::InvalidQuery`] if rows have no such number.
    pub fn new(dump: TableContext<'_>, filter: &RowFilter) -> Result<Self, TableError> {
        Ok(Self(filter.conditions(COLUMNS, |when| when.holds(dump))?))
    }

    /// The conditions of a typed filter; one that rows do not have is an error there, and left out.
    pub fn of_typed(dump: TableContext<'_>, filter: &mut TypedFilter) -> Self {
        Self(filter.conditions_of(COLUMNS, |when| when.holds(dump)))
    }

    /// Removes the rows that do not meet them.
    pub fn keep(&self, dump: TableContext<'_>, (part, rows): (LevelPart, &mut Rows), shared: Option<&Shared>) {
        if !self.0.is_empty() {
            let row = |object| Row { object, fold: rows.fold(object), part, shared };
            rows.rows = rows.rows.iter().copied().filter(|&object| self.0.are_met(row(object), dump)).collect();
        }
    }
}

/// A level in the requested order.
pub struct FoldedLevel {
    ground: LevelContext,
    part: LevelPart,
    rows: Rows,
}

impl FoldedLevel {
    /// Folds, filters and sorts the level; the range of rows is applied later.
    pub fn find(
        dump: TableContext<'_>,
        query: &LevelQuery,
        row_query: &RowQuery,
        task: &Task,
    ) -> Result<Self, TableError> {
        let ground = LevelContext::new(dump, query, row_query, task)?;
        let (part, rows) = ground.level(dump, query, &row_query.row_filter()?, task)?;
        Ok(Self { ground, part, rows })
    }
}

impl Record for Row<'static> {
    type Row<'a> = Row<'a>;
}

impl TypedTable for FoldedLevel {
    type Record = Row<'static>;
    const COLUMNS: Columns<Row<'static>> = COLUMNS;

    fn count(&self) -> usize {
        self.rows.rows.len()
    }

    fn row(&self, row: usize) -> Option<Row<'_>> {
        let &object = self.rows.rows.get(row)?;
        Some(Row { object, fold: self.rows.fold(object), part: self.part, shared: self.ground.shared() })
    }

    fn passes(&self, dump: TableContext<'_>, row: Row<'_>, filter: &TextFilter) -> bool {
        filter.matches(&row.name(dump))
    }

    fn write_row(&self, dump: TableContext<'_>, row: Row<'_>, _nth: usize, out: &mut dyn Write) -> io::Result<()> {
        row.write(dump, out)
    }

    fn ordered_rows<'a>(
        &'a self,
        _from: TableContext<'a>,
        rows: &RowQuery,
        _task: &Task,
    ) -> TableResult<OrderedRows<'a>> {
        let expected = self.rows.rows.len() as u64;
        Ok(OrderedRows { rows: rows.part(0..expected as u32), totals: Vec::new(), expected })
    }
}

/// A row: an object, or the objects it represents.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    /// The object.
    pub object: ObjectId,
    /// Objects behind the row, if more than that object.
    pub fold: Option<&'a Fold>,
    /// Level that has the row.
    pub part: LevelPart,
    /// Shared objects.
    pub shared: Option<&'a Shared>,
}

impl Row<'_> {
    fn retained(&self, dump: TableContext<'_>) -> Bytes {
        self.fold.map_or_else(|| dump.analysis.retained(self.object), |fold| fold.retained)
    }

    /// Columns that the dump has.
    pub fn columns(dump: TableContext<'_>) -> Vec<&'static Column<Row<'static>>> {
        let all = COLUMNS.iter().copied().flatten();
        all.filter(|column| column.heading.when.holds(dump)).collect()
    }

    fn kind(&self) -> &'static str {
        match self.fold.map(|fold| &fold.kind) {
            None => "object",
            Some(FoldKind::Chain { .. }) => "chain",
            Some(FoldKind::Members(_)) => "members",
            Some(FoldKind::Group(..)) => "group",
            Some(FoldKind::Shared(_)) => "shared",
        }
    }

    /// Object named by the row: itself, or the first of a chain.
    pub fn id(&self) -> Option<ObjectId> {
        match self.fold.map(|fold| &fold.kind) {
            None => Some(self.object),
            Some(FoldKind::Chain { chain, .. }) => Some(chain.head),
            Some(FoldKind::Members(_) | FoldKind::Group(..) | FoldKind::Shared(_)) => None,
        }
    }

    fn has_class(&self) -> bool {
        let kind = self.fold.map(|fold| &fold.kind);
        !matches!(kind, Some(FoldKind::Group(PartitionBy::Package | PartitionBy::Loader, _) | FoldKind::Shared(_)))
    }

    /// Text of the row; reads the dump file.
    pub fn name(&self, dump: TableContext<'_>) -> String {
        let heap = dump.heap;
        let class = &heap.class(self.object).name;
        let Some(fold) = self.fold else {
            return match dump.contents.label(heap, self.object) {
                Some(label) => format!("{class} {label}"),
                None => class.to_string(),
            };
        };
        GroupName::new(heap, (&fold.kind, fold.objects), self.shared, |loader| dump.contents.label(heap, loader))
            .plain()
    }

    /// Short name of the object, or of the first of a chain; of objects of one class, that of what holds the largest.
    pub fn short_name(&self, dump: TableContext<'_>) -> Option<String> {
        match self.fold.map(|fold| &fold.kind) {
            None | Some(FoldKind::Chain { .. }) => dump.short_name(self.object),
            Some(FoldKind::Group(..)) => dump.owner(self.object),
            Some(FoldKind::Members(_) | FoldKind::Shared(_)) => None,
        }
    }

    /// What the row leads with in the tree, and its cell in the chart.
    fn lead(&self, dump: TableContext<'_>) -> Option<String> {
        let task = Task::new();
        let lead = match self.fold.map(|fold| &fold.kind) {
            None => lead_of_object(dump.data(), self.object, &task),
            Some(FoldKind::Chain { chain, .. }) => lead_of_object(dump.data(), chain.head, &task),
            Some(&FoldKind::Group(PartitionBy::Class, class)) => {
                let part = LevelPart { only: Some((PartitionBy::Class, class)), ..self.part };
                lead_of_group(dump.data(), GroupId { part, first: self.object }, &task)
            }
            Some(FoldKind::Group(..) | FoldKind::Members(_) | FoldKind::Shared(_)) => return None,
        };
        // This task is never cancelled.
        Some(lead.ok()??.text())
    }

    /// Writes the row as a JSON object; shared objects with their owners.
    pub fn write(&self, dump: TableContext<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.write_open(dump, out)?;
        out.write_all(b"}")
    }

    /// Writes the row without the closing brace, so that children can follow.
    pub fn write_open(&self, dump: TableContext<'_>, out: &mut dyn Write) -> io::Result<()> {
        let mut cells = Vec::new();
        write_entries(Self::columns(dump).into_iter(), dump, *self, 0, &mut cells)?;
        cells.pop_if(|last| *last == b'}');
        out.write_all(&cells)?;
        if let Some(Fold { kind: FoldKind::Shared(set), .. }) = self.fold
            && let Some(set) = set_of(self.shared, *set)
        {
            let id = |&owner: &ObjectId| dump.heap.id_text(owner);
            let ids = set.owners.as_ref().map(|owners| owners.iter().map(id).collect::<Vec<_>>());
            write!(out, ",\"owners\":{}", serde_json::to_string(&ids)?)?;
            write!(out, ",\"owner_names\":{}", serde_json::to_string(&set.names)?)?;
        }
        Ok(())
    }
}
