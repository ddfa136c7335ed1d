//! Class names of nodes, by the rules of DevTools: objects by constructor, plain objects by shape, DOM nodes by tag,
//! everything else by type. Constructors of the same name at different script positions are different classes.
//!
//! Nodes without a size of their own (it is counted for their owner) belong to classes that no histogram lists.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::meta::{Meta, NodeKind};
use super::{interfaces::Interfaces, nodes::Nodes, strings::Strings, text::MISSING_NAME, text::shortened};
use heaplens_base::storage::{Buffer, MemoryBudget, out_of_memory::room_for};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_heap::{Class, ClassKind, Classes, ScriptPosition};

/// Position of the constructor of an object, by row, ascending: script, line, column.
pub(super) type Locations = Vec<(u32, [u32; 3])>;

pub(super) struct NamingInput<'a> {
    pub(super) file: &'a [u8],
    pub(super) meta: &'a Meta,
    pub(super) nodes: &'a Nodes,
    pub(super) strings: &'a Strings,
    pub(super) sizes: &'a [u64],
    /// Detached nodes, ascending; empty if their names in the file already contain "Detached".
    pub(super) detached: &'a [u32],
    pub(super) interfaces: &'a Interfaces,
    /// Plain objects and their shapes, ascending.
    pub(super) shaped: &'a [(u32, u32)],
    pub(super) locations: &'a Locations,
}

/// No class yet.
const NONE: u32 = u32::MAX;
/// Classes whose elements are listed separately.
const ARRAYS: [&str; 2] = ["Array", "(array)"];
/// Maximum number of node types.
const TYPES: usize = 256;

/// Numbered classes, before it is known which have nodes.
#[derive(Default)]
struct Table {
    names: Vec<(Arc<str>, Option<ScriptPosition>)>,
    of_text: FxHashMap<Arc<str>, u32>,
}

impl Table {
    fn add(&mut self, name: &str) -> u32 {
        self.names.push((shortened(name.to_owned()).into(), None));
        self.names.len() as u32 - 1
    }

    /// Class for a name assigned by DevTools rules.
    fn made(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.of_text.get(name) {
            return known;
        }
        let number = self.add(name);
        self.of_text.insert(name.into(), number);
        number
    }
}

