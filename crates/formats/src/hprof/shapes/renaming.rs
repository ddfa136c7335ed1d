//! Shapes with the original names that an obfuscator shortened.

use super::{FieldShape, Name, Names, Shape, Shapes, StaticShape};
use crate::hprof::tags::BasicType;
use heaplens_heap::original::{Field, class_name};
use heaplens_heap::{MappingFit, OriginalNames};

/// Original names of one class's fields, and how well they fit.
struct Fields<'a> {
    known: Vec<Field<'a>>,
    fit: MappingFit,
}

impl Fields<'_> {
    /// Original name of a field. Two fields of different types may have the same name in the dump.
    fn name(&mut self, in_dump: &str, kind: BasicType) -> Option<&str> {
        let of_name = || self.known.iter().filter(|field| field.in_dump == in_dump);
        let of_type = of_name().find(|field| field.type_name == kind.name());
        let field = of_type.or_else(|| of_name().next())?;
        self.fit.fields += 1;
        self.fit.of_other_type += u64::from(of_type.is_none());
        Some(field.name)
    }
}

impl Shapes {
    /// Renames classes and fields; also returns how well the names fit.
    pub(in crate::hprof) fn renamed(&self, original: &dyn OriginalNames) -> (Self, MappingFit) {
        let mut names = self.names.clone();
        let mut fit = MappingFit::default();
        let classes = self.classes.iter().map(|class| self.class_renamed(class, original, &mut names, &mut fit));
        let classes = classes.collect();
        (Self { id_bytes: self.id_bytes, names, classes }, fit)
    }

    fn class_renamed(
        &self,
        class: &Shape,
        original: &dyn OriginalNames,
        names: &mut Names,
        fit: &mut MappingFit,
    ) -> Shape {
        let in_dump = self.name(class.name);
        let Some(name) = class_name(original, in_dump) else { return class.clone() };
        let mut fields = Fields { known: original.fields(in_dump), fit: *fit };
        let mut renamed = |name: Name, kind| fields.name(self.name(name), kind).map_or(name, |text| names.add(text));
        let statics = class.statics.iter().map(|of| StaticShape { name: renamed(of.name, of.kind), ..*of }).collect();
        let own = class.fields.iter().map(|of| FieldShape { name: renamed(of.name, of.kind), ..*of }).collect();
        *fit = fields.fit;
        Shape { name: names.add(&name), superclass: class.superclass, described: class.described, statics, fields: own }
    }
}
