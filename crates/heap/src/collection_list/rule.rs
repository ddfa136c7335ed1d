//! Parts of a line of the list: class, kind, shape, and the fields of each role.

use crate::LogicalKind;

/// Arrangement of the entries of a collection. The roles that each one needs are in `parse.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryShape {
    /// Elements of one or more arrays, in order, null ones too; with `key`, the elements are nodes.
    Array,
    /// Used slots of parallel arrays: open addressing.
    Slots,
    /// Keys and values alternate in an array.
    Pairs,
    /// Hash table whose slots are first nodes of chains.
    Chains,
    /// Chains of nodes.
    Links,
    /// Search tree, smallest key first.
    Tree,
    /// Tree of nodes of several classes, each with a `node` line.
    Trie,
    /// Vector of Scala 2.12: arrays of 32 elements, nested, with a path of arrays to the last used index.
    Radix,
    /// Another collection has the entries.
    Within,
    /// Keys and values in the object's own fields.
    Own,
    /// Never has entries.
    Empty,
}

impl EntryShape {
    pub(super) const NAMES: [(&'static str, Self); 11] = [
        ("array", Self::Array),
        ("slots", Self::Slots),
        ("pairs", Self::Pairs),
        ("chains", Self::Chains),
        ("links", Self::Links),
        ("tree", Self::Tree),
        ("trie", Self::Trie),
        ("radix", Self::Radix),
        ("within", Self::Within),
        ("own", Self::Own),
        ("empty", Self::Empty),
    ];
}

/// Meaning of a field for a collection or its nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldRole {
    /// Arrays of elements.
    Elements,
    /// Arrays of keys, or the keys themselves.
    Keys,
    /// Arrays of values, or the values themselves.
    Values,
    /// Array that says of each slot whether it is used: 1 or true.
    Used,
    /// Table of first nodes, or of keys and values.
    Table,
    /// Number of entries: a number, a counter, or a collection of the same size.
    Size,
    /// Index of the first element in the array.
    Start,
    /// Index after the last element.
    End,
    /// Index of the last used element of a radix vector.
    Focus,
    /// True if there is an entry for the key zero or null.
    Zero,
    /// Value of that entry; without it, it is in the last slot.
    ZeroValue,
    /// First nodes of chains.
    First,
    /// Root of a tree.
    Root,
    /// The collection that has the entries.
    Of,
    /// Of a node: the next one.
    Next,
    /// Of a node: its key.
    Key,
    /// Of a node: its value or element.
    Value,
    /// Of a node: the child with smaller keys.
    Left,
    /// Of a node: the child with larger keys.
    Right,
    /// Of a node of a threaded tree: number of which bit 30 says that the left child is no child, bit 31 the right one;
    /// or two booleans that say so.
    Threads,
    /// Of a node of a trie: child nodes and elements, or arrays of them.
    Children,
    /// Of a node of a trie: array of alternating keys and values; a child where the key is null or is itself a node.
    Pairs,
}

impl FieldRole {
    pub(super) const NAMES: [(&'static str, Self); 23] = [
        ("elements", Self::Elements),
        ("keys", Self::Keys),
        ("values", Self::Values),
        ("used", Self::Used),
        ("table", Self::Table),
        ("size", Self::Size),
        ("start", Self::Start),
        ("end", Self::End),
        ("focus", Self::Focus),
        ("zero", Self::Zero),
        ("zero-value", Self::ZeroValue),
        ("first", Self::First),
        ("root", Self::Root),
        ("of", Self::Of),
        ("next", Self::Next),
        ("key", Self::Key),
        ("value", Self::Value),
        ("element", Self::Value),
        ("left", Self::Left),
        ("right", Self::Right),
        ("threads", Self::Threads),
        ("children", Self::Children),
        ("pairs", Self::Pairs),
    ];

    /// True if the field is one of the nodes, not of the collection.
    pub(super) fn is_of_node(self) -> bool {
        use FieldRole::{Children, Key, Left, Next, Pairs, Right, Threads, Value};
        matches!(self, Next | Key | Value | Left | Right | Threads | Children | Pairs)
    }
}

/// Step of a path: a field, then as many times the elements of the array in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PathStep {
    /// Name of the field.
    pub field: Box<str>,
    /// Number of `[]` after it.
    pub depth: u8,
}

/// Path of fields from an object, such as `segments[].table`; no steps for the object itself.
pub type FieldPath = Box<[PathStep]>;

/// Paths of which the first one whose fields exist counts: `key|referent`.
pub type PathChoice = Box<[FieldPath]>;

/// Fields of each role.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct RoleFields(pub(super) Vec<(FieldRole, Box<[PathChoice]>)>);

impl RoleFields {
    /// Fields of a role, none if the line does not name it. Several are one after another.
    pub fn of(&self, role: FieldRole) -> &[PathChoice] {
        self.0.iter().find(|(of, _)| *of == role).map_or(&[], |(_, fields)| fields)
    }

    /// The only field of a role.
    pub fn one(&self, role: FieldRole) -> Option<&[FieldPath]> {
        self.of(role).first().map(|choice| &**choice)
    }

    pub(super) fn has(&self, role: FieldRole) -> bool {
        !self.of(role).is_empty()
    }
}

/// What tells a slot with an entry from a free one, unless an array says so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum SlotTest {
    /// Its key is not null and not zero.
    #[default]
    Key,
    /// Its value is not null and not zero.
    Value,
    /// The first slots are used, as many as there are entries.
    First,
}

impl SlotTest {
    pub(super) const NAMES: [(&'static str, Self); 3] =
        [("keys", Self::Key), ("values", Self::Value), ("first", Self::First)];
}

/// Rule for reading objects of a class, and of its subclasses, as a collection.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ListedCollection {
    /// Name of the class, or a pattern.
    pub class: Box<str>,
    /// Kind of collection; `None`: that of the wrapped collection.
    pub kind: Option<LogicalKind>,
    /// Arrangement of the entries.
    pub shape: EntryShape,
    /// Fields by role.
    pub fields: RoleFields,
    /// Classes of placeholders, in slots without an entry.
    pub skip: Box<[Box<str>]>,
    /// What tells a used slot.
    pub test: SlotTest,
    /// True if the first node of a chain is not an entry.
    pub has_head: bool,
}

impl ListedCollection {
    /// True if a class with these fields has those that the line names for the collection itself.
    pub fn fits(&self, has_field: impl Fn(&str) -> bool) -> bool {
        let own = self.fields.0.iter().filter(|(role, _)| !role.is_of_node());
        own.flat_map(|(_, fields)| fields)
            .all(|choice| choice.iter().any(|path| path.first().is_none_or(|step| has_field(&step.field))))
    }
}

/// Rule for nodes of tries.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ListedNode {
    /// Name of the class, or a pattern.
    pub class: Box<str>,
    /// Fields by role.
    pub fields: RoleFields,
}
