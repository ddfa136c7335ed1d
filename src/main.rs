//! Entry point: starts the window or runs a command.

use std::process::ExitCode;

use heaplens::cli::{self, args::Arguments};
use heaplens_base::storage::reserve::{self, Reserve};
use heaplens_base::task;
use heaplens_platform::signals;

#[global_allocator]
static ALLOCATOR: Reserve = Reserve::new(task::starve);

fn main() -> ExitCode {
    signals::prepare();
    reserve::refill();
    let arguments = match cli::args::parse() {
        Ok(arguments) => arguments,
        Err(message) => return cli::print_help(&message),
    };
    match &arguments.command {
        #[cfg(feature = "assistant")]
        Some(cli::args::Command::Mcp(arguments)) => serve(arguments),
        Some(command) => cli::run(command),
        None => cli::refuse_unknown_command(&arguments.dumps()).unwrap_or_else(|| window(&arguments)),
    }
}

#[cfg(feature = "gui")]
fn window(arguments: &Arguments) -> ExitCode {
    use heaplens::ui::{alert, display, screenshot};
    use heaplens_platform::desktop::find_display;

    if let Err(status) = cli::open::set_window_threads(&arguments.open) {
        return status;
    }
    let options = cli::open::open_options(&arguments.open);
    let (dumps, links) = (arguments.dumps(), arguments.links());
    if let Some(out) = &arguments.picture.screenshot {
        if !links.is_empty() {
            return cli::fail("--screenshot takes dumps, not links: use --view, --object and --cut");
        }
        let drawn = screenshot::screenshot(&dumps, &shot(&arguments.picture), options, out);
        return drawn.map_or_else(|why| cli::fail(&why), |()| ExitCode::SUCCESS);
    }
    let is_unread = heaplens_platform::console::close_own();
    let hands_over = arguments.open.is_usual() && !arguments.new_window;
    match display::run(dumps, links, options, hands_over) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) if is_unread && find_display().is_ok() => {
            alert::show(&why);
            ExitCode::FAILURE
        }
        Err(why) => cli::report(arguments, &why),
    }
}

#[cfg(feature = "gui")]
fn shot(picture: &cli::args::PictureArguments) -> heaplens::ui::screenshot::Shot {
    heaplens::ui::screenshot::Shot {
        table: picture.table,
        page: picture.view,
        picture: picture.picture,
        object: picture.object.clone(),
        from: picture.from.clone(),
        cuts: picture.cuts.clone(),
        is_after: picture.after,
        palette: picture.palette.clone(),
        dark: picture.theme == cli::args::ThemeArgument::Dark,
        size: picture.size,
        scale: picture.scale,
    }
}

#[cfg(not(feature = "gui"))]
fn window(arguments: &Arguments) -> ExitCode {
    if arguments.picture.screenshot.is_some() {
        return cli::fail("--screenshot is not supported by this build; rebuild with the feature `gui`");
    }
    cli::report(arguments, "this build has no window (feature `gui`)")
}

/// Serves a client of `mcp`, which may ask for pictures of the window.
#[cfg(feature = "assistant")]
fn serve(arguments: &cli::args::McpArguments) -> ExitCode {
    #[cfg(feature = "gui")]
    let pictures = Some(&heaplens::ui::screenshot::pictures(cli::mcp::mcp_open_options(arguments)));
    #[cfg(not(feature = "gui"))]
    let pictures = None;
    cli::serve(arguments, pictures)
}
