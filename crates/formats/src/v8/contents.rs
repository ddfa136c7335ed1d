//! Contents of a node: its edges by name, its text, its allocation stack.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::allocations::{self, Allocations};
use super::collections::{ClassLines, Libraries};
use super::meta::{EdgeKind, Meta, NodeKind};
use super::reader::{Edge, Node, SnapshotReader};
use super::scripts::{self, Script};
use super::text::MISSING_NAME;
use super::{identity, index::Index, ropes::Ropes, storage, wide_nodes::WideNodes};
use crate::source::Source;
use heaplens_base::{Cancelled, Count, Task};
use heaplens_heap::collection_list::CollectionList;
use heaplens_heap::contents::{IdLifetime, NamedObjects, ScriptLocation};
use heaplens_heap::value_rules::DICTIONARY;
use heaplens_heap::{
    AllocationSites, ClassId, CommonShape, ContentHash, Contents, ContentsError, Field, FieldReferences, FileRecords,
    Fingerprint, Fingerprints, Heap, LibraryObjects, LogicalCollection, LogicalEntry, LogicalKind, ObjectId,
    ObjectTexts, ObjectValues, RecordedText, ReferenceKind, ReferenceName, ReferenceNames, Role, ScriptPosition,
    ScriptSources, SnapshotContents, SourceLocation, SourceVariable, Strength, ThreadStacks, Value, ValueKind,
};

/// Maximum number of fields listed for an object.
const FIELDS: usize = 5_000;

/// The inside of nodes.
pub(super) struct V8Contents {
    file: Option<Source>,
    index: Arc<Index>,
    meta: Meta,
    /// Collections of libraries, and their lines by class; filled together with the heap.
    list: Arc<CollectionList>,
    lines: Vec<ClassLines>,
    /// Roles of classes; filled together with the heap.
    roles: Roles,
    /// By class: true if its objects belong to the engine; filled together with the heap.
    engine_classes: Vec<bool>,
    /// Values by class; filled together with the heap.
    value_kinds: Vec<Option<ValueKind>>,
    /// Allocation stacks; read on first use.
    allocations: OnceLock<Allocations>,
    /// Scripts by number; read on first use.
    scripts: OnceLock<FxHashMap<u32, Script>>,
    /// What the scripts were made of, if their source maps are known.
    sources: Option<Arc<dyn ScriptSources>>,
    /// Beginnings of concatenated strings; computed on first use.
    ropes: OnceLock<Ropes>,
    /// Edges of wide nodes by target; sorted on use.
    wide_nodes: WideNodes,
}

/// Role of each class in the search for wasted memory.
type Roles = Vec<Role>;

impl V8Contents {
    /// Contents backed by a file, if available.
    pub(super) fn new(file: Option<Source>, index: Index, meta: Meta) -> Self {
        Self::with_list(file, Arc::new(index), meta, CollectionList::built_in())
    }

    fn with_list(file: Option<Source>, index: Arc<Index>, meta: Meta, list: Arc<CollectionList>) -> Self {
        let (allocations, scripts, ropes) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let (lines, roles, engine_classes, value_kinds) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let wide_nodes = WideNodes::default();
        Self {
            file,
            index,
            meta,
            list,
            lines,
            roles,
            engine_classes,
            value_kinds,
            allocations,
            scripts,
            sources: None,
            ropes,
            wide_nodes,
        }
    }

