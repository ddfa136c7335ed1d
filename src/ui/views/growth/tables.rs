//! What is in each table, and how its rows look.

use std::sync::Arc;

use crate::answers::grown::{By, Grown, GrownRow};
use crate::answers::request::Subject;
use crate::session::jobs::JobError;
use crate::task::Task;
use crate::ui::baseline::Baseline;
use crate::ui::scene::Answers;
use crate::ui::views::report::Kind;
use crate::ui::views::report::rows::{Called, Cell, Leads, Name, Row, Rows};
use crate::ui::widgets::object_link::split_class;
use crate::ui::widgets::table::Column;
use crate::units::{ByteDelta, Count, CountDelta};

/// Texts that are listed.
const TEXTS: usize = 10_000;

const OBJECTS_DELTA: Column = Column::numbers("Δ objects", "Objects more than before", 92.0, 7);
const BEFORE: Column = Column::numbers("Before", "How many there were", 84.0, 2);
const AFTER: Column = Column::numbers("After", "How many there are", 84.0, 3);
const CHANGE: Column =
    Column::numbers("Change", "Objects more, as a part of those there were; or that it is new, or gone", 92.0, 5);

const OWNERS: Kind = Kind {
    name: "Owners that grew",
    columns: &[
        Column::words(
            "Owner",
            "The lowest object of both heaps that holds what came and went; below it what that is",
            280.0,
        ),
        OBJECTS_DELTA,
        Column::numbers("Δ bytes", "Bytes charged to the owner: those of all rows are the whole difference", 148.0, 8),
        Column::numbers("Before", "Retained size before", 84.0, 3),
        Column::numbers("After", "Retained size after", 84.0, 4),
        Column::words("Matched by", "How the owner is known to be the same in both heaps, and how sure that is", 126.0)
            .fixed(2),
    ],
    sorted: Some((2, true)),
    filter: "Filter by owner or class",
    nothing: ("Nothing grew", "Every object of one dump is in the other too, and holds as much"),
    keys: &["owner", "objects_delta", "bytes_delta", "retained_before_bytes", "retained_after_bytes", "matched_by"],
    subject: None,
    make: |answers, task| {
        make(answers, By::Owner, task, |row, most| {
            vec![
                Cell::More(row.objects),
                Cell::Grown(row.bytes, most),
                if row.object.is_some() { Cell::Size(row.before.retained) } else { Cell::Empty },
                if row.object.is_some() { Cell::Size(row.after.retained) } else { Cell::Empty },
                row.how.filter(|_| row.times == 1).map_or(Cell::Empty, |how| {
                    Cell::Words(format!("{} · {}", how.name(), how.sureness().name()).into())
                }),
            ]
        })
    },
};

/// The columns of classes and of what they are put together by.
const fn columns(title: &'static str, about: &'static str) -> [Column; 11] {
    [
        Column::words(title, about, 190.0),
        CHANGE,
        BEFORE,
        AFTER,
        OBJECTS_DELTA,
        Column::numbers("Shallow before", "Bytes its objects took by themselves", 104.0, 1),
        Column::numbers("Shallow after", "Bytes its objects take by themselves", 100.0, 1),
        Column::numbers("Δ shallow", "Bytes more than before that its objects take by themselves", 148.0, 8),
        Column::numbers("Retained before", "Bytes its objects kept alive together, each byte once", 108.0, 1),
        Column::numbers("Retained after", "Bytes its objects keep alive together, each byte once", 104.0, 1),
        Column::numbers("Δ retained", "Bytes more than before that its objects keep alive together", 92.0, 6),
    ]
}

const CLASSES: Kind = Kind {
    name: "Classes that grew",
    columns: &columns("Class", "Class name; told apart by the class of the loader too"),
    sorted: Some((7, true)),
    filter: "Filter by class, new, gone",
    nothing: ("No classes", "Neither dump has an object"),
    keys: &[
        "name",
        "change",
        "objects_before",
        "objects_after",
        "objects_delta",
        "shallow_before_bytes",
        "shallow_after_bytes",
        "bytes_delta",
        "retained_before_bytes",
        "retained_after_bytes",
        "retained_delta_bytes",
    ],
    subject: None,
    make: |answers, task| make(answers, By::Class, task, sums),
};

const PACKAGES: Kind = Kind {
    name: "Packages that grew",
    columns: &columns("Package", "A package; below it its classes"),
    filter: "Filter by package, class, new, gone",
    make: |answers, task| make(answers, By::Package, task, sums),
    ..CLASSES
};

