//! Options for opening a dump: size model, reference strength, cache and memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::named::named;
use crate::cli::names::rules;
use heaplens_analysis::RuntimeClasses;
use heaplens_base::Bytes;
use heaplens_dump::mapping::MappingFile;
use heaplens_dump::record::read_record;
use heaplens_heap::collection_list::CollectionList;
use heaplens_heap::{SizeModel, Strength, VmRoots};
use heaplens_process::ProcessRecord;
use heaplens_session::collection_list;

/// Heading of these options in the help.
pub(super) const HEADING: &str = "Opening options";

/// Options of all commands that open a dump.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = HEADING)]
pub struct OpenArguments {
    /// Size model
    #[arg(long, value_parser = named::<SizeModel>(), value_name = "MODEL", default_value = "auto")]
    pub sizes: SizeModel,
    /// Treat unreachable objects as reachable
    #[arg(long)]
    pub keep_unreachable: bool,
    /// Android: treatment of zygote and boot-image roots
    ///
    /// With `count`, all objects of the zygote and boot-image heaps are GC roots, as in ahat. With `ignore`, they are
    /// roots only if no other path leads to them, so retained sizes reflect the app heap.
    #[arg(long, value_parser = named::<VmRoots>(), value_name = "RULE", default_value = "count")]
    pub vm_roots: VmRoots,
    /// Weakest reference strength to follow [default: strong for paths, otherwise all]
    #[arg(long, value_parser = named::<Strength>(), value_name = "STRENGTH")]
    pub strength: Option<Strength>,
    /// ProGuard or R8 mapping for names of classes, fields and methods (repeatable)
    ///
    /// With several dumps, the first mapping applies to the first dump and so on; the last applies to all further dumps.
    #[arg(long = "mapping", value_name = "FILE", value_parser = mapping)]
    pub mappings: Vec<Arc<MappingFile>>,
    /// JavaScript: source map of a bundle, or folder of source maps (repeatable)
    ///
    /// Maps beside the dump, and beside a script that is on this machine, are found without it. With several dumps, the
    /// first file or folder applies to the first dump and so on; the last applies to all further dumps.
    #[arg(long, value_name = "FILE|DIR", value_parser = source_maps, conflicts_with = "mappings")]
    pub source_maps: Vec<Arc<MappingFile>>,
    /// Hide values from the output, so that it can be shared
    ///
    /// Hides strings, numbers, collection keys, thread names and the folder of the file. Names of classes, fields and
    /// methods stay visible.
    #[arg(long)]
    pub redact: bool,
    /// IBM: javacore file to read threads, monitors and class loaders from
    ///
    /// [default: in the folder of the dump, the javacore of the same process with the nearest time]
    #[arg(long, value_name = "FILE")]
    pub javacore: Option<PathBuf>,
    /// Facts about the process: record, NMT, smaps, pmap, hs_err, Node report (repeatable)
    ///
    /// The record that `take` writes beside a dump is read without it. Read are also the texts of `jcmd PID
    /// VM.native_memory`, `/proc/PID/smaps`, `pmap -x`, `hs_err_pid.log`, Node's diagnostic report, `kubectl describe pod`
    /// and `dumpsys meminfo`. It is about the first dump.
    #[arg(long = "with", value_name = "FILE", value_parser = record)]
    pub records: Vec<Arc<ProcessRecord>>,
    /// Perfetto: number of the heap graph to open (repeatable) [default: the largest]
    ///
    /// A trace may have heap graphs of several processes, and of one at several times. With several files, the first
    /// number applies to the first file and so on; the last applies to all further files.
    #[arg(long = "heap-graph", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub heap_graphs: Vec<u32>,
    /// Cache folder for stored analyses and unpacked dumps
    ///
    /// [default: the platform's cache folder]
    #[arg(long, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Do not read or write the stored analysis
    #[arg(long)]
    pub no_cache: bool,
    /// Size limit of the cache folder, such as 500MB [default: 20GB]
    ///
    /// The least recently used files are deleted first.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub cache_limit: Option<u64>,
    /// Memory limit for opening, such as 800MB [default: none]
    ///
    /// Data beyond the limit is kept in temporary files, which is slower.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// Maximum ratio of unpacked to packed size of a file, above 1 GB [default: 500]
    ///
    /// A few kilobytes can be unpacked to a full disk. Dumps with large unused arrays are packed to a hundredth.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub unpack_ratio: Option<u32>,
    /// Class name prefixes of runtime and libraries, which are never owners
    ///
    /// [default: built-in list and runtime-classes.txt in the platform's settings folder]
    #[arg(long, value_name = "FILE", value_parser = rules)]
    pub runtime_classes: Option<(PathBuf, Arc<RuntimeClasses>)>,
    /// Collections of libraries: classes, and the fields that have their entries
    ///
    /// Its lines precede the built-in list. [default: collections.txt in the platform's settings folder]
    #[arg(long, value_name = "FILE", value_parser = collections)]
    pub collections: Option<(PathBuf, Arc<CollectionList>)>,
    /// Number of worker threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
}

impl OpenArguments {
    /// True if all options have their defaults, so that a running window can take over the files.
    pub fn is_usual(&self) -> bool {
        self.sizes == SizeModel::Auto
            && !self.keep_unreachable
            && self.vm_roots == VmRoots::Count
            && self.strength.is_none()
            && self.cache_dir.is_none()
            && !self.no_cache
            && self.cache_limit.is_none()
            && self.memory.is_none()
            && self.unpack_ratio.is_none()
            && self.threads.is_none()
            && self.mappings.is_empty()
            && self.records.is_empty()
            && self.source_maps.is_empty()
            && self.collections.is_none()
            && self.javacore.is_none()
            && self.heap_graphs.is_empty()
            && !self.redact
    }
}

/// Reads the file given with `--mapping`.
fn mapping(path: &str) -> Result<Arc<MappingFile>, String> {
    MappingFile::read(Path::new(path)).map(Arc::new)
}

/// Reads the file or folder given with `--source-maps`.
fn source_maps(path: &str) -> Result<Arc<MappingFile>, String> {
    MappingFile::source_maps(Path::new(path)).map(Arc::new)
}

/// Reads the file given with `--with`.
fn record(path: &str) -> Result<Arc<ProcessRecord>, String> {
    read_record(Path::new(path)).map(Arc::new)
}

/// Reads the file given with `--collections`.
fn collections(path: &str) -> Result<(PathBuf, Arc<CollectionList>), String> {
    collection_list::read(Path::new(path)).map(|list| (path.into(), Arc::new(list)))
}

/// Parses a size such as `800MB`, `2GiB` or `1000000` into bytes.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    Bytes::parse(text).map(|bytes| bytes.0)
}
