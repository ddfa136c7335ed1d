//! `mcp`: answers assistants and other programs.

use std::io::{self, stdin, stdout};
use std::sync::Arc;

use super::args::McpArguments;
use super::failure::Failure;
use super::open::{open_options, set_threads};
use super::print::Answer;
use super::rules::leak_rules;
use heaplens_assistant::{Assistant, AssistantOptions, Pictures, serve_stdio};
use heaplens_base::storage::Folder;
use heaplens_base::threads;
use heaplens_session::OpenOptions;
use heaplens_session::instance::reach_window;
use heaplens_session::leaks::{read_references, references_file};

/// How dumps are opened for a client: without values of the program, unless they may be shown.
pub fn mcp_open_options(arguments: &McpArguments) -> OpenOptions {
    let options = open_options(&arguments.open);
    OpenOptions { redact: options.redact || !arguments.values, ..options }
}

/// Serves the client that started this program until it ends. `pictures` draws views of the window.
pub(super) fn mcp(arguments: &McpArguments, pictures: Option<&Pictures>) -> Answer {
    if arguments.window {
        return of_window();
    }
    set_threads(&arguments.open)?;
    let options = AssistantOptions {
        allowed_paths: arguments.places.clone(),
        open: mcp_open_options(arguments),
        rules: leak_rules(&arguments.rules)?,
        matchers: read_references(references_file().as_deref(), &[]).map_err(Failure::Usage)?,
        pictures: pictures.cloned(),
    };
    let assistant = Assistant::new(options).map_err(Failure::Unusable)?;
    serve_stdio(Arc::new(assistant)).map_err(|error| Failure::Unusable(error.to_string()))
}

/// Carries messages between the client and the open window until one of them ends.
fn of_window() -> Answer {
    let nobody = |_error| {
        let why = "no open window shares its dumps: turn on File > Share with assistant there";
        Failure::Unusable(why.to_owned())
    };
    let folder = Folder::of_platform().ok_or_else(|| Failure::Unusable("no cache folder was found".to_owned()))?;
    let mut from_window = reach_window(&folder.path).map_err(nobody)?;
    let mut to_window = from_window.try_clone()?;
    // Ends with the process: a read of standard input cannot be cancelled.
    threads::start("calls", move || {
        let _ended = io::copy(&mut stdin(), &mut to_window);
        to_window.finish();
    })?;
    // Messages are lines, after each of which standard output is written.
    io::copy(&mut from_window, &mut stdout())?;
    Ok(())
}
