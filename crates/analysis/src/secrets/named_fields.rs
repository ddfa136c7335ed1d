//! Fields whose names say that their values are credentials. A class has those that it declares itself and refers to its
//! superclass for the others: thousands of classes may inherit thousands of fields.

use heaplens_heap::{ClassId, FieldReferences, Heap};

/// Fields by class whose names have a meaning `M`.
pub(super) struct NamedFields<M>(Vec<OfClass<M>>);

struct OfClass<M> {
    /// Number of reference fields of an instance.
    references: usize,
    /// Index among the reference fields that the class declares itself, and what the name says.
    declared: Vec<(usize, M)>,
    /// The nearest superclass that declares any.
    above: Option<ClassId>,
}

impl<M> Default for OfClass<M> {
    fn default() -> Self {
        Self { references: 0, declared: Vec::new(), above: None }
    }
}

impl<M: Copy> NamedFields<M> {
    /// Reads the names of the fields of all classes.
    pub(super) fn new(heap: &Heap, contents: &dyn FieldReferences, meaning: impl Fn(&str) -> Option<M>) -> Self {
        let mut fields: Vec<Option<OfClass<M>>> = Vec::new();
        fields.resize_with(heap.classes.len(), || None);
        let mut line = Vec::new();
        for (start, _) in heap.classes.iter() {
            let mut at = Some(start);
            while let Some(class) = at.filter(|class| fields.get(class.index()).is_some_and(Option::is_none)) {
                // The chain may be cyclic in a malformed file.
                if let Some(of) = fields.get_mut(class.index()) {
                    *of = Some(OfClass::default());
                }
                line.push(class);
                at = heap.classes.get(class).superclass;
            }
            for class in line.drain(..).rev() {
                let superclass = heap.classes.get(class).superclass;
                let inherited = superclass.and_then(|above| Some((above, fields.get(above.index())?.as_ref()?)));
                let names = contents.declared_references(class);
                let mut of = OfClass { references: names.len(), ..OfClass::default() };
                if let Some((above, inherited)) = inherited {
                    of.references = of.references.saturating_add(inherited.references);
                    of.above = if inherited.declared.is_empty() { inherited.above } else { Some(above) };
                }
                for (index, name) in names.into_iter().enumerate() {
                    of.declared.extend(meaning(name).map(|meaning| (index, meaning)));
                }
                if let Some(index) = fields.get_mut(class.index()) {
                    *index = Some(of);
                }
            }
        }
        Self(fields.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// True if no class has any.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|of| of.declared.is_empty())
    }

    /// Those of an instance of a class: index among its reference fields, and what the name says.
    pub(super) fn of(&self, class: ClassId) -> impl Iterator<Item = (usize, M)> {
        let get = |class: ClassId| self.0.get(class.index());
        let all = get(class).map_or(0, |of| of.references);
        let line = std::iter::successors(get(class), move |of| get(of.above?));
        line.take(self.0.len()).flat_map(move |of| {
            let begin = all.saturating_sub(of.references);
            of.declared.iter().map(move |&(index, meaning)| (begin + index, meaning))
        })
    }
}
