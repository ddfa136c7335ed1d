//! A link where no window can be opened: the command that prints what it names.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Parser;

use super::args::{Arguments, Command, OpenArguments};
use super::failure::{Failure, remark};
use super::open::{open_options, open_with};
use heaplens_analysis::cuts::is_by_id;
use heaplens_session::{Link, marks};

/// The command for a link, about the first of the dumps given with it, else about its own file. It answers for the heap
/// without the references that the link removes.
pub(super) fn command_of(text: &str, dumps: &[PathBuf], options: &OpenArguments) -> Result<Command, Failure> {
    let link = Link::parse(text).map_err(|why| Failure::Usage(format!("cannot open the link: {why}")))?;
    let file = dumps.first().map(PathBuf::as_path).or_else(|| link.local_file());
    let file = file.ok_or_else(|| {
        let file = link.file.as_ref().map_or_else(|| "its dump".to_owned(), |file| file.display().to_string());
        Failure::Unusable(format!("cannot open the link: {file} is not found; write a dump before the link"))
    })?;
    if is_of_other(&link, file, options)? {
        if let Some(id) = link.object.iter().chain(&link.cuts).find(|text| is_by_id(text)) {
            let why = format!("the link was copied from another dump, whose id {id} says nothing here");
            return Err(Failure::Unusable(format!("{}: {why}", file.display())));
        }
        remark(&format!("the link was copied from another dump than {}", file.display()));
    }
    let mut command = about(&link, file)?;
    set_options(&mut command, &link, options);
    Ok(command)
}

/// True if the link names another dump.
fn is_of_other(link: &Link, file: &Path, options: &OpenArguments) -> Result<bool, Failure> {
    let Some(identity) = &link.identity else { return Ok(false) };
    let (dump, _) = open_with(file, options, &open_options(options).of_file(0))?;
    Ok(marks::identity(dump.data()) != *identity)
}

/// The object of a link; without one its finding, its class, or the overview.
fn about(link: &Link, file: &Path) -> Result<Command, Failure> {
    let option = |name: &str, value: &str| [OsString::from(format!("--{name}={value}"))];
    match (&link.finding, &link.object, &link.class) {
        (Some(finding), _, _) => command("leaks", option("filter", finding), [file.into()]),
        (_, Some(object), _) => command("object", [], [file.into(), object.into()]),
        (_, _, Some(class)) => command("objects", option("class", class), [file.into()]),
        _ if link.view.as_deref() == Some("leaks") => command("leaks", [], [file.into()]),
        _ => command("overview", [], [file.into()]),
    }
}

fn command(
    name: &str,
    options: impl IntoIterator<Item = OsString>,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<Command, Failure> {
    let words = ["heaplens", name].map(OsString::from).into_iter().chain(options);
    // A name may begin with a dash.
    let words = words.chain([OsString::from("--")]).chain(arguments);
    let parsed = Arguments::try_parse_from(words).map_err(|why| Failure::Usage(why.to_string()))?;
    parsed.command.ok_or_else(|| Failure::Usage(format!("no command {name}")))
}

fn set_options(command: &mut Command, link: &Link, opening: &OpenArguments) {
    let open = match command {
        Command::Object(arguments) => &mut arguments.print.open,
        Command::Objects(arguments) => &mut arguments.print.open,
        Command::Leaks(arguments) => &mut arguments.open,
        Command::Overview(arguments) => &mut arguments.open,
        _ => return,
    };
    open.opening = opening.clone();
    open.cut.cuts.clone_from(&link.cuts);
}
