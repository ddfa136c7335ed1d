//! Classes as needed by the reader: offsets of references in the values of an instance, instance size, names of fields.

use rustc_hash::{FxHashMap, FxHashSet};

use super::subrecords::{RawClass, RawField, RawRoot, RawStatic};
use super::{census::Tally, records::Index, sizes::Layout, tags::BasicType};
use crate::class_names::{kind_of, of_class_file};
use heaplens_heap::{ClassKind, ImportNote, RootKind, Severity, Strength};

/// Limit on the references in the layouts of all classes together, in addition to one for each byte of the file; real
/// dumps have some hundred thousand. More means a malformed chain of classes.
const MOST_OFFSETS: usize = 1 << 20;

/// A class with its layout.
#[derive(Debug, Default)]
pub(super) struct Blueprint {
    /// Address of the class object.
    pub(super) id: u64,
    /// Offset of the CLASS_DUMP; 0 for synthetic classes.
    pub(super) offset: u64,
    pub(super) name: String,
    /// Index of the superclass in the schema.
    pub(super) superclass: Option<u32>,
    pub(super) loader: u64,
    pub(super) kind: Option<ClassKind>,
    pub(super) strength: Option<Strength>,
    pub(super) statics: Vec<RawStatic>,
    pub(super) fields: Vec<RawField>,
    /// Offsets of references in the values of an instance, without `referent`.
    pub(super) reference_offsets: Box<[u32]>,
    /// Offset of `referent` of `java.lang.ref.Reference`.
    pub(super) referent: Option<u32>,
    pub(super) instance_size: u64,
    pub(super) class_object_size: u64,
    /// Instance size declared by the file, in bytes.
    pub(super) file_bytes: u64,
    /// True if the file has no description of it, but objects refer to it.
    pub(super) made_up: bool,
    /// Size of the values of an instance in bytes, if the file does not describe the fields.
    pub(super) undescribed: u64,
    /// Size of the values of an instance in bytes, by the fields of the class and its superclasses; `None` if the file
    /// does not describe them.
    pub(super) value_bytes: Option<u32>,
}

/// All classes of a dump, in file order, synthetic ones last.
#[derive(Debug, Default)]
pub(super) struct Schema {
    pub(super) classes: Vec<Blueprint>,
    by_id: FxHashMap<u64, u32>,
    by_name: FxHashMap<String, u32>,
    /// Classes of primitive arrays, by index in [`BasicType::PRIMITIVES`].
    pub(super) primitive_arrays: [u32; BasicType::PRIMITIVES.len()],
    pub(super) notes: Vec<ImportNote>,
    /// Indexes of all classes, superclasses first.
    pub(super) superclasses_first: Vec<u32>,
}

impl Schema {
    /// Class whose class object has this address.
    #[inline]
    pub(super) fn of(&self, id: u64) -> Option<u32> {
        self.by_id.get(&id).copied()
    }

    /// The first class of this name.
    pub(super) fn named(&self, name: &str) -> Option<&Blueprint> {
        self.by_name.get(name).and_then(|&at| self.classes.get(at as usize))
    }

    #[inline]
    pub(super) fn get(&self, at: u32) -> Option<&Blueprint> {
        self.classes.get(at as usize)
    }

    #[inline]
    pub(super) fn primitive_array(&self, kind: BasicType) -> Option<u32> {
        let index = BasicType::PRIMITIVES.iter().position(|&k| k == kind)?;
        self.primitive_arrays.get(index).copied()
    }

    /// Builds the schema from the counts, and takes the class descriptions out of them.
    pub(super) fn new(file: &[u8], index: &Index, count: &mut Tally) -> Self {
        let mut schema = Self::default();
        // The last name counts: if the file has several dumps, the last is shown, and addresses are reused.
        let names: FxHashMap<u64, u64> = index.loaded.iter().map(|l| (l.class, l.name)).collect();
        let name_of = |id: u64| names.get(&id).and_then(|&name| index.text(file, name)).map(|n| of_class_file(&n));
        let (mut twice, mut unnamed) = (0, 0);
        let mut supers = Vec::new();
        for raw in std::mem::take(&mut count.classes) {
            let RawClass { id, offset, superclass, loader, instance_bytes, statics, fields } = raw;
            let is_unnamed = |name: u64| u64::from(!index.strings.contains_key(&name));
            unnamed += statics.iter().map(|field| is_unnamed(field.name)).sum::<u64>();
            unnamed += fields.iter().map(|field| is_unnamed(field.name)).sum::<u64>();
            let name = name_of(id).unwrap_or_else(|| {
                unnamed += 1;
                format!("unknown class {id:#x}")
            });
            let file_bytes = u64::from(instance_bytes);
            let class = Blueprint { id, offset, name, loader, statics, fields, file_bytes, ..Blueprint::default() };
            if schema.add(class) {
                supers.push(superclass);
            } else {
                twice += 1;
            }
        }
        let message = "duplicate class dumps: the first definition of each class is used";
        schema.notes.extend(ImportNote::if_any(Severity::Info, twice, message, None));
        let message = "names of classes and fields that are not in the file: shown by their ids";
        schema.notes.extend(ImportNote::if_any(Severity::DataLost, unnamed, message, None));
        for (at, id) in supers.into_iter().enumerate() {
            let superclass = schema.of(id);
            if let Some(class) = schema.classes.get_mut(at) {
                class.superclass = superclass;
            }
        }
        schema.prefer_loaded(&count.roots);
        schema.add_missing_classes(count, name_of);
        schema.superclasses_first = schema.superclasses_first();
        schema.lay_out(file, index);
        schema
    }

