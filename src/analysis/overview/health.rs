//! The health card: what kind of dump it is, what of the program's world it
//! tells, and what it does not. Only what was found is stated.

use super::runtime::Runtime;
use crate::heap::analyzed::Analyzed;
use crate::heap::classes::ClassKind;
use crate::heap::contents::Contents;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::heap::notes::{ImportNote, LAYOUT, Severity};
use crate::heap::origin::SizeModel;
use crate::task::{Cancelled, Task};
use crate::units::{Bytes, Count, Share};

/// Whether a fact is a reason to be careful.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// As it should be.
    Good,
    /// Neither good nor bad.
    Plain,
    /// Answers may be missing something.
    Careful,
}

/// One line of the card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Its name in json.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What was found; `None` where the dump does not say.
    pub value: Option<String>,
    /// Whether it is a reason to be careful.
    pub mark: Mark,
}

fn plain(key: &'static str, name: &'static str, value: Option<String>) -> Fact {
    Fact { key, name, value, mark: Mark::Plain }
}

/// The card. `remarks` are what there is to say of this open.
pub(super) fn health(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    remarks: &[ImportNote],
    task: &Task,
) -> Result<Vec<Fact>, Cancelled> {
    if heap.snapshot().is_some() {
        // All else is about Java.
        let written = plain("written_by", "Written as", Some(written(heap)));
        return Ok(vec![written, numbers(heap), completeness(heap, remarks), values(heap, contents)]);
    }
    let runtime = Runtime::read(heap, contents, analyzed, task)?;
    let taken = heap.origin.taken_at_millis;
    let uptime = taken.zip(runtime.started_millis).and_then(|(taken, began)| taken.checked_sub(began));
    // Arguments of the program may be secrets; its first word is a class or an archive.
    let program = runtime.property("sun.java.command").and_then(|command| command.split_whitespace().next());
    let collectors = (!runtime.collectors.is_empty()).then(|| runtime.collectors.join(", "));
    Ok(vec![
        plain("runtime", "Runtime", runtime.machine()),
        plain("system", "System", runtime.system()),
        plain("program", "Program", program.map(str::to_owned)),
        plain("arguments", "Arguments of the VM", runtime.arguments.clone()),
        plain("collectors", "Collectors", collectors),
        plain("java_home", "Java home", runtime.property("java.home").map(str::to_owned)),
        plain("folder", "Working folder", runtime.property("user.dir").map(str::to_owned)),
        plain("uptime", "Running for", uptime.map(duration)),
        plain("written_by", "Written as", Some(written(heap))),
        layout(heap, &runtime),
        header(heap),
        garbage(analyzed),
        completeness(heap, remarks),
        stacks(heap, contents),
        out_of_memory(heap, contents),
        values(heap, contents),
    ])
}

/// Whose numbers the sizes of a snapshot are.
fn numbers(heap: &Heap) -> Fact {
    let of = match heap.origin.size_model {
        SizeModel::File => "As the file has them, and every strong edge holds",
        SizeModel::Auto | SizeModel::Mat => "Those of Chrome DevTools",
    };
    plain("numbers", "Numbers", Some(of.to_owned()))
}

fn written(heap: &Heap) -> String {
    let origin = &heap.origin;
    format!("{}, ids of {} bytes, {}", origin.producer, origin.id_bytes, Bytes(origin.file_bytes))
}

/// With a capital letter at its head.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// `3 d 4 h`, `2 h 5 min`, `12 s`.
fn duration(millis: u64) -> String {
    let seconds = millis / 1_000;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{minutes} min {} s", seconds % 60),
        3_600..86_400 => format!("{hours} h {minutes} min"),
        _ => format!("{days} d {hours} h"),
    }
}

fn layout(heap: &Heap, runtime: &Runtime) -> Fact {
    let [measured, unsure] = LAYOUT;
    let notes = || heap.notes.iter().map(|note| note.message.as_str());
    let found = notes().find_map(|note| note.strip_prefix(measured)).map(|found| (found, Mark::Good));
    let found = found.or_else(|| notes().find(|note| note.starts_with(unsure)).map(|note| (note, Mark::Careful)));
    let (value, mark) = match (found, heap.origin.size_model) {
        (Some((layout, mark)), _) => (Some(capital(layout)), mark),
        (None, SizeModel::Mat) => (Some("Sizes by the rules of Eclipse MAT".to_owned()), Mark::Plain),
        (None, SizeModel::File) => (Some("Sizes as the file has them, without headers".to_owned()), Mark::Plain),
        (None, SizeModel::Auto) => (None, Mark::Plain),
    };
    let mode = runtime.property("java.vm.compressedOopsMode").map(|mode| format!("compressed references: {mode}"));
    let value = match (value, mode) {
        (Some(layout), Some(mode)) => Some(format!("{layout}; {mode}")),
        (layout, mode) => layout.or(mode),
    };
    Fact { key: "layout", name: "Layout of objects", value, mark }
}

