//! Classes of a heap graph: its types, without those that the format has for class objects.
//!
//! The runtime has one class `java.lang.Class`; the format has a type `java.lang.Class<shop.Cart>` for each class
//! object, so that statics have different owners. From Android 12 on, the type of every class is written with its kind.
//! Then a class object is joined with its class, and an instance refers to it, as in other dumps of Android. In older
//! traces, where classes without instances are missing, it remains an object of a type of its own.

use rustc_hash::FxHashMap;

use super::deobfuscation::{Deobfuscation, OriginalClass, TypeName, package_of_file};
use super::merged_classes::MergedClasses;
use super::objects::RawObject;
use super::types::{RawType, TypeIndex, Types};

/// Class of an object as far as the file tells: index of its type or, of an unknown type, its id; and which of several
/// merged classes it is.
pub(super) type ClassKey = (Result<u32, u64>, u32);

/// What counting needs of a type.
#[derive(Debug, Clone, Copy)]
struct TypeInfo<'a> {
    size: u64,
    is_class_object: bool,
    original: Option<&'a OriginalClass>,
}

/// Types by id, and which class their objects are of.
pub(super) struct ClassVariants<'a> {
    pub(super) types: &'a Types,
    index: TypeIndex,
    infos: Vec<TypeInfo<'a>>,
}

impl<'a> ClassVariants<'a> {
    /// `package` is that of the process, for files that are of no installed application.
    pub(super) fn new(types: &'a Types, original: &'a Deobfuscation, package: Option<&str>) -> Self {
        let info = |row: &'a RawType| {
            let name = TypeName::of(&row.name);
            let package = types.location(row).and_then(package_of_file).or(package);
            TypeInfo {
                size: row.object_size,
                is_class_object: name.is_class_object,
                original: original.original(name.element, package),
            }
        };
        Self { types, index: TypeIndex::new(&types.rows), infos: types.rows.iter().map(info).collect() }
    }

    /// Class and size of an object, and true if it is a class object.
    #[inline]
    pub(super) fn class_and_size(&self, object: &RawObject<'_>) -> (ClassKey, u64, bool) {
        let class = self.index.get(object.type_id).and_then(|at| Some((at, self.infos.get(at as usize)?)));
        let Some((at, info)) = class else { return ((Err(object.type_id), 0), object.self_size, false) };
        let size = if object.self_size == 0 { info.size } else { object.self_size };
        let variant = if object.has_discriminators { variant(info, object) } else { 0 };
        ((Ok(at), variant), size, info.is_class_object)
    }

    /// Index of the type with an id.
    pub(super) fn type_of(&self, id: u64) -> Option<u32> {
        self.index.get(id)
    }

    /// Name of a class: the original one if it is known.
    pub(super) fn name(&self, (of, variant): ClassKey) -> String {
        let at = match of {
            Ok(at) => at as usize,
            Err(id) => return format!("unknown class {id}"),
        };
        let row = self.types.rows.get(at);
        if let Some(unnamed) = row.filter(|row| row.name.is_empty()) {
            return format!("unknown class {}", unnamed.id);
        }
        let name = TypeName::of(row.map_or("", |row| &row.name));
        let Some(original) = self.infos.get(at).and_then(|info| info.original) else { return name.with(name.element) };
        let merged = original.merged.as_ref().map(MergedClasses::names).unwrap_or_default();
        let of_variant = (variant as usize).checked_sub(1).and_then(|at| merged.get(at));
        name.with(of_variant.unwrap_or(&original.name))
    }

    /// Number of classes that a mapping renamed.
    pub(super) fn renamed(&self) -> u64 {
        self.infos.iter().filter(|info| info.original.is_some() && !info.is_class_object).count() as u64
    }
}

/// Number of the class an object was of before it was merged; 0: the class of its type.
#[cold]
fn variant(info: &TypeInfo<'_>, object: &RawObject<'_>) -> u32 {
    let of = || {
        let original = info.original?;
        let merged = original.merged.as_ref()?;
        let name = merged.class_of(&original.name, &object.discriminators())?;
        let is_other = name != original.name;
        merged.names().binary_search_by(|known| (**known).cmp(name)).ok().filter(|_| is_other)
    };
    of().map_or(0, |at| at as u32 + 1)
}

/// Types of class objects that are joined with the type of their class, by index.
pub(super) fn joined(types: &Types) -> FxHashMap<u32, u32> {
    // Two loaders may have loaded a class from the same file: then their types are in the order of their class objects.
    let mut waiting: FxHashMap<(&str, Option<u64>), Vec<u32>> = FxHashMap::default();
    for (at, row) in (0..types.rows.len() as u32).zip(&types.rows).rev() {
        if row.kind != 0 {
            waiting.entry((&row.name, row.location)).or_default().push(at);
        }
    }
    let mut joined = FxHashMap::default();
    for (row, at) in types.rows.iter().zip(0..) {
        let name = TypeName::of(&row.name);
        if !name.is_class_object || row.kind != 0 {
            continue;
        }
        let full = row.name.get("java.lang.Class<".len()..row.name.len().saturating_sub(1)).unwrap_or_default();
        if let Some(class) = waiting.get_mut(&(full, row.location)).and_then(Vec::pop) {
            joined.insert(at, class);
        }
    }
    joined
}
