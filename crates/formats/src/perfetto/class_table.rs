//! The class table of the heap.

use rustc_hash::FxHashMap;

use super::census::Tally;
use super::classes::{ClassKey, ClassVariants, joined};
use super::deobfuscation::TypeName;
use super::objects::RawObject;
use super::shapes::{Meaning, Shape, Shapes};
use super::types::RawType;
use crate::class_names::kind_of;
use heaplens_base::Bytes;
use heaplens_heap::{Address, AddressMap, Class, ClassId, ClassKind, Classes, Strength};

/// Class of class objects.
const CLASS: &str = "java.lang.Class";
/// Maximum length of a line of superclasses that is followed.
const LINE: usize = 64;
/// Classes of the library whose subclasses refer to their referent with this strength.
const STRENGTHS: [(&str, Strength); 6] = [
    ("java.lang.ref.SoftReference", Strength::Soft),
    ("java.lang.ref.WeakReference", Strength::Weak),
    ("java.lang.ref.FinalReference", Strength::Final),
    ("java.lang.ref.FinalizerReference", Strength::Final),
    ("java.lang.ref.PhantomReference", Strength::Phantom),
    ("java.lang.ref.Reference", Strength::Phantom),
];

#[derive(Debug, Default)]
struct ClassRow {
    name: String,
    loader: u64,
    strength: Strength,
    instance_size: u64,
    /// Id of its class object.
    object: Option<u64>,
}

/// Classes by type.
#[derive(Debug, Default)]
pub(super) struct ClassTable {
    rows: Vec<ClassRow>,
    pub(super) shapes: Shapes,
    /// Class of the objects of each type.
    of_type: Vec<u32>,
    /// Classes of merged and of unknown types.
    rare: FxHashMap<ClassKey, u32>,
    /// Number of classes that have objects but no type.
    pub(super) unknown: u64,
    /// Number of types and of their fields whose names are not in the trace.
    pub(super) unnamed: u64,
}

impl ClassTable {
    /// Collects all classes with a type or with objects. `shapes` has the names of fields.
    pub(super) fn new(file: &[u8], variants: &ClassVariants<'_>, shapes: Shapes, tally: &Tally) -> Self {
        let (types, joined) = (variants.types, joined(variants.types));
        let mut table = Self { shapes, ..Self::default() };
        for (raw, at) in types.rows.iter().zip(0..) {
            let class = if joined.contains_key(&at) { u32::MAX } else { table.push(variants, (Ok(at), 0), raw) };
            table.of_type.push(class);
        }
        let class = types.rows.iter().position(|raw| raw.name == CLASS).and_then(|at| table.of_type.get(at).copied());
        let class = class.unwrap_or_else(|| if joined.is_empty() { u32::MAX } else { table.make(CLASS.to_owned()) });
        table.of_type.iter_mut().filter(|of| **of == u32::MAX).for_each(|of| *of = class);
        for (raw, at) in types.rows.iter().zip(0..) {
            let above = variants.type_of(raw.superclass).filter(|_| raw.superclass != 0);
            table.extend_class(at, above);
        }
        // A class object is the only object of its type; of several in a malformed file, the first counts.
        for object in &tally.class_objects {
            let of = joined.get(&object.of).and_then(|&of| table.of_type.get(of as usize).copied());
            let row = of.and_then(|of| table.rows.get_mut(of as usize));
            row.into_iter().for_each(|row| row.object = row.object.or(Some(object.id)));
        }
        table.infer_superclasses(file, variants, tally);
        let mut rare: Vec<ClassKey> =
            tally.classes.keys().filter(|(of, variant)| of.is_err() || *variant > 0).copied().collect();
        rare.sort_unstable();
        for key in rare {
            let at = match key.0.ok().and_then(|at| Some((at, types.rows.get(at as usize)?))) {
                Some((at, raw)) => {
                    let class = table.push(variants, key, raw);
                    let base = table.of_type.get(at as usize).and_then(|&base| table.shapes.classes.get(base as usize));
                    let base = base.cloned().unwrap_or_default();
                    table.shapes.classes.get_mut(class as usize).into_iter().for_each(|shape| *shape = base.clone());
                    class
                }
                None => {
                    table.unknown += 1;
                    table.make(variants.name(key))
                }
            };
            table.rare.insert(key, at);
        }
        table.find_strengths();
        table
    }

    fn make(&mut self, name: String) -> u32 {
        self.rows.push(ClassRow { name, ..ClassRow::default() });
        self.shapes.classes.push(Shape::default());
        self.rows.len() as u32 - 1
    }

