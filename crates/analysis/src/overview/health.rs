//! The health card: facts about the dump and its program that tell how far other answers can be trusted.

use crate::answers::DumpData;
use crate::out_of_memory::MemoryErrors;
use crate::virtual_machine::VirtualMachine;
use heaplens_base::{Cancelled, Count, Share, Task};
use heaplens_heap::{ClassKind, Heap, ImportNote, NoteTopic, ObjectId, Severity, SizeModel, ThreadStacks};

/// Weight of a fact for the trust in other answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Complete and consistent.
    Good,
    /// Neither good nor bad.
    Plain,
    /// Answers may be missing something.
    Careful,
}

/// A fact of the health card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactKind {
    /// Name and version of the virtual machine.
    Runtime,
    /// Operating system and its version.
    System,
    /// Main class or archive.
    Program,
    /// Arguments of the virtual machine.
    Arguments,
    /// Names of the garbage collectors.
    Collectors,
    /// Installation folder of the runtime.
    JavaHome,
    /// Working directory of the process.
    Folder,
    /// Time from start of the process to the dump.
    Uptime,
    /// Producer, id size and file size.
    WrittenBy,
    /// Object layout, measured or assumed.
    Layout,
    /// Number of classes whose size was measured, inferred or assumed.
    SizeOrigins,
    /// Bytes of an object header.
    HeaderBytes,
    /// Share of unreachable objects: a dump of live objects, or of all.
    LiveOrAll,
    /// Worst parse warning.
    Completeness,
    /// Threads with a stack.
    Stacks,
    /// `OutOfMemoryError` that caused the dump, or was thrown earlier.
    OutOfMemory,
    /// Availability of primitive values and strings.
    Values,
    /// Size model of a V8 snapshot.
    Numbers,
}

impl FactKind {
    /// The stable key in JSON.
    pub fn key(self) -> &'static str {
        self.words().0
    }

    /// Label for people.
    pub fn title(self) -> &'static str {
        self.words().1
    }

    /// Key and label.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Runtime => ("runtime", "Runtime"),
            Self::System => ("system", "Operating system"),
            Self::Program => ("program", "Program"),
            Self::Arguments => ("arguments", "VM arguments"),
            Self::Collectors => ("collectors", "Garbage collectors"),
            Self::JavaHome => ("java_home", "Java home"),
            Self::Folder => ("folder", "Working directory"),
            Self::Uptime => ("uptime", "Uptime"),
            Self::WrittenBy => ("written_by", "Dump written by"),
            Self::Layout => ("layout", "Object layout"),
            Self::SizeOrigins => ("class_sizes", "Class sizes"),
            Self::HeaderBytes => ("header_bytes", "Object header"),
            Self::LiveOrAll => ("live_or_all", "Live or all objects"),
            Self::Completeness => ("completeness", "Completeness"),
            Self::Stacks => ("stacks", "Thread stacks"),
            Self::OutOfMemory => ("out_of_memory", "OutOfMemoryError"),
            Self::Values => ("values", "Values"),
            Self::Numbers => ("numbers", "Size model"),
        }
    }
}

/// One line of the card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Which fact.
    pub kind: FactKind,
    /// The value; `None` if the dump does not record it.
    pub value: Option<String>,
    /// Weight for the trust in other answers.
    pub mark: Mark,
}

fn plain(kind: FactKind, value: Option<String>) -> Fact {
    Fact { kind, value, mark: Mark::Plain }
}