    fn add(&mut self, class: Blueprint) -> bool {
        let at = self.classes.len() as u32;
        match self.by_id.entry(class.id) {
            std::collections::hash_map::Entry::Occupied(_) => return false,
            std::collections::hash_map::Entry::Vacant(entry) => entry.insert(at),
        };
        self.by_name.entry(class.name.clone()).or_insert(at);
        self.classes.push(class);
        true
    }

    /// If several classes share a name, prefers the one that the runtime holds: the others were unloaded or belong to
    /// other loaders.
    fn prefer_loaded(&mut self, roots: &[RawRoot]) {
        for root in roots.iter().rev().filter(|root| root.kind == RootKind::SystemClass) {
            let at = self.of(root.object);
            let class = at.and_then(|at| self.classes.get(at as usize));
            let named = class.and_then(|class| self.by_name.get_mut(&class.name));
            if let (Some(named), Some(at)) = (named, at) {
                *named = at;
            }
        }
    }

    /// Adds classes that objects refer to and the file does not describe, as MAT does: `java.lang.Class`,
    /// `java.lang.ClassLoader` and primitive arrays at unused addresses, others at their own.
    fn add_missing_classes(&mut self, count: &Tally, name_of: impl Fn(u64) -> Option<String>) {
        // Addresses below the first object and above the last are unused.
        let unit = u64::from(count.alignment.bytes());
        let (lowest, highest) = count.span;
        let below = (1..).map(|n| n * unit).take_while(|&a| a < lowest);
        let above = (1..).map_while(|n| (highest / unit).checked_add(n)?.checked_mul(unit));
        // Only a malformed file fills memory at both ends: then the objects there are displaced.
        let anywhere = (1..).map(|n| n * unit);
        let free = below.chain(above).chain(anywhere).filter(|a| !self.by_id.contains_key(a));
        let mut free: Vec<u64> = free.take(2 + BasicType::PRIMITIVES.len()).collect();
        free.reverse();
        let object = self.by_name.get("java.lang.Object").copied();
        for name in ["java.lang.Class", "java.lang.ClassLoader"] {
            if !self.by_name.contains_key(name) {
                let id = free.pop().unwrap_or(u64::MAX);
                let made_up = Blueprint { made_up: true, superclass: object, ..Blueprint::default() };
                self.add(Blueprint { id, name: name.to_owned(), ..made_up });
            }
        }
        for (index, kind) in BasicType::PRIMITIVES.into_iter().enumerate() {
            let name = format!("{}[]", kind.name());
            if !self.by_name.contains_key(&name) {
                let id = free.pop().unwrap_or(u64::MAX - 1 - index as u64);
                let made_up = Blueprint { made_up: true, superclass: object, ..Blueprint::default() };
                self.add(Blueprint { id, name: name.clone(), ..made_up });
            }
            if let (Some(&at), Some(slot)) = (self.by_name.get(&name), self.primitive_arrays.get_mut(index)) {
                *slot = at;
            }
        }
        let instances = count.instances.iter().map(|(&id, &(_, bytes))| (id, Some(bytes)));
        let all = instances.chain(count.object_arrays.keys().map(|&id| (id, None)));
        let mut unknown: Vec<(u64, Option<usize>)> = all.filter(|(id, _)| !self.by_id.contains_key(id)).collect();
        unknown.sort_unstable();
        for &(id, values) in &unknown {
            let name = name_of(id).unwrap_or_else(|| format!("unknown class {id:#x}"));
            // MAT turns them into fields of type int. Here only their size is kept: there may be a billion of them.
            let undescribed = values.map_or(0, |bytes| (bytes as u64).next_multiple_of(4));
            let kind = if values.is_some() { ClassKind::Plain } else { ClassKind::ObjectArray };
            let made_up = Blueprint { made_up: true, superclass: object, undescribed, ..Blueprint::default() };
            self.add(Blueprint { id, name, kind: Some(kind), ..made_up });
        }
        let message = "classes without a class dump: the fields of their instances are unknown";
        self.notes.extend(ImportNote::if_any(Severity::DataLost, unknown.len() as u64, message, None));
    }