/// What stands before the fields of an object, as far as sizes tell: an object of no fields, or a number less its
/// four bytes, is nothing else, but both are rounded up.
fn header(heap: &Heap) -> Fact {
    let size = |name: &str| heap.classes.named(name).map(|class| heap.classes.get(class).instance_size.0);
    let sizes = size("java.lang.Object").zip(size("java.lang.Integer"));
    let header = sizes.map(|(empty, number)| empty.min(number.saturating_sub(4))).filter(|&bytes| bytes > 0);
    plain("header_bytes", "Header of an object", header.map(|bytes| format!("{bytes} bytes")))
}

/// Live or all: the file does not say which was asked for, but garbage in it does.
fn garbage(analyzed: &Analyzed) -> Fact {
    let name = "Live or all";
    let kept = analyzed.rules.keep_unreachable;
    let garbage = analyzed.unreachable;
    let all = analyzed.shown.shallow + garbage.shallow;
    let share = Share::of(garbage.shallow, all);
    let objects = Count(garbage.objects);
    let (value, mark) = if kept {
        ("What no GC root reaches counts as kept".to_owned(), Mark::Careful)
    } else if garbage.objects == 0 {
        ("Every object is reachable: a dump of live objects".to_owned(), Mark::Good)
    } else if share.per_mille() < 20 {
        (format!("{share} unreachable ({objects} objects): as in a dump of live objects"), Mark::Good)
    } else {
        (format!("{share} unreachable ({objects} objects): a dump of all objects, garbage too"), Mark::Plain)
    };
    Fact { key: "live_or_all", name, value: Some(value), mark }
}

fn completeness(heap: &Heap, remarks: &[ImportNote]) -> Fact {
    let notes = || heap.notes.iter().chain(remarks);
    let worst = notes().filter(|note| note.severity != Severity::Info).max_by_key(|note| note.severity);
    let (value, mark) = match worst {
        None => ("Every record was read as it should be".to_owned(), Mark::Good),
        Some(worst) => {
            let more = notes().filter(|note| note.severity != Severity::Info).count() - 1;
            let more = if more == 0 { String::new() } else { format!(", and {} more notes", Count(more as u64)) };
            (capital(&format!("{}: {}{more}", worst.severity.name(), worst.message)), Mark::Careful)
        }
    };
    Fact { key: "completeness", name: "Completeness", value: Some(value), mark }
}

fn stacks(heap: &Heap, contents: &dyn Contents) -> Fact {
    let owners = contents.stack_owners();
    let named = owners.iter().filter(|owner| owner.object.is_some_and(|object| object.index() < heap.len())).count();
    let (value, mark) = if owners.is_empty() {
        ("None: the dump has no stacks of threads".to_owned(), Mark::Careful)
    } else {
        (format!("Of {} threads", Count(named.max(1) as u64)), Mark::Good)
    };
    Fact { key: "stacks", name: "Stacks", value: Some(value), mark }
}

fn out_of_memory(heap: &Heap, contents: &dyn Contents) -> Fact {
    let owners = contents.stack_owners();
    let threads = owners.iter().filter(|owner| owner.out_of_memory);
    let names: Vec<String> = threads
        .map(|owner| {
            owner.object.and_then(|thread| contents.label(heap, thread)).unwrap_or(format!("{}", owner.serial))
        })
        .collect();
    let (value, mark) = match names.as_slice() {
        [] => ("No thread was throwing one".to_owned(), Mark::Good),
        names => (format!("Thrown by {}", names.join(", ")), Mark::Careful),
    };
    Fact { key: "out_of_memory", name: "OutOfMemoryError", value: Some(value), mark }
}

/// Whether numbers and texts can be read: a stored analysis without its dump has none.
fn values(heap: &Heap, contents: &dyn Contents) -> Fact {
    let is_numbers =
        |class: u32| heap.classes.all().get(class as usize).is_some_and(|c| c.kind == ClassKind::PrimitiveArray);
    let column = heap.class_column();
    let first = (0..heap.len()).find(|&row| column.get(row).is_some_and(is_numbers)).and_then(ObjectId::new);
    let there = first.is_none_or(|array| contents.array_length(heap, array).is_some());
    let (value, mark) = if there {
        ("Numbers and texts can be read", Mark::Good)
    } else {
        ("Not available: this is a stored analysis without its dump", Mark::Careful)
    };
    Fact { key: "values", name: "Values", value: Some(value.to_owned()), mark }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn times_are_told_in_two_units() {
        let told = [900, 61_000, 7_500_000, 273_600_000].map(duration);
        assert_eq!(told, ["0 s", "1 min 1 s", "2 h 5 min", "3 d 4 h"]);
    }
}