impl NamingInput<'_> {
    /// All classes, and the class of each node.
    pub(super) fn name(&self, budget: &MemoryBudget, task: &Task) -> Result<(Classes, Buffer<u32>), Cancelled> {
        let len = self.nodes.len();
        let mut table = Table::default();
        let by_type: Vec<u32> = (0..TYPES as u32).map(|of| table.made(&self.meta.class_of_type(of as u8))).collect();
        let by_name = self.by_name(&mut table, task)?;
        let by_interface: Vec<u32> = self.interfaces.shapes.iter().map(|shape| table.made(&shape.name)).collect();
        let mut class_of = budget.scratch::<u32>(len);
        class_of.par_chunks_mut(CHECKPOINT_EVERY).with_max_len(1).enumerate().try_for_each(|(block, classes)| {
            task.checkpoint()?;
            for (row, class) in (block * CHECKPOINT_EVERY..).zip(classes) {
                let of = self.nodes.kinds.get(row).copied().unwrap_or(u8::MAX);
                *class = match self.meta.node_kind(of) {
                    NodeKind::Object | NodeKind::Native => {
                        let name = self.nodes.names.get(row).copied().unwrap_or_default();
                        by_name.get(name as usize).or_else(|| by_name.last()).copied().unwrap_or_default()
                    }
                    _ => by_type.get(usize::from(of)).copied().unwrap_or_default(),
                };
            }
            Ok(())
        })?;
        for &(row, shape) in self.shaped {
            let definition = self.interfaces.of_shape.get(shape as usize).copied().flatten();
            let class = definition.and_then(|definition| by_interface.get(definition as usize));
            if let (Some(of), Some(&class)) = (class_of.get_mut(row as usize), class) {
                *of = class;
            }
        }
        self.name_detached(&mut class_of, &mut table);
        self.divide_by_location(&mut class_of, &mut table);
        let classes = self.listed_apart(&mut class_of, &table, task)?;
        Ok((classes, class_of))
    }

    /// Classes of objects and native nodes by name, indexed by string; the last one is for nodes without a name.
    fn by_name(&self, table: &mut Table, task: &Task) -> Result<Vec<u32>, Cancelled> {
        let strings = self.strings.count() as usize;
        let used: Vec<AtomicBool> = (0..=strings).map(|_| AtomicBool::new(false)).collect();
        task.par_blocks(self.nodes.len()).try_for_each(|rows| {
            for row in rows? {
                let of = self.nodes.kind(self.meta, row);
                if matches!(of, NodeKind::Object | NodeKind::Native) {
                    let name = self.nodes.names.get(row).map_or(strings, |&name| (name as usize).min(strings));
                    used.get(name).into_iter().for_each(|used| used.store(true, Ordering::Relaxed));
                }
            }
            Ok(())
        })?;
        let mut classes = room_for(strings + 1);
        for (string, used) in (0..).zip(used) {
            classes.push(match used.into_inner() {
                false => NONE,
                true if string as usize == strings => table.add(MISSING_NAME),
                true => {
                    let text = self.strings.text(self.file, string).unwrap_or_default();
                    match tag(&text) {
                        Some(tag) => table.made(&tag),
                        None => table.add(&text),
                    }
                }
            });
        }
        Ok(classes)
    }

    /// Marks detached native nodes in their class names.
    fn name_detached(&self, class_of: &mut Buffer<u32>, table: &mut Table) {
        let mut of_name: FxHashMap<u32, u32> = FxHashMap::default();
        for &row in self.detached {
            let of = self.nodes.kind(self.meta, row as usize);
            if of != NodeKind::Native {
                continue;
            }
            let name = self.nodes.names.get(row as usize).copied().unwrap_or_default();
            let class = *of_name.entry(name).or_insert_with(|| {
                let name = self.strings.text(self.file, name).unwrap_or_else(|| MISSING_NAME.to_owned());
                let name = format!("Detached {name}");
                table.made(&tag(&name).unwrap_or(name))
            });
            class_of.get_mut(row as usize).into_iter().for_each(|of| *of = class);
        }
    }

    /// Divides classes by the script position of the constructor, if recorded.
    fn divide_by_location(&self, class_of: &mut Buffer<u32>, table: &mut Table) {
        // Classes with the same name and position are one.
        let mut of_name: FxHashMap<Arc<str>, u32> = FxHashMap::default();
        let called: Vec<u32> =
            (0..).zip(&table.names).map(|(class, (name, _))| *of_name.entry(name.clone()).or_insert(class)).collect();
        let mut by_position: FxHashMap<(u32, [u32; 3]), u32> = FxHashMap::default();
        for &(row, position) in self.locations {
            let of = self.nodes.kind(self.meta, row as usize);
            let Some(class) = class_of.get_mut(row as usize).filter(|_| of == NodeKind::Object) else { continue };
            let called = called.get(*class as usize).copied().unwrap_or_default();
            *class = *by_position.entry((called, position)).or_insert_with(|| {
                let name = table.names.get(called as usize).map_or_else(|| "".into(), |(name, _)| name.clone());
                let [script, line, column] = position;
                table.names.push((name, Some(ScriptPosition { script, line, column })));
                table.names.len() as u32 - 1
            });
        }
    }

    /// Moves nodes without a size to classes of their own, and removes empty classes.
    fn listed_apart(&self, class_of: &mut Buffer<u32>, table: &Table, task: &Task) -> Result<Classes, Cancelled> {
        let used: Vec<AtomicU32> = (0..2 * table.names.len()).map(|_| AtomicU32::new(0)).collect();
        let twin = |class: u32, row: usize| 2 * class + u32::from(self.sizes.get(row) == Some(&0));
        class_of.par_chunks_mut(CHECKPOINT_EVERY).with_max_len(1).enumerate().try_for_each(|(block, classes)| {
            task.checkpoint()?;
            for (row, class) in (block * CHECKPOINT_EVERY..).zip(classes) {
                *class = twin(*class, row);
                used.get(*class as usize).into_iter().for_each(|used| used.store(1, Ordering::Relaxed));
            }
            Ok(())
        })?;
        let mut rows = Vec::new();
        for (at, used) in used.iter().enumerate().filter(|(_, used)| used.load(Ordering::Relaxed) == 1) {
            used.store(rows.len() as u32, Ordering::Relaxed);
            if let Some((name, made_at)) = table.names.get(at / 2) {
                let kind = if ARRAYS.contains(&&**name) { ClassKind::ObjectArray } else { ClassKind::Plain };
                let name = (&**name).into();
                rows.push(Class { name, kind, unlisted: at % 2 == 1, made_at: *made_at, ..Class::default() });
            }
        }
        class_of.par_chunks_mut(CHECKPOINT_EVERY).with_max_len(1).try_for_each(|classes| {
            task.checkpoint()?;
            classes.iter_mut().for_each(|class| {
                *class = used.get(*class as usize).map_or(NONE, |number| number.load(Ordering::Relaxed));
            });
            Ok(())
        })?;
        Ok(Classes::new(rows))
    }
}

/// Class name of a DOM node: its tag without attributes.
fn tag(name: &str) -> Option<String> {
    let from = match name.strip_prefix("Detached ") {
        Some(rest) if rest.starts_with('<') => "Detached ".len(),
        _ if name.starts_with('<') => 0,
        _ => return None,
    };
    // Without a blank, the name stays unchanged and is merged with those that lose their attributes.
    Some(match name.get(from..)?.find(' ') {
        Some(blank) => format!("{}>", name.get(..from + blank)?),
        None => name.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::tag;

    #[test]
    fn tags_lose_their_attributes() {
        assert_eq!(tag("<div id=\"a\" class=\"b\">").as_deref(), Some("<div>"));
        assert_eq!(tag("Detached <div id=\"a\">").as_deref(), Some("Detached <div>"));
        assert_eq!(tag("<br>").as_deref(), Some("<br>"));
        assert_eq!(tag("Detached Text"), None);
    }
}