/// The card. `open_warnings` are warnings about how the dump was opened.
pub(super) fn health(
    of: DumpData<'_>,
    open_warnings: &[ImportNote],
    errors: &MemoryErrors,
    task: &Task,
) -> Result<Vec<Fact>, Cancelled> {
    let DumpData { heap, contents, .. } = of;
    if heap.snapshot().is_some() {
        // All else is about Java.
        let written = plain(FactKind::WrittenBy, Some(written(heap)));
        return Ok(vec![written, numbers(heap), completeness(heap, open_warnings), values(of)]);
    }
    let runtime = VirtualMachine::read(of, task)?;
    let taken = heap.origin.taken_at_millis;
    let uptime = taken.zip(runtime.started_millis).and_then(|(taken, began)| taken.checked_sub(began));
    // Arguments of the program may be secrets; its first word is a class or an archive.
    let program = runtime.property("sun.java.command").and_then(|command| command.split_whitespace().next());
    let collectors = (!runtime.collectors.is_empty()).then(|| runtime.collectors.join(", "));
    Ok(vec![
        plain(FactKind::Runtime, runtime.machine()),
        plain(FactKind::System, runtime.system()),
        plain(FactKind::Program, program.map(str::to_owned)),
        plain(FactKind::Arguments, runtime.arguments.clone()),
        plain(FactKind::Collectors, collectors),
        plain(FactKind::JavaHome, runtime.property("java.home").map(str::to_owned)),
        plain(FactKind::Folder, runtime.property("user.dir").map(str::to_owned)),
        plain(FactKind::Uptime, uptime.map(duration)),
        plain(FactKind::WrittenBy, Some(written(heap))),
        layout(heap, &runtime),
        size_origins(heap),
        header(heap),
        garbage(of),
        completeness(heap, open_warnings),
        stacks(heap, contents),
        out_of_memory(errors),
        values(of),
    ])
}

/// Size model of a V8 snapshot.
fn numbers(heap: &Heap) -> Fact {
    let of = match heap.origin.size_model {
        SizeModel::File => "From the file; all strong edges count",
        SizeModel::Auto | SizeModel::Mat => "As in Chrome DevTools",
    };
    plain(FactKind::Numbers, Some(of.to_owned()))
}

fn written(heap: &Heap) -> String {
    let origin = &heap.origin;
    format!("{}, {}-byte ids, {}", origin.producer, origin.id_bytes, origin.file_size)
}

/// The text with a capital first letter.
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

fn layout(heap: &Heap, runtime: &VirtualMachine) -> Fact {
    let topic = heap.notes.iter().find_map(|note| match note.topic {
        NoteTopic::MeasuredLayout => Some((note.message.as_str(), Mark::Good)),
        NoteTopic::AssumedLayout => Some((note.message.as_str(), Mark::Careful)),
        NoteTopic::SizeOrigins | NoteTopic::Other => None,
    });
    let (value, mark) = match (topic, heap.origin.size_model) {
        (Some((layout, mark)), _) => (Some(capital(layout)), mark),
        (None, SizeModel::Mat) => (Some("Sizes by Eclipse MAT's rules".to_owned()), Mark::Plain),
        (None, SizeModel::File) => (Some("Sizes from the file, without headers".to_owned()), Mark::Plain),
        (None, SizeModel::Auto) => (None, Mark::Plain),
    };
    let mode = runtime.property("java.vm.compressedOopsMode").map(|mode| format!("compressed references: {mode}"));
    let value = match (value, mode) {
        (Some(layout), Some(mode)) => Some(format!("{layout}; {mode}")),
        (layout, mode) => layout.or(mode),
    };
    Fact { kind: FactKind::Layout, value, mark }
}

/// Number of classes whose size was measured, inferred or assumed, with examples.
fn size_origins(heap: &Heap) -> Fact {
    let note = heap.notes.iter().find(|note| note.topic == NoteTopic::SizeOrigins);
    let value = match (note, heap.origin.size_model) {
        (Some(note), _) => Some(capital(&note.message)),
        (None, SizeModel::Mat) => Some("Not measured: Eclipse MAT's rules".to_owned()),
        (None, SizeModel::File) => Some("Not measured: sizes from the file".to_owned()),
        (None, SizeModel::Auto) => None,
    };
    plain(FactKind::SizeOrigins, value)
}

/// Bytes of an object header, from the sizes of `Object` and `Integer`: an upper bound, because both are rounded up.
fn header(heap: &Heap) -> Fact {
    let size = |name: &str| heap.classes.named(name).map(|class| heap.classes.get(class).instance_size.0);
    let sizes = size("java.lang.Object").zip(size("java.lang.Integer"));
    let header = sizes.map(|(empty, number)| empty.min(number.saturating_sub(4))).filter(|&bytes| bytes > 0);
    plain(FactKind::HeaderBytes, header.map(|bytes| format!("{bytes} bytes")))
}

