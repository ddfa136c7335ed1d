//! Options for screenshots of the window.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::view::Page;

/// `--screenshot` and its options.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Screenshot options")]
pub struct PictureArguments {
    /// Write a screenshot of the window to this PNG file; needs no display
    ///
    /// The screenshot is taken when the analysis is complete.
    #[arg(long, value_name = "OUT.png")]
    pub screenshot: Option<PathBuf>,
    /// View to show [default: the view a dump opens with]
    #[arg(long, value_enum, value_name = "NAME", requires = "screenshot")]
    pub view: Option<Page>,
    /// Table to show in the view `growth`
    #[arg(long, value_enum, value_name = "TABLE", requires = "screenshot")]
    pub table: Option<TableArgument>,
    /// Show the view as a chart instead of a table
    #[arg(long, visible_alias = "chart", value_enum, value_name = "CHART", requires = "screenshot")]
    pub picture: Option<PictureArgument>,
    /// Object to select
    #[arg(long, value_name = "ID|NAME", requires = "screenshot")]
    pub object: Option<String>,
    /// Start of the path to the object of --object
    #[arg(long, value_name = "ID|NAME", requires = "object")]
    pub from: Option<String>,
    /// Recompute everything without this reference (repeatable)
    #[arg(long = "cut", value_name = "REFERENCE", requires = "screenshot")]
    pub cuts: Vec<String>,
    /// Open the command palette with this text
    #[arg(long, value_name = "TEXT", requires = "screenshot")]
    pub palette: Option<String>,
    /// Colour theme
    #[arg(long, value_enum, default_value_t = ThemeArgument::Dark, requires = "screenshot")]
    pub theme: ThemeArgument,
    /// Size of the window in points
    #[arg(long, value_name = "WxH", default_value = "1440x900", value_parser = size, requires = "screenshot")]
    pub size: (u32, u32),
    /// Pixels per point, 0.5 to 4
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = scale, requires = "screenshot")]
    pub scale: f32,
}

/// Charts that a view can show instead of its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureArgument {
    /// Treemap: nested rectangles
    Treemap,
    /// Icicle chart: bars below their parents
    Icicle,
    /// Sunburst chart: concentric rings
    Sunburst,
    /// Table with a treemap below
    Split,
}

impl ValueEnum for Page {
    fn value_variants<'a>() -> &'a [Self] {
        const { &Self::ALL }
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Welcome => PossibleValue::new("welcome").help("Start page without an open dump"),
            Self::Opening => PossibleValue::new("opening").help("Progress while a dump opens"),
            Self::View(view) => {
                let info = view.info();
                PossibleValue::new(info.argument).aliases(info.aliases).help(info.help)
            }
        })
    }
}

/// Colour themes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ThemeArgument {
    /// Dark text on a light background
    Light,
    /// Light text on a dark background
    Dark,
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parse = |n: &str| n.parse().ok().filter(|n| (200..=8_000).contains(n));
    let (width, height) = text.split_once('x').ok_or("expected WIDTHxHEIGHT, such as 1440x900")?;
    Ok((
        parse(width).ok_or("width must be between 200 and 8000")?,
        parse(height).ok_or("height must be between 200 and 8000")?,
    ))
}

fn scale(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|n| (0.5..=4.0).contains(n)).ok_or_else(|| "scale must be between 0.5 and 4".to_owned())
}

/// `--table`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TableArgument {
    /// Owners of added and removed objects
    Owners,
    /// Classes, matched by name and class loader class
    Classes,
    /// Packages
    Packages,
    /// Class loaders, matched by class and name
    Loaders,
    /// Threads, matched by name
    Threads,
    /// Duplicate strings
    Strings,
    /// Collections by class
    Collections,
    /// Leak suspects, matched by owner
    Leaks,
    /// Owners over time, with three or more dumps
    OverTime,
    /// JavaScript: new and still alive
    Stayed,
    /// JavaScript: monotonic growth
    Growing,
}