    fn push(&mut self, variants: &ClassVariants<'_>, key: ClassKey, raw: &RawType) -> u32 {
        let at = self.make(variants.name(key));
        let fields: Vec<u32> = raw.fields.iter().map(|&id| self.shapes.index(id).unwrap_or(u32::MAX)).collect();
        self.unnamed +=
            u64::from(raw.name.is_empty()) + fields.iter().filter(|&&field| field == u32::MAX).count() as u64;
        if let (Some(row), Some(shape)) = (self.rows.last_mut(), self.shapes.classes.last_mut()) {
            (row.loader, row.strength, row.instance_size) = (raw.loader, raw.strength(), raw.object_size);
            (shape.fields, shape.is_without_fields) = (fields, raw.has_no_fields());
        }
        at
    }

    /// Adds the superclass of a type, given as a type.
    fn extend_class(&mut self, of: u32, above: Option<u32>) {
        let class_of = |at: u32| self.of_type.get(at as usize).copied();
        let (class, above) = (class_of(of), above.and_then(class_of));
        let shape = class.and_then(|class| self.shapes.classes.get_mut(class as usize));
        // Types of class objects are not extended.
        shape.into_iter().for_each(|shape| shape.superclass = shape.superclass.or(above));
    }

    /// Superclasses in traces of Android 11, whose types name none: from the fields of class objects.
    fn infer_superclasses(&mut self, file: &[u8], variants: &ClassVariants<'_>, tally: &Tally) {
        let types = variants.types;
        let by_id: FxHashMap<u64, u32> = tally.class_objects.iter().map(|object| (object.id, object.of)).collect();
        let mut by_name: FxHashMap<(&str, Option<u64>), u32> = FxHashMap::default();
        for (row, at) in types.rows.iter().zip(0..) {
            by_name.entry((&row.name, row.location)).or_insert(at);
        }
        let of_class_object = |at: u32| {
            let row = types.rows.get(at as usize)?;
            let name = TypeName::of(&row.name);
            by_name.get(&(name.element, row.location)).copied().filter(|_| name.brackets.is_empty())
        };
        let fields = self.shapes.ids_of(Meaning::Superclass);
        for object in &tally.class_objects {
            let Some(class) = of_class_object(object.of) else { continue };
            let Some(raw) = RawObject::at(file, object.at) else { continue };
            let at = raw.field_ids.iter().position(|id| fields.contains(&id)).filter(|_| !raw.is_inconsistent());
            let above = at.and_then(|at| raw.references().nth(at)).and_then(|id| of_class_object(*by_id.get(&id)?));
            self.extend_class(class, above);
        }
    }

    /// Strengths of types without a kind, by the names of their superclasses.
    fn find_strengths(&mut self) {
        let named = |name: &str| STRENGTHS.iter().find(|(known, _)| *known == name).map(|&(_, strength)| strength);
        for at in 0..self.rows.len() {
            let line = std::iter::successors(Some(at), |&at| Some(self.shapes.classes.get(at)?.superclass? as usize));
            let named_strength = line.take(LINE).find_map(|at| named(&self.rows.get(at)?.name));
            if let (Some(strength), Some(row)) = (named_strength, self.rows.get_mut(at))
                && row.strength == Strength::Strong
            {
                row.strength = strength;
            }
        }
    }

    /// Class of an object.
    #[inline]
    pub(super) fn class(&self, key: ClassKey) -> Option<u32> {
        match key {
            (Ok(at), 0) => self.of_type.get(at as usize).copied(),
            key => self.rare.get(&key).copied(),
        }
    }

    /// Name of a class.
    pub(super) fn name(&self, class: u32) -> &str {
        self.rows.get(class as usize).map_or("", |row| &row.name)
    }

    /// Strength of the referents of the instances of a class.
    pub(super) fn strength(&self, class: u32) -> Strength {
        self.rows.get(class as usize).map_or(Strength::Strong, |row| row.strength)
    }

    /// Number of classes.
    pub(super) fn len(&self) -> u32 {
        self.rows.len() as u32
    }

    /// The table of the heap; `size` rounds sizes of instances.
    pub(super) fn finish(&self, addresses: &AddressMap, size: impl Fn(u64) -> u64) -> Classes {
        let object = |id: u64| addresses.object(Address(id)).filter(|_| id != 0);
        let rows = self.rows.iter().zip(&self.shapes.classes).map(|(row, shape)| {
            let kind = kind_of(&row.name);
            Class {
                name: row.name.as_str().into(),
                object: row.object.and_then(|id| addresses.object(Address(id))),
                superclass: shape.superclass.and_then(ClassId::from_raw),
                loader: object(row.loader),
                kind,
                strength: row.strength,
                instance_size: Bytes(if kind == ClassKind::Plain { size(row.instance_size) } else { 0 }),
                ..Class::default()
            }
        });
        Classes::new(rows.collect())
    }
}
