//! `threads`: each with its stack, one after the other: all stacks together may
//! be larger than the dump.

use std::io::Write;

use super::args::{FileArguments, FormatArgument};
use super::commands::{Answer, filter, optional, print_rows, rows_wanted};
use super::held::Held;
use super::open;
use crate::analysis::threads::{ThreadRow, stack, threads as all_threads};
use crate::export::printable::Printable;
use crate::export::table::{Cell, column};
use crate::export::threads::{Dictionary, Thread};
use crate::task::Task;

pub(super) fn threads(arguments: &FileArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let (heap, contents, analyzed) = (&*dump.facts.heap, &*dump.facts.contents, &*dump.analyzed);
    let mut rows = all_threads(heap, contents, analyzed, &Task::new())?;
    let class = |row: &ThreadRow| row.object.map_or("", |object| &heap.class(object).name);
    rows.retain(|row| filter.matches_object(class(row), || row.name.clone()));
    rows.truncate(rows_wanted(print));
    let from = Dictionary { heap, contents, analyzed };
    let written = rows.iter().map(|row| Thread::new(from, row, stack(contents, analyzed, row)));
    match print.format {
        FormatArgument::Json => {
            let mut out = Held::of(&dump);
            out.write_all(b"{\"threads\":[")?;
            for (at, thread) in written.enumerate() {
                if at > 0 {
                    out.write_all(b",")?;
                }
                serde_json::to_writer(&mut out, &thread)?;
            }
            out.write_all(b"]}\n")?;
            out.flush()?;
            Ok(())
        }
        FormatArgument::Text => {
            let mut out = Printable(Held::of(&dump));
            for (at, thread) in written.enumerate() {
                if at > 0 {
                    writeln!(out)?;
                }
                thread.write_text(&mut out)?;
            }
            out.flush()?;
            Ok(())
        }
        FormatArgument::Csv => {
            let columns = [
                column("id", ""),
                column("name", ""),
                column("class", ""),
                column("state", ""),
                column("daemon", ""),
                column("priority", ""),
                column("virtual", ""),
                column("tid", ""),
                column("context_class_loader", ""),
                column("shallow_bytes", ""),
                column("retained_bytes", ""),
                column("out_of_memory", ""),
                column("frames", ""),
                column("locals", ""),
            ];
            let cells = written.map(|thread| {
                let locals = thread.locals.len() + thread.frames.iter().map(|f| f.locals.len()).sum::<usize>();
                let frames = thread.frames.len() as u64;

                vec![
                    optional(thread.id),
                    optional(thread.name),
                    optional(thread.class),
                    optional(thread.state.map(str::to_owned)),
                    optional(thread.daemon.map(|yes| yes.to_string())),
                    optional(thread.priority.map(|n| n.to_string())),
                    Cell::Text(thread.is_virtual.to_string()),
                    optional(thread.tid.map(|n| n.to_string())),
                    optional(thread.context_class_loader),
                    Cell::Count(thread.shallow_bytes),
                    Cell::Count(thread.retained_bytes),
                    Cell::Text(thread.out_of_memory.to_string()),
                    Cell::Count(frames),
                    Cell::Count(locals as u64),
                ]
            });
            print_rows(&dump, print, &columns, cells, &[])
        }
    }
}