    fn reader(&self) -> Option<SnapshotReader<'_>> {
        let file = self.file.as_ref()?.bytes();
        Some(SnapshotReader { file, index: &self.index, meta: &self.meta, ropes: &self.ropes })
    }

    fn scripts(&self) -> Option<&FxHashMap<u32, Script>> {
        self.reader().map(|reader| self.scripts.get_or_init(|| scripts::scripts(reader)))
    }

    /// Position of a function, or of the constructor of an object.
    fn position(&self, object: ObjectId) -> Option<ScriptPosition> {
        let at = self.index.locations.binary_search_by_key(&object.raw(), |&(row, _)| row).ok()?;
        let &(_, [script, line, column]) = self.index.locations.get(at)?;
        Some(ScriptPosition { script, line, column })
    }

    /// Name in the source of a function that has another one in its script.
    fn source_name(&self, object: ObjectId) -> Option<String> {
        self.sources.as_ref()?.location(self.position(object)?)?.name
    }

    /// Allocation stacks, if the file has them.
    fn allocations(&self) -> Option<&Allocations> {
        let SnapshotReader { file, index, meta, .. } =
            self.reader().filter(|of| allocations::has_stacks(of.file, of.index, of.meta))?;
        // This task is never cancelled: the caller waits for an answer about one object.
        Some(self.allocations.get_or_init(|| Allocations::read(file, index, meta, &Task::new()).unwrap_or_default()))
    }

    /// Collections, with the classes of a heap.
    fn libraries<'a>(&'a self, heap: &'a Heap) -> Option<Libraries<'a>> {
        Some(Libraries { reader: self.reader()?, list: &self.list, lines: &self.lines, heap })
    }

    fn node(&self, object: ObjectId) -> Option<(SnapshotReader<'_>, Node)> {
        let reader = self.reader()?;
        Some((reader, reader.node(object.raw())?))
    }
}

/// True if the edge is an array element, which is listed separately.
fn is_element(heap: &Heap, object: ObjectId, edge: &Edge) -> bool {
    edge.kind == EdgeKind::Element && heap.class(object).kind != heaplens_heap::ClassKind::Plain
}

/// Kind and display name of an edge: `name`, `[3]`, or an engine-internal name in angle brackets.
fn reference(reader: SnapshotReader<'_>, edge: &Edge) -> ReferenceName {
    let name = reader.edge_name(edge);
    let (kind, text) = match edge.kind {
        EdgeKind::Element => return ReferenceName::element(Some(edge.name)),
        EdgeKind::Property | EdgeKind::Other => (ReferenceKind::Property, name),
        EdgeKind::Context => (ReferenceKind::Context, name),
        EdgeKind::Internal => (ReferenceKind::Internal, format!("<{name}>")),
        EdgeKind::Hidden | EdgeKind::Invisible => (ReferenceKind::Hidden, format!("<hidden-{name}>")),
        EdgeKind::Shortcut => (ReferenceKind::Shortcut, name),
        EdgeKind::Weak => (ReferenceKind::Weak, format!("<weak-{name}>")),
    };
    let strength = if edge.kind == EdgeKind::Weak { Strength::Weak } else { Strength::Strong };
    ReferenceName { text, kind, strength }
}

impl Contents for V8Contents {
    fn save(&self) -> Vec<u8> {
        // Serializing plain structs to memory cannot fail.
        postcard::to_stdvec(&*self.index).unwrap_or_default()
    }

    fn with_collections(&self, heap: &Heap, list: &Arc<CollectionList>) -> Option<Arc<dyn Contents>> {
        let contents = Self::with_list(self.file.clone(), self.index.clone(), self.meta.clone(), list.clone());
        Some(with_roles(Self { sources: self.sources.clone(), ..contents }, heap))
    }

    fn with_sources(&self, sources: Option<Arc<dyn ScriptSources>>) -> Option<Arc<dyn Contents>> {
        let contents = Self::with_list(self.file.clone(), self.index.clone(), self.meta.clone(), self.list.clone());
        Some(Arc::new(Self {
            sources,
            scripts: self.scripts.clone(),
            lines: self.lines.clone(),
            roles: self.roles.clone(),
            engine_classes: self.engine_classes.clone(),
            value_kinds: self.value_kinds.clone(),
            ..contents
        }))
    }
}

