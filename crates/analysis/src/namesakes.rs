//! Classes of one name that several class loaders have defined: their rows are told apart by their loaders.

use crate::answers::DumpData;
use heaplens_heap::{Class, ClassId, Heap};

/// Name of the bootstrap loader, which is no object.
const BOOTSTRAP: &str = "<system class loader>";

/// True if several classes of one name have reachable objects.
pub fn has_any(dump: DumpData<'_>) -> bool {
    let mut names: Vec<&str> = namesakes(dump.heap)
        .filter(|&(class, row)| !row.unlisted && dump.analysis.class_totals(class).objects > 0)
        .map(|(_, row)| &*row.name)
        .collect();
    names.sort_unstable();
    names.windows(2).any(|two| two[0] == two[1])
}

/// Class of the loader of a class. `None` unless another loader has a class of its name.
pub fn loader(heap: &Heap, class: ClassId) -> Option<&str> {
    let is_namesake = heap.classes.namesakes().get(class.index()) == Some(&true);
    let loader = || heap.classes.get(class).loader.map_or(BOOTSTRAP, |loader| &*heap.class(loader).name);
    is_namesake.then(loader)
}

/// Id of the loader of a class, where [`loader`] has a name for it; `None` of the bootstrap loader.
pub fn loader_id(heap: &Heap, class: ClassId) -> Option<String> {
    let is_namesake = heap.classes.namesakes().get(class.index()) == Some(&true);
    heap.classes.get(class).loader.filter(|_| is_namesake).map(|loader| heap.id_text(loader))
}

fn namesakes(heap: &Heap) -> impl Iterator<Item = (ClassId, &Class)> {
    let namesakes = heap.classes.namesakes();
    heap.classes.iter().filter(|(class, _)| namesakes.get(class.index()) == Some(&true))
}
