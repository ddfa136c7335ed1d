//! What the entries of a structure are to the program: functions, tasks and exceptions, which are made while it runs, or data;
//! and whether they refer to objects of the application outside of them, as what is made for others does. Reference data
//! that is loaded once is neither.

use crate::answers::DumpData;
use std::collections::{BTreeMap, HashMap};

use super::accumulation_point::{AccumulationPoint, Shape};
use super::contents::AccumulationContents;
use super::entries::is_nearly_all;
use super::evidence::Evidence;
use super::query::LeakQuery;
use crate::dominator_tree::chains::next;
use crate::naming::{Namer, is_lambda, source_class};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ClassKind, LogicalEntry, ObjectId, Value};

/// Maximum number of entries examined.
const EXAMINED: usize = 50;
/// Fewer entries tell nothing.
const FEW: usize = 8;
/// Maximum number of objects examined among those that one entry retains.
const OBJECTS: usize = 32;
/// Maximum number of references examined of an object.
const REFERENCES: usize = 32;
/// A number of objects that are called by the plural of their class.
const SEVERAL: u64 = 2;
/// Maximum number of superclasses compared.
const SUPERCLASSES: usize = 16;
/// Classes of the Java library for what runs, or ran; their subclasses, too.
const OF_JAVA: [&str; 7] = [
    "java.lang.Throwable",
    "java.lang.Thread",
    "java.lang.ClassLoader",
    "java.util.TimerTask",
    "java.util.concurrent.CompletableFuture",
    "java.util.concurrent.ForkJoinTask",
    "java.util.concurrent.FutureTask",
];
/// Classes of JavaScript for that.
const OF_SCRIPT: [&str; 6] = ["Function", "Promise", "Timeout", "Immediate", "AbortSignal", "Error"];

/// Evidence from a sample of the entries of a collection, an array or a chain, or of shared objects.
pub(super) fn roles(
    question: LeakQuery<'_>,
    point: &AccumulationPoint,
    inside: &AccumulationContents,
    task: &Task,
) -> Result<Vec<Evidence>, Cancelled> {
    let entries = sample(question, point, inside, task)?;
    let mut search = RoleSearch { namer: question.namer, roles: HashMap::new() };
    let (mut are, mut hold, mut refer) = (ClassTally::default(), ClassTally::default(), ClassTally::default());
    for (at, &entry) in entries.iter().enumerate() {
        task.checkpoint()?;
        let class = question.namer.heap.class_id(entry);
        if search.role(class) == ClassRole::Action {
            are.add(class);
        }
        // What the next object of a chain retains is not of this one.
        let after = point.chain.and_then(|_| entries.get(at + 1).copied());
        let (action, outside) = search.of_entry(entry, after);
        action.into_iter().for_each(|class| hold.add(class));
        outside.into_iter().for_each(|class| refer.add(class));
    }
    let name = |class: ClassId| source_class(&question.namer.heap.classes.get(class).name, SEVERAL).into_owned();
    let sampled = entries.len();
    let most = |tally: ClassTally| {
        let is_worth_it = sampled >= FEW && is_nearly_all(tally.count, sampled);
        is_worth_it.then(|| tally.most(name).map(|class| (class, tally.count as u64, sampled as u64))).flatten()
    };
    let functions = most(are).map(|(class, count, of)| Evidence::Functions(class, count, of));
    let functions =
        functions.or_else(|| most(hold).map(|(class, count, of)| Evidence::HoldFunctions(class, count, of)));
    Ok(functions.into_iter().chain(most(refer).map(|(class, count, of)| Evidence::Refer(class, count, of))).collect())
}

/// Entries at equal distances among those that are known: the first of a collection, all of others.
fn sample(
    question: LeakQuery<'_>,
    point: &AccumulationPoint,
    inside: &AccumulationContents,
    task: &Task,
) -> Result<Vec<ObjectId>, Cancelled> {
    let DumpData { heap, analysis, .. } = question.namer.dump;
    if let Some(chain) = point.chain {
        let mut members = vec![chain.head];
        while let Some(&last) = members.last().filter(|&&last| members.len() < EXAMINED && last != chain.last) {
            members.extend(next(question.namer.dump, last, task)?);
            if members.last() == Some(&last) {
                break;
            }
        }
        return Ok(members);
    }
    // Of key and value, what retains more is what accumulates.
    let larger = |key: Option<ObjectId>, value: Option<ObjectId>| match (key, value) {
        (Some(key), Some(value)) if analysis.retained(key) > analysis.retained(value) => Some(key),
        (key, value) => value.or(key),
    };
    let all: Vec<ObjectId> = match point.shape {
        Shape::Collection => {
            let of_entry = |entry: &LogicalEntry| larger(entry.key.and_then(Value::object), entry.value.object());
            inside.entries.iter().filter_map(of_entry).collect()
        }
        Shape::Array => {
            let elements = heap.references(point.unit);
            let step = elements.len().div_ceil(EXAMINED).max(1);
            elements.iter().step_by(step).filter_map(|&row| ObjectId::from_raw(row)).collect()
        }
        Shape::Shared => point.members.clone(),
        _ => Vec::new(),
    };
    let step = all.len().div_ceil(EXAMINED).max(1);
    Ok(all.into_iter().step_by(step).collect())
}

