//! Entry point: starts the window or runs a command.

use std::process::ExitCode;

use clap::Parser;
use heaplens::cli::{self, args::Arguments};
use heaplens_base::storage::reserve::{self, Reserve};
use heaplens_base::task;

#[global_allocator]
static ALLOCATOR: Reserve = Reserve::new(task::starve);

fn main() -> ExitCode {
    reserve::refill();
    let arguments = Arguments::parse();
    match &arguments.command {
        Some(command) => cli::run(command),
        None => cli::refuse_unknown_command(&arguments.files).unwrap_or_else(|| window(&arguments)),
    }
}

#[cfg(feature = "gui")]
fn window(arguments: &Arguments) -> ExitCode {
    use heaplens::ui::{display, screenshot};

    cli::set_threads(&arguments.open);
    let options = cli::open_options(&arguments.open);
    if let Some(out) = &arguments.picture.screenshot {
        let drawn = screenshot::screenshot(&arguments.files, &shot(&arguments.picture), options, out);
        return drawn.map_or_else(|why| cli::fail(&why), |()| ExitCode::SUCCESS);
    }
    if display::probe().is_ok()
        && arguments.open.is_usual()
        && !arguments.new_window
        && display::hand_over(&arguments.files)
    {
        return ExitCode::SUCCESS;
    }
    match display::run(arguments.files.clone(), options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => cli::report(&arguments.files, &arguments.open, &why),
    }
}

#[cfg(feature = "gui")]
fn shot(picture: &cli::args::PictureArguments) -> heaplens::ui::screenshot::Shot {
    use cli::args::{PictureArgument, TableArgument};
    use heaplens::ui::views::growth::GrowthTable;
    use heaplens::ui::views::picture::mode::Mode;
    use heaplens::ui::widgets::picture::Kind;
    use heaplens_session::side_by_side::SideRowKind;
    use heaplens_tables::diff::DiffRows;
    use heaplens_tables::javascript_leaks::SnapshotLeakKind;

    let shown = |table| match table {
        TableArgument::Owners => GrowthTable::Of(DiffRows::Owners),
        TableArgument::Classes => GrowthTable::Of(DiffRows::Classes),
        TableArgument::Packages => GrowthTable::Of(DiffRows::Side(SideRowKind::Packages)),
        TableArgument::Loaders => GrowthTable::Of(DiffRows::Side(SideRowKind::Loaders)),
        TableArgument::Threads => GrowthTable::Of(DiffRows::Side(SideRowKind::Threads)),
        TableArgument::Strings => GrowthTable::Of(DiffRows::Side(SideRowKind::Strings)),
        TableArgument::Collections => GrowthTable::Of(DiffRows::Side(SideRowKind::Collections)),
        TableArgument::Leaks => GrowthTable::Of(DiffRows::Side(SideRowKind::Leaks)),
        TableArgument::OverTime => GrowthTable::ThroughAll,
        TableArgument::Stayed => GrowthTable::Between(SnapshotLeakKind::Stayed),
        TableArgument::Growing => GrowthTable::Between(SnapshotLeakKind::Growing),
    };
    let mode = |picture| match picture {
        PictureArgument::Treemap => Mode::Picture(Kind::Treemap),
        PictureArgument::Icicle => Mode::Picture(Kind::Icicle),
        PictureArgument::Sunburst => Mode::Picture(Kind::Sunburst),
        PictureArgument::Split => Mode::Split(Kind::Treemap),
    };
    heaplens::ui::screenshot::Shot {
        table: picture.table.map(shown),
        page: picture.view,
        picture: picture.picture.map(mode),
        object: picture.object.clone(),
        from: picture.from.clone(),
        cuts: picture.cuts.clone(),
        palette: picture.palette.clone(),
        dark: picture.theme == cli::args::ThemeArgument::Dark,
        size: [picture.size.0 as f32, picture.size.1 as f32],
        scale: picture.scale,
    }
}

#[cfg(not(feature = "gui"))]
fn window(arguments: &Arguments) -> ExitCode {
    if arguments.picture.screenshot.is_some() {
        return cli::fail("--screenshot is not supported by this build; rebuild with the feature `gui`");
    }
    cli::report(&arguments.files, &arguments.open, "this build has no window (feature `gui`)")
}