impl ObjectValues for V8Contents {
    fn fields(&self, heap: &Heap, object: ObjectId) -> Result<Vec<Field>, ContentsError> {
        let target = |to| ObjectId::from_raw(to).map_or(Value::Null, Value::Object);
        let field =
            |name, type_name, value| Field { name, type_name, declared_by: String::new(), is_static: false, value };
        let Some((reader, node)) = self.node(object) else {
            let unnamed = |&to: &u32| field("?".to_owned(), "object", target(to));
            return Ok(heap.references(object).iter().take(FIELDS).map(unnamed).collect());
        };
        let mut edges = reader.edges_of(&node).filter(|edge| !is_element(heap, object, edge));
        let of_edge = |edge: Edge| {
            let name = reference(reader, &edge);
            field(name.text, name.kind.name(), target(edge.to))
        };
        let mut fields: Vec<Field> = edges.by_ref().take(FIELDS).map(of_edge).collect();
        let more = edges.count() as u64;
        if more > 0 {
            fields.push(field(format!("… {} more", Count(more)), "object", Value::Unavailable));
        }
        Ok(fields)
    }

    fn array_length(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        let (reader, node) = self.node(object)?;
        let is_array = heap.class(object).kind != heaplens_heap::ClassKind::Plain;
        is_array.then(|| reader.edges_of(&node).filter(|edge| edge.kind == EdgeKind::Element).count() as u64)
    }