/// What objects of a class are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClassRole {
    /// A function, task, future, thread, class loader or exception.
    Action,
    /// An object of the application with an identity of its own: no array, no constant of an enumeration.
    Application,
    /// Anything else.
    Data,
}

struct RoleSearch<'a> {
    namer: Namer<'a>,
    /// Roles of the classes seen.
    roles: HashMap<ClassId, ClassRole>,
}

impl RoleSearch<'_> {
    /// Class of an action among the objects that an entry retains, and of an object of the application that these refer to
    /// and the entry does not retain. `after`: the next object of a chain.
    fn of_entry(&mut self, entry: ObjectId, after: Option<ObjectId>) -> (Option<ClassId>, Option<ClassId>) {
        let DumpData { heap, analysis, .. } = self.namer.dump;
        let Some(positions) = analysis.subtree(entry) else { return (None, None) };
        let later = after.and_then(|after| analysis.subtree(after)).unwrap_or(positions.end..positions.end);
        let objects =
            analysis.objects_at(positions.start..later.start).chain(analysis.objects_at(later.end..positions.end));
        let (mut action, mut outside) = (None, None);
        for (object, _) in objects.take(OBJECTS) {
            let class = heap.class_id(object);
            if action.is_none() && object != entry && self.role(class) == ClassRole::Action {
                action = Some(class);
            }
            if outside.is_none() {
                let targets = heap.references(object).iter().take(REFERENCES);
                outside =
                    targets.filter_map(|&row| ObjectId::from_raw(row)).find_map(|to| self.outside((entry, object), to));
            }
        }
        (action, outside)
    }

    /// Class of an object of the application that an object of an entry refers to, if it is outside of the entry. Further
    /// entries are not, nor the prototype of an object of JavaScript, which has its class.
    fn outside(&mut self, (entry, from): (ObjectId, ObjectId), to: ObjectId) -> Option<ClassId> {
        let DumpData { heap, analysis, .. } = self.namer.dump;
        let class = heap.class_id(to);
        let is_outside = self.role(class) == ClassRole::Application
            && heap.classes.of_object(to).is_none()
            && ![entry, from].iter().any(|&other| heap.class_id(other) == class)
            && !analysis.dominates(entry, to);
        is_outside.then_some(class)
    }

    fn role(&mut self, class: ClassId) -> ClassRole {
        let namer = self.namer;
        *self.roles.entry(class).or_insert_with(|| role(namer, class))
    }
}

fn role(namer: Namer<'_>, class: ClassId) -> ClassRole {
    let heap = namer.heap;
    let row = heap.classes.get(class);
    if row.kind != ClassKind::Plain {
        return ClassRole::Data;
    }
    let is_application = namer.index.is_application(class);
    if heap.snapshot().is_some() {
        return match &*row.name {
            name if OF_SCRIPT.contains(&name) => ClassRole::Action,
            // Classes without a place in a script are the engine's.
            _ if is_application && row.made_at.is_some() => ClassRole::Application,
            _ => ClassRole::Data,
        };
    }
    let above = |class: &ClassId| heap.classes.get(*class).superclass;
    let names =
        || std::iter::successors(Some(class), above).take(SUPERCLASSES).map(|class| &*heap.classes.get(class).name);
    if is_function(&row.name) || names().any(|name| OF_JAVA.contains(&name)) {
        ClassRole::Action
    } else if is_application && !names().any(|name| name == "java.lang.Enum") {
        ClassRole::Application
    } else {
        ClassRole::Data
    }
}

/// True of the names that compilers and virtual machines give to functions and to classes without a name: `Desk$1`,
/// `Desk$open$1` of Kotlin, `Desk$$Lambda$14`, `Desk$$ExternalSyntheticLambda3` of Android, `Desk$_run_closure1` of Groovy.
fn is_function(class: &str) -> bool {
    let Some((_, last)) = class.rsplit_once('$') else { return false };
    let is_number = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    let is_closure = last.starts_with('_') && last.contains("_closure");
    is_lambda(class) || is_number || is_closure || last.starts_with("ExternalSyntheticLambda")
}

/// Number of entries, and how often a class was seen with one.
#[derive(Default)]
struct ClassTally {
    count: usize,
    classes: BTreeMap<ClassId, usize>,
}

impl ClassTally {
    fn add(&mut self, class: ClassId) {
        self.count += 1;
        *self.classes.entry(class).or_default() += 1;
    }

    /// Name of the most frequent class; of several, the first by name.
    fn most(&self, name: impl Fn(ClassId) -> String) -> Option<String> {
        let named = self.classes.iter().map(|(&class, &times)| (times, std::cmp::Reverse(name(class))));
        named.max().map(|(_, std::cmp::Reverse(name))| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_the_names_of_compilers() {
        for name in [
            "desk.Desk$1",
            "desk.Desk$open$12",
            "desk.Desk$2$1",
            "Desk$$anonfun$1",
            "desk.Desk$$Lambda$14+0x00007f51fc006000",
            "desk.Desk$$Lambda/0x00007f51fc006000",
            "desk.Desk$$ExternalSyntheticLambda3",
            "desk.Desk$_run_closure1",
        ] {
            assert!(is_function(name), "{name}");
        }
        for name in ["desk.Desk", "desk.Desk$Row1", "desk.Desk$", "Table1", "desk.Desk$Lambda"] {
            assert!(!is_function(name), "{name}");
        }
    }
}