/// Dump of live objects, or of all. The file does not record which; the share of unreachable objects tells, unless a
/// part of the dump is missing.
fn garbage(dump: DumpData<'_>) -> Fact {
    let analysis = dump.analysis;
    let keeps = analysis.rules.keep_unreachable;
    let garbage = analysis.unreachable;
    let all = analysis.shown.shallow + garbage.shallow;
    let share = Share::of(garbage.shallow, all);
    let objects = Count(garbage.objects);
    let (value, mark) = if keeps {
        ("Unreachable objects are included".to_owned(), Mark::Careful)
    } else if dump.heap.is_incomplete() {
        let unreachable = format!("{share} unreachable ({objects} objects) in what was read");
        (format!("Not known: {unreachable}; GC roots and references may be missing"), Mark::Careful)
    } else if garbage.objects == 0 {
        ("All objects are reachable, as in a dump of live objects".to_owned(), Mark::Good)
    } else if share.per_mille() < 20 {
        (format!("{share} unreachable ({objects} objects), as in a dump of live objects"), Mark::Good)
    } else {
        (format!("{share} unreachable ({objects} objects), as in a dump of all objects"), Mark::Plain)
    };
    Fact { kind: FactKind::LiveOrAll, value: Some(value), mark }
}

fn completeness(heap: &Heap, open_warnings: &[ImportNote]) -> Fact {
    let notes = || heap.notes.iter().chain(open_warnings);
    // The first of equals: the others follow from it.
    let losses = notes().filter(|note| note.severity != Severity::Info);
    let worst = losses.min_by_key(|note| std::cmp::Reverse(note.severity));
    let (value, mark) = match worst {
        None => ("All records were read".to_owned(), Mark::Good),
        Some(worst) => {
            let more = notes().filter(|note| note.severity != Severity::Info).count() - 1;
            let more =
                if more == 0 { String::new() } else { format!(", and {} more parse warnings", Count(more as u64)) };
            (capital(&format!("{}: {}{more}", worst.severity.name(), worst.message)), Mark::Careful)
        }
    };
    Fact { kind: FactKind::Completeness, value: Some(value), mark }
}

fn stacks(heap: &Heap, contents: &dyn ThreadStacks) -> Fact {
    let owners = contents.stack_owners();
    let named = owners.iter().filter(|owner| owner.object.is_some_and(|object| object.index() < heap.len())).count();
    let (value, mark) = if owners.is_empty() {
        ("The dump has no thread stacks".to_owned(), Mark::Careful)
    } else {
        (format!("{} with a stack in the dump", Count(named.max(1) as u64).of("thread", "threads")), Mark::Good)
    };
    Fact { kind: FactKind::Stacks, value: Some(value), mark }
}

fn out_of_memory(errors: &MemoryErrors) -> Fact {
    let others = errors.count.saturating_sub(1);
    let value = errors.first().map(|error| match others {
        0 => capital(&error.to_string()),
        others => format!("{} (and {} more)", capital(&error.to_string()), Count(others)),
    });
    let mark = if value.is_some() { Mark::Careful } else { Mark::Good };
    let value = value.unwrap_or_else(|| "Not thrown by any thread".to_owned());
    Fact { kind: FactKind::OutOfMemory, value: Some(value), mark }
}

/// Availability of primitive values and strings. A stored analysis without its dump has none.
fn values(dump: DumpData<'_>) -> Fact {
    let heap = dump.heap;
    let is_numbers =
        |class: u32| heap.classes.all().get(class as usize).is_some_and(|c| c.kind == ClassKind::PrimitiveArray);
    let column = heap.class_column();
    let first = (0..heap.len()).find(|&row| column.get(row).is_some_and(is_numbers)).and_then(ObjectId::new);
    let there = first.is_none_or(|array| dump.contents.array_length(heap, array).is_some());
    let (value, mark) = if there {
        ("Primitive values and strings are available", Mark::Good)
    } else {
        ("Not available: stored analysis without its dump", Mark::Careful)
    };
    Fact { kind: FactKind::Values, value: Some(value.to_owned()), mark }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn times_have_two_units() {
        let texts = [900, 61_000, 7_500_000, 273_600_000].map(duration);
        assert_eq!(texts, ["0 s", "1 min 1 s", "2 h 5 min", "3 d 4 h"]);
    }
}