    /// Computes the offsets of references, superclasses before subclasses, without recursion.
    fn lay_out(&mut self, file: &[u8], index: &Index) {
        let order = std::mem::take(&mut self.superclasses_first);
        let mut offsets = 0_usize;
        let mut given_up = 0;
        let text = |id: u64| index.text(file, id);
        for &at in &order {
            let Some(class) = self.classes.get(at as usize) else { continue };
            let above = class.superclass.and_then(|s| self.classes.get(s as usize));
            let is_described = !class.made_up;
            let mut own = Vec::new();
            let mut referent = None;
            let mut offset = u32::try_from(class.undescribed).unwrap_or(u32::MAX);
            for field in &class.fields {
                if field.kind == BasicType::Object {
                    let is_referent =
                        class.name == "java.lang.ref.Reference" && text(field.name).as_deref() == Some("referent");
                    if is_referent {
                        referent = Some(offset);
                    } else {
                        own.push(offset);
                    }
                }
                offset = offset.saturating_add(field.kind.bytes(index.id_bytes));
            }
            if let Some(above) = above {
                if offsets + above.reference_offsets.len() > MOST_OFFSETS + file.len() {
                    given_up += 1;
                } else {
                    own.extend(above.reference_offsets.iter().map(|o| o.saturating_add(offset)));
                }
                referent = referent.or(above.referent.map(|r| r.saturating_add(offset)));
            }
            offsets += own.len();
            let strength = match class.name.as_str() {
                "java.lang.ref.SoftReference" => Strength::Soft,
                "java.lang.ref.WeakReference" => Strength::Weak,
                "java.lang.ref.Reference" => Strength::Phantom,
                _ => above.and_then(|a| a.strength).unwrap_or(Strength::Strong),
            };
            let kind = class.kind.unwrap_or_else(|| kind_of(&class.name));
            let above_bytes = above.map_or(Some(0), |above| above.value_bytes);
            if let Some(class) = self.classes.get_mut(at as usize) {
                class.value_bytes = above_bytes.filter(|_| is_described).and_then(|above| offset.checked_add(above));
                class.reference_offsets = own.into_boxed_slice();
                class.referent = referent;
                class.strength = Some(strength);
                class.kind = Some(kind);
            }
        }
        self.superclasses_first = order;
        let message = "classes with an implausible number of inherited references: those references were ignored";
        self.notes.extend(ImportNote::if_any(Severity::Error, given_up, message, None));
    }

    /// Assigns sizes to all classes by the rules of `layout`.
    pub(super) fn size_by(&mut self, layout: &Layout) {
        let (instances, class_objects) = self.sizes_by(layout);
        for (class, (instance, class_object)) in self.classes.iter_mut().zip(instances.into_iter().zip(class_objects)) {
            class.instance_size = instance;
            class.class_object_size = class_object;
        }
    }

    /// Sizes of the instances and of the class objects of all classes in bytes, by the rules of `layout`.
    pub(super) fn sizes_by(&self, layout: &Layout) -> (Vec<u64>, Vec<u64>) {
        let mut ends = vec![0; self.classes.len()];
        for &at in &self.superclasses_first {
            let Some(class) = self.classes.get(at as usize) else { continue };
            let above = class.superclass.and_then(|s| ends.get(s as usize).copied());
            let own = layout.values(class.fields.iter().map(|f| f.kind)) + class.undescribed;
            if let Some(mine) = ends.get_mut(at as usize) {
                *mine = layout.fields_end(above, own);
            }
        }
        let class_objects = self.classes.iter().map(|class| layout.class(class.statics.iter().map(|s| s.kind)));
        let class_objects = class_objects.collect();
        ends.iter_mut().for_each(|end| *end = layout.instance(*end));
        (ends, class_objects)
    }

    /// All classes, superclasses first. Cyclic superclass chains, which no real program has, are broken where they are
    /// found.
    fn superclasses_first(&mut self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.classes.len());
        let mut done = vec![false; self.classes.len()];
        let mut rings = 0;
        for start in 0..self.classes.len() as u32 {
            let mut chain = Vec::new();
            let mut on_chain = FxHashSet::default();
            let mut at = Some(start);
            while let Some(class) = at {
                if done.get(class as usize).copied().unwrap_or(true) {
                    break;
                }
                if !on_chain.insert(class) {
                    rings += 1;
                    if let Some(last) = chain.last().and_then(|&c: &u32| self.classes.get_mut(c as usize)) {
                        last.superclass = None;
                    }
                    break;
                }
                chain.push(class);
                at = self.classes.get(class as usize).and_then(|c| c.superclass);
            }
            for class in chain.into_iter().rev() {
                if let Some(done) = done.get_mut(class as usize) {
                    *done = true;
                }
                order.push(class);
            }
        }
        let message = "cyclic superclass chains: the cycle was broken";
        self.notes.extend(ImportNote::if_any(Severity::Error, rings, message, None));
        order
    }
}