    fn elements(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Result<Vec<Value>, ContentsError> {
        let Some((reader, node)) = self.node(object) else { return Ok(Vec::new()) };
        let edges = reader.edges_of(&node).filter(|edge| is_element(heap, object, edge));
        let (skip, take) = (range.start as usize, range.end.saturating_sub(range.start) as usize);
        let value = |edge: Edge| ObjectId::from_raw(edge.to).map_or(Value::Null, Value::Object);
        Ok(edges.skip(skip).take(take).map(value).collect())
    }

    fn element_places(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Option<Vec<u64>> {
        let (reader, node) = self.node(object)?;
        let edges = reader.edges_of(&node).filter(|edge| is_element(heap, object, edge));
        let (skip, take) = (range.start as usize, range.end.saturating_sub(range.start) as usize);
        Some(edges.skip(skip).take(take).map(|edge| edge.name).collect())
    }
}

impl ObjectTexts for V8Contents {
    fn text(&self, _heap: &Heap, object: ObjectId, limit: usize) -> Option<String> {
        let (reader, node) = self.node(object)?;
        let text = reader.text(&node, object.raw(), limit)?;
        Some(if text.len() > limit { text.chars().take(limit).collect() } else { text })
    }

    fn recorded_text(&self, _heap: &Heap, object: ObjectId) -> RecordedText {
        let Some(reader) = self.reader() else { return RecordedText::Unavailable };
        reader.node(object.raw()).map_or(RecordedText::Nothing, |node| reader.recorded_text(&node, object.raw()))
    }

    fn label(&self, heap: &Heap, object: ObjectId) -> Option<String> {
        let (reader, node) = self.node(object)?;
        let source_name = || self.source_name(object).filter(|_| reader.is_named_function(&node));
        let label = source_name().map_or_else(|| reader.label(&node, object.raw()), |name| format!("{name}()"));
        let class = heap.class(object);
        // Its class, which has another name in the source.
        let is_class = || class.made_at.is_some() && self.sources.is_some() && reader.is_called_node(&node, &label);
        (!label.is_empty() && label != *class.name && !is_class()).then_some(label)
    }
}

impl ReferenceNames for V8Contents {
    fn reference_names(&self, heap: &Heap, from: ObjectId, to: ObjectId, limit: usize) -> Vec<ReferenceName> {
        let Some((reader, node)) = self.node(from) else {
            let is_there = heap.references(from).contains(&to.raw());
            return is_there.then(|| ReferenceName::strong(ReferenceKind::Property, "?")).into_iter().collect();
        };
        let (mut strong, mut weak) = (Vec::new(), Vec::new());
        for edge in self.wide_nodes.edges_to(reader, (from.raw(), &node), to.raw()) {
            let list = if edge.kind == EdgeKind::Weak { &mut weak } else { &mut strong };
            if list.len() < limit {
                list.push((matches!(edge.kind, EdgeKind::Internal | EdgeKind::Hidden), reference(reader, &edge)));
            }
            if strong.len() >= limit {
                break;
            }
        }
        // Names given by the program are more useful than internal ones.
        strong.sort_by_key(|&(internal, _)| internal);
        strong.into_iter().chain(weak).map(|(_, name)| name).take(limit).collect()
    }

    fn named_references_of(
        &self,
        _heap: &Heap,
        object: ObjectId,
        limit: usize,
    ) -> Option<Vec<(ReferenceName, ObjectId)>> {
        let (reader, node) = self.node(object)?;
        let edges = reader.edges_of(&node).take(limit);
        Some(edges.filter_map(|edge| Some((reference(reader, &edge), ObjectId::from_raw(edge.to)?))).collect())
    }

    fn is_dictionary(&self, _heap: &Heap, object: ObjectId) -> bool {
        let Some((reader, node)) = self.node(object) else { return false };
        let is_key = |edge: &Edge| edge.kind == EdgeKind::Property && !reader.is_called(edge, "__proto__");
        self.wide_nodes.judged_dictionary((object.raw(), &node), || {
            node.kind == NodeKind::Object
                && reader.name(&node) == "Object"
                && reader.edges_of(&node).filter(is_key).take(DICTIONARY).count() == DICTIONARY
        })
    }

    fn is_engine_class(&self, class: ClassId) -> bool {
        self.engine_classes.get(class.index()) == Some(&true)
    }

    fn is_storage_edge(&self, heap: &Heap, from: ObjectId, to: ObjectId) -> bool {
        let Some((reader, node)) = self.node(from) else { return false };
        let from_engine = self.is_engine_class(heap.class_id(from));
        self.wide_nodes.judged((from.raw(), &node), to.raw(), || {
            let edges = self.wide_nodes.edges_to(reader, (from.raw(), &node), to.raw());
            let retaining = edges.filter(|edge| !matches!(edge.kind, EdgeKind::Weak | EdgeKind::Shortcut));
            let mut retaining = retaining.peekable();
            retaining.peek().is_some() && retaining.all(|edge| reader.is_storage_edge(&edge, from_engine))
        })
    }
}

impl LibraryObjects for V8Contents {
    fn role(&self, class: ClassId) -> Role {
        self.roles.get(class.index()).copied().unwrap_or_default()
    }

    fn logical(&self, heap: &Heap, collection: ObjectId, range: Range<u64>) -> Option<LogicalCollection> {
        if self.role(heap.class_id(collection)) != Role::Collection {
            return None;
        }
        self.libraries(heap)?.logical(collection.raw(), range)
    }

    fn collection_kind(&self, heap: &Heap, collection: ObjectId) -> Option<LogicalKind> {
        if self.role(heap.class_id(collection)) != Role::Collection {
            return None;
        }
        self.libraries(heap)?.kind(collection.raw())
    }

    fn boxed(&self, _heap: &Heap, object: ObjectId) -> Option<Value> {
        let (reader, node) = self.node(object)?;
        let value = (node.kind == NodeKind::Number).then(|| reader.number(object.raw())).flatten()?;
        // Text may also be `true`, and engines write `NaN` and `Infinity` as Rust reads them.
        value.parse().ok().map(Value::Double)
    }

    fn entry_on_path(&self, heap: &Heap, collection: ObjectId, path: &[ObjectId]) -> Option<(LogicalEntry, usize)> {
        let path: Vec<u32> = path.iter().map(|object| object.raw()).collect();
        self.libraries(heap)?.entry_on_path(collection.raw(), &path)
    }
}

impl Fingerprints for V8Contents {
    fn fingerprint(&self, _heap: &Heap, object: ObjectId) -> Option<Fingerprint> {
        let (reader, node) = self.node(object)?;
        // A text that is known in part may go on in any way.
        let text = reader.known_text(&node, object.raw()).filter(|text| text.is_whole)?.hash;
        let is_part = |edge: &Edge| {
            edge.kind == EdgeKind::Internal && ["first", "second"].iter().any(|name| reader.is_called(edge, name))
        };
        let is_empty = |edge: Edge| {
            let part = reader.node(edge.to);
            part.is_some_and(|node| reader.text(&node, edge.to, 1).is_some_and(|text| text.is_empty()))
        };
        if !reader.is_flat(&node) && reader.edges_of(&node).filter(is_part).any(is_empty) {
            // Already flattened: the text is in the other part, and counts there.
            return None;
        }
        let mut hash = ContentHash::default();
        text.sums.iter().for_each(|sum| hash.write(&sum.to_le_bytes()));
        Some(Fingerprint { hash: hash.finish(), length: text.units, zero: false, array: object })
    }

    fn digest(&self, _heap: &Heap, object: ObjectId) -> Option<u64> {
        self.reader()?.digest(object.raw())
    }

    fn value_kind(&self, class: ClassId) -> Option<ValueKind> {
        self.value_kinds.get(class.index()).copied().flatten()
    }
}

impl AllocationSites for V8Contents {
    fn has_sites(&self) -> bool {
        self.reader().is_some_and(|of| allocations::has_stacks(of.file, of.index, of.meta))
    }

    fn allocation_site(&self, _heap: &Heap, object: ObjectId) -> Option<u32> {
        self.allocations()?.of(object.raw())
    }

    fn site(&self, site: u32) -> Vec<String> {
        let (Some(allocations), Some(reader)) = (self.allocations(), self.reader()) else { return Vec::new() };
        let string = |string| reader.string(string).unwrap_or_else(|| MISSING_NAME.to_owned());
        let source = |position| self.source_location(position);
        allocations.frames(site, string, source)
    }
}

impl SnapshotContents for V8Contents {
    fn common_shapes(&self) -> Vec<CommonShape> {
        self.index.shapes.clone()
    }

    fn plain_properties(&self, _heap: &Heap, object: ObjectId) -> Option<Vec<String>> {
        let (reader, node) = self.node(object)?;
        if node.kind != NodeKind::Object || reader.name(&node) != "Object" {
            return None;
        }
        let properties = reader.edges_of(&node).filter(|edge| edge.kind == EdgeKind::Property);
        Some(properties.map(|edge| reader.edge_name(&edge)).collect())
    }

    fn script_name(&self, script: u32) -> Option<String> {
        Some(self.scripts()?.get(&script)?.name.clone())
    }

    fn script_names(&self) -> Vec<String> {
        self.scripts().map(|scripts| scripts.values().map(|script| script.name.clone()).collect()).unwrap_or_default()
    }

    fn scripts(&self) -> Vec<(u32, String)> {
        let scripts = self.scripts().into_iter().flatten();
        scripts.map(|(&number, script)| (number, script.name.clone())).collect()
    }

    fn script_beginning(&self, script: u32) -> Option<String> {
        scripts::beginning(self.reader()?, self.scripts()?.get(&script)?)
    }

    fn function_positions(&self) -> Vec<ScriptPosition> {
        let locations = self.index.locations.iter();
        locations.map(|&(_, [script, line, column])| ScriptPosition { script, line, column }).collect()
    }

    fn source_location(&self, position: ScriptPosition) -> Option<SourceLocation> {
        self.sources.as_ref()?.location(position)
    }

    fn source_variables(&self, function: ScriptPosition, variables: &[&str]) -> Vec<Option<SourceVariable>> {
        let sources = self.sources.as_ref();
        sources.map_or_else(|| vec![None; variables.len()], |sources| sources.variables(function, variables))
    }

    fn script_location(&self, _heap: &Heap, object: ObjectId) -> Option<ScriptLocation> {
        let position = self.position(object)?;
        let (script, source) = (self.script_name(position.script), self.source_location(position));
        Some(ScriptLocation { script, position, source })
    }

    fn objects_beginning(&self, texts: &[&str], task: &Task) -> Result<NamedObjects, Cancelled> {
        self.reader().map_or_else(|| Ok(NamedObjects::default()), |reader| reader.nodes_beginning(texts, task))
    }

    fn internal_targets(&self, name: &str, task: &Task) -> Result<Vec<u32>, Cancelled> {
        self.reader().map_or_else(|| Ok(Vec::new()), |reader| reader.internal_targets(name, task))
    }

    fn allocation_samples(&self) -> Vec<(u64, u64)> {
        self.reader().map(|of| allocations::samples(of.file, of.index, of.meta)).unwrap_or_default()
    }

    fn has_samples(&self) -> bool {
        self.reader().is_some_and(|of| allocations::has_samples(of.file, of.index))
    }

    fn id_lifetime(&self, heap: &Heap, object: ObjectId) -> IdLifetime {
        let Some((_, node)) = self.node(object) else { return IdLifetime::Object };
        match node.kind {
            // Small integers are no objects: their nodes, and the texts of all numbers, are made for one snapshot.
            NodeKind::Number | NodeKind::String if node.size == 0 => IdLifetime::Snapshot,
            // V8 numbers its own objects with odd ids. Even ones depend on the program that V8 is part of.
            NodeKind::Native | NodeKind::Synthetic if heap.address(object).0.is_multiple_of(2) => IdLifetime::Unknown,
            _ => IdLifetime::Object,
        }
    }
}

// The format has no data for these.
impl FieldReferences for V8Contents {}
impl FileRecords for V8Contents {}
impl ThreadStacks for V8Contents {}

impl SnapshotReader<'_> {
    /// Value of a heap number, if the file has values of numbers.
    pub(super) fn number(self, row: u32) -> Option<String> {
        let value = self.follow(row, EdgeKind::Internal, "value")?;
        self.node(value).map(|node| self.name(&node))
    }
}

/// Adds the roles of the classes of a heap.
pub(super) fn with_roles(mut contents: V8Contents, heap: &Heap) -> Arc<dyn Contents> {
    contents.lines = heap.classes.all().iter().map(|class| ClassLines::of(&contents.list, &class.name)).collect();
    let are_collections = contents.libraries(heap).map_or_else(Vec::new, Libraries::collection_classes);
    let roles = heap.classes.iter().map(|(id, class)| match &*class.name {
        "(string)" | "(concatenated string)" | "(sliced string)" | "(slicedstring)" if !class.unlisted => Role::Text,
        _ if are_collections.contains(&id) => Role::Collection,
        _ => Role::Other,
    });
    contents.roles = roles.collect();
    contents.engine_classes = heap.classes.all().iter().map(|class| storage::is_of_engine(&class.name)).collect();
    contents.value_kinds = heap.classes.all().iter().map(identity::value_kind).collect();
    Arc::new(contents)
}

/// Deserializes contents that [`Contents::save`] wrote; `file` is the snapshot, if available.
pub(super) fn restore(saved: &[u8], file: Option<Source>, heap: &Heap) -> Result<Arc<dyn Contents>, ContentsError> {
    let damaged = |why: &str| ContentsError(format!("the stored positions of nodes and edges are damaged: {why}"));
    let (index, rest) = postcard::take_from_bytes::<Index>(saved).map_err(|error| damaged(&error.to_string()))?;
    if !rest.is_empty() {
        return Err(damaged("unexpected trailing data"));
    }
    if index.nodes.count != heap.len() as u64 || !index.strings.is_sound() {
        return Err(damaged("it belongs to another heap"));
    }
    let head = index.head().ok_or_else(|| damaged("the snapshot metadata is missing"))?;
    let meta = head.meta().map_err(damaged)?;
    Ok(with_roles(V8Contents::new(file, index, meta), heap))
}