const LOADERS: Kind = Kind {
    name: "Class loaders that grew",
    columns: &columns("Class loader", "Loaders by their class; below them the classes they defined"),
    filter: "Filter by loader, class, new, gone",
    make: |answers, task| make(answers, By::Loader, task, sums),
    ..CLASSES
};

const THREADS: Kind = Kind {
    name: "Threads that grew",
    columns: &[
        Column::words("Thread", "Threads by name; those of one name together", 220.0),
        CHANGE,
        Column::numbers("Before", "Bytes it kept alive", 92.0, 3),
        Column::numbers("After", "Bytes it keeps alive", 92.0, 4),
        Column::numbers("Δ retained", "Bytes more than before that it keeps alive", 148.0, 8),
    ],
    sorted: Some((4, true)),
    filter: "Filter by thread, new, gone",
    nothing: ("No threads", "Neither dump names a thread"),
    keys: &["name", "change", "retained_before_bytes", "retained_after_bytes", "bytes_delta"],
    subject: None,
    make: |answers, task| {
        make(answers, By::Thread, task, |row, most| {
            vec![
                change(row),
                Cell::Size(row.before.retained),
                Cell::Size(row.after.retained),
                Cell::Grown(row.bytes, most),
            ]
        })
    },
};

const TEXTS_KIND: Kind = Kind {
    name: "Strings that grew",
    columns: &[
        Column::words("Text", "A text that stands in either heap more than once", 220.0),
        Column::numbers("Before", "How many strings of this text there were; less than two are not counted", 92.0, 5),
        Column::numbers("After", "How many strings of this text there are; less than two are not counted", 92.0, 6),
        OBJECTS_DELTA,
        Column::numbers("Δ shallow", "Bytes more than before of the strings and their arrays", 148.0, 8),
    ],
    sorted: Some((4, true)),
    filter: "Filter by text",
    nothing: ("No duplicate strings", "Every text stands in each heap once, or texts are not in the dumps"),
    keys: &["name", "objects_before", "objects_after", "objects_delta", "bytes_delta"],
    subject: None,
    make: |answers, task| {
        make(answers, By::Text, task, |row, most| {
            let count = |count: u64| if count == 0 { Cell::Words("under 2".into()) } else { Cell::Count(count) };
            let (before, after) = (count(row.before.objects), count(row.after.objects));
            vec![before, after, Cell::More(row.objects), Cell::Grown(row.bytes, most)]
        })
    },
};

const COLLECTIONS: Kind = Kind {
    name: "Collections that grew",
    columns: &[
        Column::words("Class", "A class of collections", 190.0),
        CHANGE,
        BEFORE,
        AFTER,
        OBJECTS_DELTA,
        Column::numbers("Elements", "What they hold together", 92.0, 4),
        Column::numbers("Δ elements", "Elements or entries more than before", 96.0, 6),
        Column::numbers("Δ shallow", "Bytes more than before of the collections and their arrays", 148.0, 8),
    ],
    sorted: Some((7, true)),
    filter: "Filter by class, new, gone",
    nothing: ("No collections", "No object is of a class of collections that is known"),
    keys: &[
        "name",
        "change",
        "objects_before",
        "objects_after",
        "objects_delta",
        "elements_after",
        "elements_delta",
        "bytes_delta",
    ],
    subject: None,
    make: |answers, task| {
        make(answers, By::Collection, task, |row, most| {
            let [before, after] = row.elements;
            vec![
                change(row),
                Cell::Count(row.before.objects),
                Cell::Count(row.after.objects),
                Cell::More(row.objects),
                Cell::Count(after),
                Cell::More(CountDelta::between(before, after)),
                Cell::Grown(row.bytes, most),
            ]
        })
    },
};

/// The report that shows a table.
pub(super) fn of(by: By) -> &'static Kind {
    match by {
        By::Owner => &OWNERS,
        By::Class => &CLASSES,
        By::Package => &PACKAGES,
        By::Loader => &LOADERS,
        By::Thread => &THREADS,
        By::Text => &TEXTS_KIND,
        By::Collection => &COLLECTIONS,
    }
}

fn change(row: &GrownRow) -> Cell {
    Cell::Change { before: row.before.objects, after: row.after.objects }
}

