//! What is asked of dumps of Android alone.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::opening::bytes;
use crate::analysis::android::koom::Thresholds;
use crate::analysis::android::shark::{Device, Roots};
use crate::units::Bytes;

/// What leaks of Android are searched with.
#[derive(Debug, Args)]
pub struct AndroidArguments {
    /// Of a dump of Android: your own references that are known to leak or do not count (see docs/android.md); may be
    /// repeated; they go before those that are built in
    #[arg(long = "references", value_name = "FILE")]
    pub references: Vec<PathBuf>,
    /// Of a dump of Android: the version of its device (SDK_INT), where the dump does not say
    #[arg(long, value_name = "N")]
    pub api: Option<i64>,
    /// Of a dump of Android: the manufacturer of its device, where the dump does not say
    #[arg(long, value_name = "NAME")]
    pub manufacturer: Option<String>,
    /// Of a dump of Android: where paths begin [default: all; --form koom: pruned]
    #[arg(long, value_enum)]
    pub roots: Option<RootsArgument>,
    /// What is too big
    #[command(flatten)]
    pub koom: KoomArguments,
}

/// GC roots that paths begin at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RootsArgument {
    /// All that LeakCanary knows
    All,
    /// Without local variables and monitors, as KOOM does
    Pruned,
}

/// From where on KOOM reports something.
#[derive(Debug, Args)]
pub struct KoomArguments {
    /// With --form koom: bitmaps of so many pixels are big [default: 1049089]
    #[arg(long, value_name = "PIXELS")]
    pub big_bitmap: Option<u64>,
    /// With --form koom: arrays of so many bytes are big [default: 262144]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub big_array: Option<u64>,
    /// With --form koom: paths to so many objects of a class [default: 45]
    #[arg(long, value_name = "N")]
    pub same_class: Option<u64>,
}

impl AndroidArguments {
    /// What the user says of the device.
    pub fn device(&self) -> Device {
        Device { api: self.api, manufacturer: self.manufacturer.clone(), build: None }
    }

    /// Where paths begin, unless the user says.
    pub fn roots(&self, usual: Roots) -> Roots {
        self.roots.map_or(usual, |roots| match roots {
            RootsArgument::All => Roots::All,
            RootsArgument::Pruned => Roots::Pruned,
        })
    }
}

impl KoomArguments {
    /// Those of KOOM, where the user does not say.
    pub fn thresholds(&self) -> Thresholds {
        let usual = Thresholds::default();
        let array = self.big_array.map(Bytes);
        Thresholds {
            bitmap_pixels: self.big_bitmap.unwrap_or(usual.bitmap_pixels),
            primitive_array: array.unwrap_or(usual.primitive_array),
            object_array: array.unwrap_or(usual.object_array),
            same_class: self.same_class.unwrap_or(usual.same_class),
        }
    }

    /// Whether the user says anything.
    pub fn is_said(&self) -> bool {
        self.big_bitmap.is_some() || self.big_array.is_some() || self.same_class.is_some()
    }
}
