//! Facts derived from a dump that are not in it: class loaders, references from a class to its superclass and from a
//! loader to its classes, and the GC roots known before others are inferred.

use super::javacore::Javacore;
use heaplens_heap::{Class, ClassId, Classes, HeapBuilder, ObjectId, Root, RootKind, Strength};

/// Class of the bootstrap loader's object, if there is one.
const BOOTSTRAP: &str = "com.ibm.oti.vm.BootstrapClassLoader";

/// Facts in the record of a class besides its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClassDetails {
    pub(crate) class: ClassId,
    /// Objects that may be its loader, likeliest first: its first references.
    pub(crate) loaders: [Option<ObjectId>; 2],
    /// True if the reference to the superclass is missing.
    pub(crate) lacks_superclass: bool,
}

#[derive(Debug, Default)]
pub(crate) struct DerivedFacts {
    /// References that are not in the file.
    pub(crate) references: Vec<(ObjectId, ObjectId)>,
    /// Roots that are known.
    pub(crate) roots: Vec<Root>,
    /// The loader of each class.
    pub(crate) loaders: Vec<Option<ObjectId>>,
}

/// Derives facts from the records of `classes` and a javacore. `class_of` is the class of an object; `is_loader` is
/// true, by class, if its instances are class loaders.
pub(crate) fn derive_facts(
    classes: &Classes,
    details: &[ClassDetails],
    class_of: impl Fn(ObjectId) -> u32,
    is_loader: &[bool],
    bootstrap: Option<ObjectId>,
    javacore: Option<&Javacore<ObjectId>>,
) -> DerivedFacts {
    let mut derived = DerivedFacts { loaders: vec![None; classes.len()], ..DerivedFacts::default() };
    let loaders = javacore.map(Javacore::loaders_of_classes).unwrap_or_default();
    let bootstrap = javacore.and_then(Javacore::bootstrap_loader).or(bootstrap);
    for details in details {
        let class = classes.get(details.class);
        let Some(object) = class.object else { continue };
        let above = class.superclass.and_then(|above| classes.get(above).object);
        derived.references.extend(above.filter(|_| details.lacks_superclass).map(|above| (object, above)));
        let loads = |loader: &ObjectId| is_loader.get(class_of(*loader) as usize) == Some(&true);
        let own = details.loaders.into_iter().flatten().find(loads);
        let loader = own.or_else(|| loaders.get(&*class.name).copied().flatten()).or(bootstrap);
        derived.references.extend(loader.filter(|&loader| loader != object).map(|loader| (loader, object)));
        let is_system = loader == bootstrap;
        if !is_system && let Some(known) = derived.loaders.get_mut(details.class.index()) {
            *known = loader;
        }
        if is_system {
            derived.roots.push(Root { object, kind: RootKind::SystemClass });
        }
    }
    derived.roots.extend(bootstrap.map(|object| Root { object, kind: RootKind::SystemClass }));
    derived.roots.extend(javacore.into_iter().flat_map(Javacore::roots));
    derived
}

/// Object of the bootstrap loader, if there is one.
pub(crate) fn bootstrap_loader(builder: &HeapBuilder<'_>, classes: &Classes) -> Option<ObjectId> {
    let class = classes.named(BOOTSTRAP)?.raw();
    (0..builder.addresses().len() as u32).find(|&row| builder.class_of(row) == class).and_then(ObjectId::from_raw)
}

/// Adds the strength of the referent of each class to the table.
pub(crate) fn with_strengths(mut rows: Vec<Class>) -> Classes {
    let classes = Classes::new(rows.clone());
    // A class cannot extend two of them.
    for (name, strength) in [
        ("java.lang.ref.PhantomReference", Strength::Phantom),
        ("java.lang.ref.WeakReference", Strength::Weak),
        ("java.lang.ref.FinalReference", Strength::Final),
        ("java.lang.ref.SoftReference", Strength::Soft),
    ] {
        let named: Vec<ClassId> = classes.iter().filter(|(_, c)| &*c.name == name).map(|(id, _)| id).collect();
        for (row, below) in rows.iter_mut().zip(classes.all_below(&named)) {
            if below {
                row.strength = strength;
            }
        }
    }
    Classes::new(rows)
}

/// Adds the loader of each class to the table.
pub(crate) fn with_loaders(classes: &Classes, loaders: &[Option<ObjectId>]) -> Classes {
    let rows = classes.all().iter().zip(loaders).map(|(class, &loader)| Class { loader, ..class.clone() });
    Classes::new(rows.collect())
}