/// Objects, shallow and retained size, before and after.
fn sums(row: &GrownRow, most: u64) -> Vec<Cell> {
    let (before, after) = (row.before, row.after);
    vec![
        change(row),
        Cell::Count(before.objects),
        Cell::Count(after.objects),
        Cell::More(row.objects),
        Cell::Size(before.shallow),
        Cell::Size(after.shallow),
        Cell::Grown(row.bytes, most),
        Cell::Size(before.retained),
        Cell::Size(after.retained),
        Cell::GrownBy(ByteDelta::between(before.retained, after.retained)),
    ]
}

/// Works a table out; `cells` are the figures of a row, whose bars are full at the most bytes of all.
fn make(answers: &Answers, by: By, task: &Task, cells: fn(&GrownRow, u64) -> Vec<Cell>) -> Result<Rows, JobError> {
    let mut grown = Baseline::of(answers, |before, found| {
        let file = before.opened.file.clone();
        let sides = [before.dictionary(), answers.dictionary()];
        let Some(pair) = answers.pair() else { return Err(JobError::Failed("nothing is compared".to_owned())) };
        Ok(match by {
            By::Owner => Grown::owners(pair, found, &answers.namer(task)?, file, task)?,
            By::Class => Grown::classes(found, file),
            By::Package => Grown::packages(pair, found, file, task)?,
            By::Loader => Grown::loaders(pair, found, file, task)?,
            By::Thread => Grown::threads(sides, file, task)?,
            By::Text => Grown::texts(sides, file, task)?,
            By::Collection => Grown::collections(sides, file, task)?,
        })
    })?;
    if by == By::Text {
        // Most growth first: what grew is shown before what shrank, and the rest nobody reads.
        grown.rows.truncate(TEXTS);
    }
    let most = grown.rows.iter().map(|row| row.bytes.0.unsigned_abs()).max().unwrap_or(0).max(1);
    let mut rows = Vec::new();
    for row in &grown.rows {
        task.checkpoint()?;
        rows.push(line(by, row, 0, cells(row, most)));
        rows.extend(row.members.iter().map(|member| line(member_of(by), member, 1, cells(member, most))));
    }
    let summary = summary(by, &grown);
    let grown = Arc::new(grown);
    let mut rows = Rows::new(Arc::new(grown.clone()), rows, summary);
    rows.subject = Some(Subject::Grown(grown));
    Ok(rows)
}

/// What the rows below those of a table are.
fn member_of(by: By) -> By {
    if by == By::Owner { By::Owner } else { By::Class }
}

fn line(by: By, row: &GrownRow, depth: usize, cells: Vec<Cell>) -> Row {
    let figures = format!("{} {}", row.objects, row.bytes);
    let found_by = format!(
        "{} {} {} {figures}",
        row.name,
        row.told(),
        row.is_new_or_gone().filter(|_| by != By::Text).unwrap_or_default()
    );
    let name = match by {
        By::Owner => {
            let parts: Vec<(Box<str>, u64, u64)> =
                row.parts.iter().map(|(class, came, went)| (split_class(class).1.into(), *came, *went)).collect();
            let more = GrownRow { parts, moved: row.moved, ..GrownRow::named(String::new()) }.told();
            Name::Called(Called {
                name: row.name.clone().into(),
                times: row.times,
                more: more.into(),
                object: row.object,
            })
        }
        By::Class | By::Collection => Name::Class(row.name.clone().into()),
        By::Text => Name::Words(format!("“{}”", row.name)),
        By::Package if row.name.is_empty() => Name::Words("(no package)".to_owned()),
        By::Package | By::Loader | By::Thread => Name::Words(row.name.clone()),
    };
    let leads = match (row.object, row.class) {
        (Some(object), _) => Leads::To(object),
        (None, Some(class)) => Leads::ToClass(class),
        (None, None) => Leads::Nowhere,
    };
    Row { depth, name, found_by, cells, leads }
}

fn summary(by: By, grown: &Grown) -> String {
    let (rows, what) = (
        grown.rows.len() as u64,
        match by {
            By::Owner => "owners",
            By::Class => "classes",
            By::Package => "packages",
            By::Loader => "classes of loaders",
            By::Thread => "names of threads",
            By::Text => "texts",
            By::Collection => "classes of collections",
        },
    );
    let grew = grown.rows.iter().filter(|row| row.bytes.0 > 0).count() as u64;
    let shrank = grown.rows.iter().filter(|row| row.bytes.0 < 0).count() as u64;
    format!("{} {what} · {} grew · {} shrank", Count(rows), Count(grew), Count(shrank))
}
