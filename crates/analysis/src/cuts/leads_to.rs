//! Objects that a cut leads to: those that lose their GC roots, references or entries with the cuts that name them so.

use super::cut::Cut;
use super::{fields::Fields, properties};
use crate::answers::DumpData;
use crate::rows::shown_of;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// The reachable objects that a reference, field, object, class or query leads to, ascending. Those of a field are its
/// values.
pub(super) fn leads_to(of: DumpData<'_>, cut: &Cut, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let DumpData { heap, contents, analysis, .. } = of;
    let mut objects = match cut {
        Cut::Reference { to: object, .. } | Cut::Object(object) | Cut::Loader(object) => vec![*object],
        Cut::Query { objects, .. } => objects.to_vec(),
        Cut::Class(class) => shown_of(of, |other| other == *class, task)?,
        Cut::Field { class, name } if heap.snapshot().is_some() => {
            let property = properties::in_all(of, *class, name, task)?;
            property.cut.iter().filter_map(|&(_, to)| ObjectId::from_raw(to)).collect()
        }
        Cut::Field { class, name } => {
            let mut fields = Fields::default();
            fields.add(heap, contents, *class, name);
            let values = fields.values(of, task)?;
            values.single.iter().chain(&values.referents).filter_map(|&(_, to)| ObjectId::from_raw(to)).collect()
        }
        Cut::Roots(_) | Cut::From(_) | Cut::Package(_) | Cut::Entries { .. } | Cut::DuplicateStrings => Vec::new(),
    };
    objects.retain(|&object| object.index() < heap.len() && analysis.is_reachable(object));
    objects.sort_unstable();
    objects.dedup();
    Ok(objects)
}
