//! Effect of an obfuscator on a heap: short names for an application's own classes and fields, and the mapping back to
//! the source names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::{Art, SubRecord};
use crate::sketch::{Id, Type};

impl Art {
    /// Shortens the names of the classes below `package`, and of fields that only they have. Returns the mapping in
    /// R8's format.
    pub fn obfuscate(&mut self, package: &str) -> String {
        let text_of: BTreeMap<Id, String> = self.texts.iter().map(|(text, &id)| (id, text.clone())).collect();
        let name_of: BTreeMap<Id, Id> = self.loaded.iter().copied().collect();
        let is_own = |name: &Id| text_of.get(name).is_some_and(|text| text.starts_with(package));
        let (mut own, mut strange) = (Vec::new(), BTreeSet::new());
        for (_, _, sub) in &self.records {
            let SubRecord::Class { id, statics, fields, .. } = sub else { continue };
            let statics = statics.iter().map(|&(name, value)| (name, value.kind()));
            let fields: Vec<(Id, Type)> = statics.chain(fields.iter().copied()).collect();
            match name_of.get(id).filter(|name| is_own(name)) {
                Some(&name) => own.push((name, fields)),
                None => strange.extend(fields.into_iter().map(|(name, _)| name)),
            }
        }
        let mut mapping = "# compiler: R8\n".to_owned();
        let mut short: BTreeMap<Id, String> = BTreeMap::new();
        for (at, (class, fields)) in own.iter().enumerate() {
            let class_short = format!("a.{}", letters(at));
            let _ = writeln!(mapping, "{} -> {class_short}:", text_of[class]);
            short.insert(*class, class_short);
            for (name, kind) in fields.iter().filter(|(name, _)| !strange.contains(name)) {
                let next = letters(short.len());
                let field_short = short.entry(*name).or_insert(next);
                let kind = if *kind == Type::Object { "java.lang.Object" } else { kind.name() };
                let _ = writeln!(mapping, "    {kind} {} -> {field_short}", text_of[name]);
            }
        }
        for (id, short) in short {
            let long = &text_of[&id];
            self.texts.remove(long);
            self.texts.insert(short.clone(), id);
            self.order.iter_mut().filter(|text| *text == long).for_each(|text| short.clone_into(text));
        }
        mapping
    }
}

/// `a` to `z`, `aa` to `zz`.
fn letters(number: usize) -> String {
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    let first = (number / 26).checked_sub(1).map(letter);
    first.into_iter().chain([letter(number)]).collect()
}
