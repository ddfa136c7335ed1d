//! How a dump is opened: sizes, references that count, what is kept of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};

use crate::analysis::runtime_classes::RuntimeClasses;
use crate::cli::names::rules;
use crate::heap::classes::Strength;
use crate::heap::origin::SizeModel;
use crate::heap::vm_roots::VmRoots;
use crate::session::mapping::MappingFile;

/// Options of everything that opens a dump.
#[derive(Debug, Clone, Args)]
pub struct OpenArguments {
    /// How sizes are worked out: what the JVM really used, Eclipse MAT's rules, or as the file says
    #[arg(long, value_enum, value_name = "MODEL", default_value = "auto")]
    pub sizes: SizesArgument,
    /// Treat objects that no GC root reaches as kept
    #[arg(long)]
    pub keep_unreachable: bool,
    /// Whether objects that the virtual machine holds outside of the app heap of Android are GC roots: all of the zygote
    /// and the boot image, as in ahat; or only where nothing else leads, which says what the application keeps alive
    #[arg(long, value_enum, value_name = "RULE", default_value = "count")]
    pub vm_roots: VmRootsArgument,
    /// Which references count, down to the weakest named [default: strong for paths, all for the rest]
    #[arg(long, value_enum, value_name = "WEAKEST")]
    pub strength: Option<StrengthArgument>,
    /// Names of a ProGuard or R8 mapping for classes, fields and stack frames; of several dumps the first for the first
    /// of them, the last for all further ones
    #[arg(long = "mapping", value_name = "FILE", value_parser = mapping)]
    pub mappings: Vec<Arc<MappingFile>>,
    /// Leave out what the program had in it: texts, numbers, keys, names of threads, and the folder of the file. Names of
    /// classes, fields and methods stay: an answer can be shown to somebody else
    #[arg(long)]
    pub redact: bool,
    /// Javacore with the threads, monitors and class loaders of a heapdump of IBM [default: the one beside the dump that
    /// is named by the same process and the nearest time]
    #[arg(long, value_name = "FILE")]
    pub javacore: Option<PathBuf>,
    /// Folder for stored analyses and unpacked dumps [default: the platform's cache folder]
    #[arg(long, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Neither use nor write the stored analysis
    #[arg(long)]
    pub no_cache: bool,
    /// Bytes the cache folder may hold, such as 500MB or 20GB; what was used longest ago goes first [default: 20GB]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub cache_limit: Option<u64>,
    /// Memory for opening, such as 800MB; columns beyond it are worked on in files, which is slower
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// Prefixes of class names that own nothing: the runtime's and its libraries' [default: those built in, and
    /// runtime-classes.txt in the platform's settings folder]
    #[arg(long, value_name = "FILE", value_parser = rules)]
    pub runtime_classes: Option<(PathBuf, Arc<RuntimeClasses>)>,
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
}

/// `--sizes`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SizesArgument {
    /// What the JVM really used, worked out from where objects lie
    Auto,
    /// Eclipse MAT's rules
    Mat,
    /// As the file says; of V8 snapshots nothing moved to owners, and every strong edge holds (also: raw)
    #[value(alias = "raw")]
    File,
}

/// `--vm-roots`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum VmRootsArgument {
    /// They are roots, as the file says
    Count,
    /// They are roots only where nothing else leads
    Ignore,
}

/// `--strength`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StrengthArgument {
    /// Ordinary references
    Strong,
    /// Soft references too
    Soft,
    /// Soft and finalizer references too
    Final,
    /// Soft, finalizer and weak references too
    Weak,
    /// All references
    All,
}

impl OpenArguments {
    /// Whether dumps are to be opened as a window opens them that was told nothing.
    pub fn is_usual(&self) -> bool {
        self.sizes == SizesArgument::Auto
            && !self.keep_unreachable
            && self.vm_roots == VmRootsArgument::Count
            && self.strength.is_none()
            && self.cache_dir.is_none()
            && !self.no_cache
            && self.cache_limit.is_none()
            && self.memory.is_none()
            && self.threads.is_none()
            && self.mappings.is_empty()
            && self.javacore.is_none()
            && !self.redact
    }
}

impl From<SizesArgument> for SizeModel {
    fn from(argument: SizesArgument) -> Self {
        match argument {
            SizesArgument::Auto => Self::Auto,
            SizesArgument::Mat => Self::Mat,
            SizesArgument::File => Self::File,
        }
    }
}

impl From<VmRootsArgument> for VmRoots {
    fn from(argument: VmRootsArgument) -> Self {
        match argument {
            VmRootsArgument::Count => Self::Count,
            VmRootsArgument::Ignore => Self::Ignore,
        }
    }
}

impl From<StrengthArgument> for Strength {
    fn from(argument: StrengthArgument) -> Self {
        match argument {
            StrengthArgument::Strong => Self::Strong,
            StrengthArgument::Soft => Self::Soft,
            StrengthArgument::Weak => Self::Weak,
            StrengthArgument::Final => Self::Final,
            StrengthArgument::All => Self::Phantom,
        }
    }
}

/// The file of `--mapping`.
fn mapping(path: &str) -> Result<Arc<MappingFile>, String> {
    MappingFile::read(Path::new(path)).map(Arc::new)
}

/// `800MB`, `2GiB`, `1000000`: bytes.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "t" | "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        _ => return Err(format!("'{unit}' is no unit: write it as 800MB or 2GiB")),
    };
    let number: f64 = number.parse().map_err(|_no_number| "write it as 800MB or 2GiB".to_owned())?;
    Ok((number * factor as f64) as u64)
}
