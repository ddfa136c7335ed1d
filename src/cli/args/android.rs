//! Options for Android heap dumps only.

use std::path::PathBuf;

use clap::Args;

use super::named::named;
use super::opening::bytes;
use heaplens_analysis::android::koom::Thresholds;
use heaplens_analysis::android::shark::{Device, Roots};
use heaplens_base::Bytes;

/// Options for the leak search in Android dumps.
#[derive(Debug, Args)]
#[command(next_help_heading = "Android options")]
pub struct AndroidArguments {
    /// Read more reference patterns that are known leaks or ignored (repeatable)
    ///
    /// The format is described in docs/android.md. These patterns take precedence over the built-in ones.
    #[arg(long = "references", value_name = "FILE")]
    pub references: Vec<PathBuf>,
    /// API level of the device (SDK_INT), used if the dump does not record it
    #[arg(long, value_name = "N")]
    pub api: Option<i64>,
    /// Manufacturer of the device, used if the dump does not record it
    #[arg(long, value_name = "NAME")]
    pub manufacturer: Option<String>,
    /// GC roots from which paths may start [default: all; with --form koom: pruned]
    #[arg(long, value_parser = named::<Roots>())]
    pub roots: Option<Roots>,
    /// Size thresholds of KOOM.
    #[command(flatten)]
    pub koom: KoomArguments,
}

/// Thresholds above which KOOM reports an object.
#[derive(Debug, Args)]
#[command(next_help_heading = "Android options")]
pub struct KoomArguments {
    /// With --form koom: report bitmaps of at least PIXELS pixels [default: 1049089]
    #[arg(long, value_name = "PIXELS")]
    pub big_bitmap: Option<u64>,
    /// With --form koom: report arrays of at least BYTES bytes [default: 262144]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub big_array: Option<u64>,
    /// With --form koom: search paths to at most N objects per class [default: 45]
    #[arg(long, value_name = "N")]
    pub same_class: Option<u64>,
}

impl AndroidArguments {
    /// Device properties given on the command line.
    pub fn device(&self) -> Device {
        Device { api: self.api, manufacturer: self.manufacturer.clone(), build: None }
    }
}

impl KoomArguments {
    /// Given thresholds, completed by KOOM's defaults.
    pub fn thresholds(&self) -> Thresholds {
        let defaults = Thresholds::default();
        let array = self.big_array.map(Bytes);
        Thresholds {
            bitmap_pixels: self.big_bitmap.unwrap_or(defaults.bitmap_pixels),
            primitive_array: array.unwrap_or(defaults.primitive_array),
            object_array: array.unwrap_or(defaults.object_array),
            same_class: self.same_class.unwrap_or(defaults.same_class),
        }
    }

    /// True if at least one threshold is given.
    pub fn is_said(&self) -> bool {
        self.big_bitmap.is_some() || self.big_array.is_some() || self.same_class.is_some()
    }
}
