//! Options for screenshots of the window.

use std::path::PathBuf;

use clap::Args;

use super::named::named;
use crate::view::Page;
use crate::view::chart::Mode;
use crate::view::growth_table::GrowthTable;
use heaplens_base::named;

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
    #[arg(long, value_parser = named::<Page>(), value_name = "NAME", requires = "screenshot")]
    pub view: Option<Page>,
    /// Table to show in the view `growth`
    #[arg(long, value_parser = named::<GrowthTable>(), value_name = "TABLE", requires = "screenshot")]
    pub table: Option<GrowthTable>,
    /// Show the view as a chart instead of a table
    #[arg(long, visible_alias = "chart", value_parser = named::<Mode>(), value_name = "CHART", requires = "screenshot")]
    pub picture: Option<Mode>,
    /// Object to select
    #[arg(long, value_name = "ID|NAME", requires = "screenshot")]
    pub object: Option<String>,
    /// Start of the path to the object of --object
    #[arg(long, value_name = "ID|NAME", requires = "object")]
    pub from: Option<String>,
    /// Remove this reference, as a what if (repeatable)
    #[arg(long = "cut", value_name = "REFERENCE", requires = "screenshot")]
    pub cuts: Vec<String>,
    /// Show the heap after the removals of --cut
    #[arg(long, requires = "cuts")]
    pub after: bool,
    /// Open the command palette with this text
    #[arg(long, value_name = "TEXT", requires = "screenshot")]
    pub palette: Option<String>,
    /// Colour theme
    #[arg(long, value_parser = named::<ThemeArgument>(), default_value = "dark", requires = "screenshot")]
    pub theme: ThemeArgument,
    /// Size of the window in points
    #[arg(long, value_name = "WxH", default_value = "1440x900", value_parser = size, requires = "screenshot")]
    pub size: [f32; 2],
    /// Pixels per point, 0.5 to 4
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = scale, requires = "screenshot")]
    pub scale: f32,
}

/// Colour themes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThemeArgument {
    /// Dark text.
    Light,
    /// Light text.
    Dark,
}

named!(ThemeArgument {
    Light = "light", "Dark text on a light background";
    Dark = "dark", "Light text on a dark background";
});

fn size(text: &str) -> Result<[f32; 2], String> {
    let parse = |n: &str| n.parse::<u16>().ok().filter(|n| (200..=8_000).contains(n)).map(f32::from);
    let (width, height) = text.split_once('x').ok_or("expected WIDTHxHEIGHT, such as 1440x900")?;
    Ok([
        parse(width).ok_or("width must be between 200 and 8000")?,
        parse(height).ok_or("height must be between 200 and 8000")?,
    ])
}

fn scale(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|n| (0.5..=4.0).contains(n)).ok_or_else(|| "scale must be between 0.5 and 4".to_owned())
}
