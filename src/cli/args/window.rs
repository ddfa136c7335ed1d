//! What the window is told, and how a picture of it is drawn.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `--screenshot` and what belongs to it.
#[derive(Debug, Clone, Args)]
pub struct PictureArguments {
    /// Draw the window into this PNG file, without a display, once everything is known
    #[arg(long, value_name = "OUT.png")]
    pub screenshot: Option<PathBuf>,
    /// The view to draw [default: the one a dump opens with]
    #[arg(long, value_enum, value_name = "NAME", requires = "screenshot")]
    pub view: Option<ViewArgument>,
    /// The table of the view `growth`
    #[arg(long, value_enum, value_name = "ROWS", requires = "screenshot")]
    pub table: Option<TableArgument>,
    /// Show the rows of the view as a picture
    #[arg(long, value_enum, value_name = "KIND", requires = "screenshot")]
    pub picture: Option<PictureArgument>,
    /// The object to select
    #[arg(long, value_name = "ID|NAME", requires = "screenshot")]
    pub object: Option<String>,
    /// The object at which a route to that of --object begins
    #[arg(long, value_name = "ID|NAME", requires = "object")]
    pub from: Option<String>,
    /// As if this reference were not there; may be repeated
    #[arg(long = "cut", value_name = "REFERENCE", requires = "screenshot")]
    pub cuts: Vec<String>,
    /// Open the palette with this text typed
    #[arg(long, value_name = "TEXT", requires = "screenshot")]
    pub palette: Option<String>,
    /// Colours of the picture
    #[arg(long, value_enum, default_value_t = ThemeArgument::Dark, requires = "screenshot")]
    pub theme: ThemeArgument,
    /// Size of the window in points
    #[arg(long, value_name = "WxH", default_value = "1440x900", value_parser = size, requires = "screenshot")]
    pub size: (u32, u32),
    /// Pixels per point
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = scale, requires = "screenshot")]
    pub scale: f32,
}

/// A picture of the rows of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureArgument {
    /// Rectangles in rectangles
    Treemap,
    /// Bars below bars
    Icicle,
    /// Rings around the whole
    Sunburst,
    /// The table, and a treemap below it
    Split,
}

/// A page of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ViewArgument {
    /// No dump is open
    Welcome,
    /// A dump is being opened
    Opening,
    /// What the dump is, and what stands out in it
    Overview,
    /// What leaks, who holds it, which reference to cut
    Leaks,
    /// The dominator tree
    Dominators,
    /// The class histogram
    Histogram,
    /// The objects of the biggest class, or of that of --object
    Objects,
    /// Merged paths to all objects of the class that the dump opens on
    Paths,
    /// Threads, their stacks, and what these hold
    Threads,
    /// Duplicate strings
    Strings,
    /// Collections by class
    Collections,
    /// Bitmaps of a dump of Android
    Bitmaps,
    /// What the root of a snapshot leads to
    Containment,
    /// Functions of JavaScript and what they capture
    Closures,
    /// What detached nodes, contexts, the console and event handlers keep
    KeptBy,
    /// Nodes of a page that are in no document
    Detached,
    /// Whose bytes are whose, by page, frame, vm context
    NativeContexts,
    /// When what is there was allocated
    Timeline,
    /// Roots that are found, and who owns what below them
    Ownership,
    /// Holes between objects
    Gaps,
    /// The shortest way from the object of --from to that of --object
    Route,
    /// Of two dumps: what grew, and who holds it
    Growth,
    /// Where memory goes for nothing
    Waste,
    /// Class loaders
    Loaders,
    /// Objects whose finalizer is still to run
    Finalizers,
    /// GC roots by kind
    Roots,
    /// What could not be read as it should have been
    Notes,
    /// Objects with a star or a note.
    Stars,
}

/// A colour theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ThemeArgument {
    /// Dark text on light ground
    Light,
    /// Light text on dark ground
    Dark,
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parse = |n: &str| n.parse().ok().filter(|n| (200..=8_000).contains(n));
    let (width, height) = text.split_once('x').ok_or("write it as 1440x900")?;
    Ok((parse(width).ok_or("a width between 200 and 8000")?, parse(height).ok_or("a height between 200 and 8000")?))
}

fn scale(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|n| (0.5..=4.0).contains(n)).ok_or_else(|| "a number between 0.5 and 4".to_owned())
}

/// `--table`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TableArgument {
    /// Who holds what came and went
    Owners,
    /// Classes, by name and class of the loader
    Classes,
    /// Packages
    Packages,
    /// Class loaders, by class and name
    Loaders,
    /// Threads, by name
    Threads,
    /// Texts that stand in a dump more than once
    Strings,
    /// Collections by class
    Collections,
    /// What leaks, by who holds it
    Leaks,
    /// Owners through all dumps, where more than two are open
    OverTime,
    /// Of snapshots of JavaScript: what came and is still there
    Stayed,
    /// Of snapshots of JavaScript: what leads to more and more
    Growing,
}
