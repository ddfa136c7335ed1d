//! Access to the bytes of a file: mapped directly, or unpacked or received into a temporary file that is mapped.

use std::io::{self, Read, Write};
use std::{fs::File, path::Path, sync::Arc};

use super::archive::{self, form_of};
use super::error::{FormatError, OpenError};
use super::leading_text::{self, leading_bytes};
use super::scratch_file::ScratchFile;
use super::{bounded_output::BoundedOutput, entries::Unpacked, gzip, options::ReadOptions, zip};
use heaplens_base::storage::file_state::{FileChange, FileState};
use heaplens_base::storage::{KeptCopy, mapping::Mapping};
use heaplens_base::{Count, Task, Unit};
use heaplens_heap::{FileSize, ImportNote, Severity};
use heaplens_platform::files::{is_pipe, open_regular};
use heaplens_platform::standard_streams::is_input_closed;

/// Bytes of an opened file, shared by clones.
#[derive(Clone)]
pub struct Source {
    bytes: Mapping,
    /// Offset of the dump in the mapped file: there may be text in front of it.
    begin: usize,
    /// True if the bytes are in a temporary file.
    is_copy: bool,
    /// The file when it was opened; `None` for a copy, which no other program writes to.
    file: Option<Arc<FileState>>,
    /// Damage of the packed form: the rest of the file is missing.
    pub damage: Option<String>,
    size: FileSize,
    /// Notes about text in front of the dump and about other dumps in an archive, outermost first.
    pub(super) notes: Vec<ImportNote>,
}

/// Message for a file that became shorter between opening and reading.
pub fn unreadable_from(at: u64) -> String {
    format!("data from byte {} on is unreadable: the file was truncated while in use, or the disk failed", Count(at))
}

/// Message for a file that another program wrote to.
const WRITTEN: &str = "the file was written to while in use, so data of two states may be mixed. Run the command again when \
                       no program writes to it";
/// Number of zeros at the begin of a stream after which it is not read on.
const HOPELESS: usize = 4096;

/// Maximum depth of nested packings.
const LAYERS: usize = 4;
/// Name of standard input where a file is expected.
const STDIN: &str = "-";
/// Folders with the open files of this process, among which are pipes: `<(zcat app.hprof.gz)` is a file in one of them.
const OPEN_FILES: [&str; 3] = ["/dev/fd/", "/proc/self/fd/", "/dev/stdin"];

/// True if `path` is standard input, a named pipe or a pipe of this process: it can be read once, from beginning to end.
pub fn is_stream(path: &Path) -> bool {
    let Some(text) = path.to_str() else { return is_pipe(path) };
    let is_open_file = OPEN_FILES.iter().any(|folder| text.starts_with(folder));
    let is_read_once = |file: std::fs::Metadata| !file.is_file() && !file.is_dir();
    text == STDIN || is_pipe(path) || is_open_file && std::fs::metadata(path).is_ok_and(is_read_once)
}

impl Source {
    /// Maps the file at `path`; unpacks it first if it is packed, unless the unpacked form is cached.
    ///
    /// # Errors
    /// If the file cannot be read, or nothing of it can be unpacked.
    pub fn open(path: &Path, options: &ReadOptions, task: &Task) -> Result<Self, OpenError> {
        let mut source = Self::of_file(path, options, task)?;
        for _ in 0..LAYERS {
            source.skip_leading_text();
            let Some(layer) = Layer::of(source.bytes()) else { break };
            task.step("Unpacking", Unit::Bytes, 0);
            let (packed, mut unpacked) = (source.clone(), Unpacked::default());
            source = packed.rewrite(options, |out, blame| {
                unpacked = layer.unpack(packed.bytes(), |bytes| out.write_all(bytes).map_err(blame), task)?;
                Ok(())
            })?;
            source.size.unpacked = source.bytes.len() as u64;
            source.notes.extend(unpacked.other_dumps);
            let mut damage = unpacked.damage;
            if let Some(cause) = damage.take_if(|_| source.bytes.is_empty()) {
                let advice = "Copy the file again.";
                return Err(FormatError::new(layer.name(), 0, "packed data", cause, advice).into());
            }
            source.damage = source.damage.or(damage);
        }
        source.skip_leading_text();
        Ok(source)
    }

    /// Skips text in front of a dump or of a packed form of it.
    fn skip_leading_text(&mut self) {
        let bytes = self.bytes();
        if Layer::of(bytes).is_some() {
            return;
        }
        // Two letters of a text may begin data of zlib.
        let is_packed = |bytes: &[u8]| Layer::of(bytes).is_some_and(|layer| !matches!(layer, Layer::Zlib));
        let Some(leading) = leading_bytes(bytes, is_packed) else { return };
        self.notes.push(leading_text::note(bytes.get(..leading).unwrap_or_default()));
        self.begin += leading;
    }

    /// Same contents in another form, written by `write` to an unnamed temporary file.
    pub(super) fn rewrite(
        &self,
        options: &ReadOptions,
        write: impl FnOnce(&mut dyn Write, &dyn Fn(io::Error) -> OpenError) -> Result<(), OpenError>,
    ) -> Result<Self, OpenError> {
        let mut scratch = ScratchFile::create(options)?;
        let folder = scratch.folder.clone();
        let blame = |error| OpenError::scratch(&folder, error);
        let disk = (!scratch.is_in_memory()).then_some(&*folder);
        let bounded = BoundedOutput::new(&mut scratch, disk, self.size.disk, options);
        let mut out = io::BufWriter::with_capacity(1 << 20, bounded);
        write(&mut out, &blame)?;
        out.flush().map_err(blame)?;
        drop(out);
        // Later changes of the file do not matter to the copy.
        self.overwritten().map_or(Ok(()), |why| Err(io::Error::other(why)))?;
        let copy = Self::of_copy(Mapping::of(&scratch.file).map_err(blame)?, 0);
        Ok(Self { damage: self.damage.clone(), size: self.size, notes: self.notes.clone(), ..copy })
    }

    /// Maps the file at `path`; unpacks it first if it is gzip.
    fn of_file(path: &Path, options: &ReadOptions, task: &Task) -> Result<Self, OpenError> {
        if is_stream(path) {
            return Self::of_stream(path, options, task);
        }
        let file = open_regular(path)?;
        let modified = file.metadata().and_then(|metadata| metadata.modified()).ok();
        let bytes = Mapping::of(&file)?;
        let state = Arc::new(FileState::of(file, path, modified, &bytes));
        let disk = bytes.len();
        let source = Self { is_copy: false, file: Some(state), ..Self::of_copy(bytes, disk) };
        if !gzip::recognises(&source.bytes) {
            return Ok(source);
        }
        if let Some(valid_copy) = options.unpacked.as_ref().and_then(KeptCopy::open) {
            return Ok(Self::of_copy(valid_copy, disk));
        }
        let packed = &source.bytes;
        let unchanged = || source.overwritten().map_or(Ok(()), |why| Err(OpenError::Io(io::Error::other(why))));
        task.step("Unpacking", Unit::Bytes, packed.len() as u64);
        if let Some(copy) = &options.unpacked
            && let Ok(mut writer) = copy.create()
        {
            let blame = |error| OpenError::scratch(copy.path(), error);
            let folder = copy.path().parent().unwrap_or(Path::new("."));
            let damage =
                unpack(packed, BoundedOutput::new(&mut writer, Some(folder), disk as u64, options), &blame, task)?;
            unchanged()?;
            // A damaged unpacked form is not kept: the next open could not detect the damage.
            let valid_copy = Some(copy).filter(|_| damage.is_none());
            return Self::of_copy(writer.finish(valid_copy).map_err(blame)?, disk).damaged(damage);
        }
        let mut scratch = ScratchFile::create(options)?;
        let folder = scratch.folder.clone();
        let blame = |error| OpenError::scratch(&folder, error);
        let on_disk = (!scratch.is_in_memory()).then_some(&*folder);
        let bounded = BoundedOutput::new(&mut scratch, on_disk, disk as u64, options);
        let damage = unpack(packed, bounded, &blame, task)?;
        unchanged()?;
        Self::of_copy(Mapping::of(&scratch.file).map_err(blame)?, disk).damaged(damage)
    }

    /// Copies what another program writes: a dump is read in many places at once.
    fn of_stream(path: &Path, options: &ReadOptions, task: &Task) -> Result<Self, OpenError> {
        if path == Path::new(STDIN) && is_input_closed() {
            return Err(io::Error::other("standard input is closed").into());
        }
        task.step("Receiving", Unit::Bytes, 0);
        let mut is_first = true;
        let mut from: Box<dyn Read> =
            if path == Path::new(STDIN) { Box::new(io::stdin().lock()) } else { Box::new(File::open(path)?) };
        let received = Self::of_copy(Mapping::default(), 0).rewrite(options, |out, blame| {
            let mut block = vec![0; 1 << 20];
            loop {
                task.checkpoint()?;
                match from.read(&mut block) {
                    Ok(0) => return Ok(()),
                    Ok(read) => {
                        let read = block.get(..read).unwrap_or_default();
                        out.write_all(read).map_err(blame)?;
                        // No dump begins with zeros, of which some devices have no end.
                        if std::mem::take(&mut is_first) && read.len() >= HOPELESS && read.iter().all(|&byte| byte == 0)
                        {
                            return Ok(());
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error.into()),
                }
                task.advance(block.len() as u64);
            }
        })?;
        let bytes = received.bytes.len();
        Ok(Self::of_copy(received.bytes, bytes))
    }

    /// A dump in a temporary file; the file that it comes from has `disk` bytes.
    fn of_copy(bytes: Mapping, disk: usize) -> Self {
        let size = FileSize { disk: disk as u64, unpacked: bytes.len() as u64 };
        Self { bytes, begin: 0, is_copy: true, file: None, damage: None, size, notes: Vec::new() }
    }

    /// The same with damage of the packed form.
    fn damaged(self, damage: Option<String>) -> Result<Self, OpenError> {
        match damage {
            Some(cause) if self.bytes.is_empty() => {
                let advice = "Copy the file again.";
                Err(FormatError::new("gzip", 0, "gzip data", cause, advice).into())
            }
            damage => Ok(Self { damage, ..self }),
        }
    }

    /// True if the bytes are in a temporary file, because the dump is packed or was converted: changes to the dump file
    /// then have no effect.
    pub fn is_copy(&self) -> bool {
        self.is_copy
    }

    /// Size of the file.
    pub fn size(&self) -> FileSize {
        self.size
    }

    /// Offset from which on the file became unreadable, although it was longer when it was opened: see
    /// [`Mapping::lost_at`].
    pub fn lost_at(&self) -> Option<u64> {
        self.bytes.lost_at()
    }

    /// Path by which the file was opened; `None` for a copy.
    pub fn path(&self) -> Option<&Path> {
        self.file.as_deref().map(FileState::path)
    }

    /// Change of the file since it was opened. Asks the system: not for every frame.
    pub(super) fn change(&self) -> Option<FileChange> {
        self.file.as_deref()?.change(&self.bytes)
    }

    /// Message if another program wrote to the file since it was opened, other than at its end: data that were read since
    /// may be of both states. Asks the system: not for every frame.
    pub fn overwritten(&self) -> Option<String> {
        (self.change() == Some(FileChange::Written)).then(|| WRITTEN.to_owned())
    }

    /// Message if data that were read may be wrong: the file could no longer be read, or was written to. Asks the system:
    /// not for every frame.
    pub fn doubt(&self) -> Option<String> {
        self.lost_at().map(unreadable_from).or_else(|| self.overwritten())
    }

    /// Parse warning about damage of the packed form.
    pub(super) fn damage_note(&self) -> Option<ImportNote> {
        self.damage.as_ref().map(|damage| ImportNote::new(Severity::DataLost, 1, damage.clone(), None))
    }

    /// Parse warning about a file that is still being written.
    pub(super) fn growth_note(&self) -> Option<ImportNote> {
        let message = format!(
            "the file grew while it was read: only its first {} bytes are shown. Open it again when it is complete",
            Count(self.bytes.len() as u64)
        );
        (self.change() == Some(FileChange::Longer)).then(|| ImportNote::new(Severity::DataLost, 1, message, None))
    }

    /// Offset of the dump in the unpacked file, in bytes.
    pub(super) fn begin(&self) -> u64 {
        self.begin as u64
    }

    /// All bytes of the dump.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(self.begin..).unwrap_or_default()
    }
}

/// True for the beginning of a packed file.
pub(super) fn is_packed(beginning: &[u8]) -> bool {
    Layer::of(beginning).is_some()
}

/// A packing around a dump.
#[derive(Clone, Copy)]
enum Layer {
    Zip,
    Zlib,
    /// Gzip inside another packing; a file of gzip is unpacked in parallel.
    Gzip,
    Archive(archive::Archived),
}

impl Layer {
    /// The outermost packing of a file; `None` if there is none.
    fn of(bytes: &[u8]) -> Option<Self> {
        match form_of(bytes) {
            Some(form) => Some(Self::Archive(form)),
            None if zip::recognises(bytes) => Some(Self::Zip),
            None if zip::is_zlib(bytes) => Some(Self::Zlib),
            None if gzip::recognises(bytes) => Some(Self::Gzip),
            None => None,
        }
    }

    /// Name for messages.
    fn name(self) -> &'static str {
        match self {
            Self::Zip => "zip",
            Self::Zlib => "zlib",
            Self::Gzip => "gzip",
            Self::Archive(form) => form.name(),
        }
    }

    /// Unpacks it.
    fn unpack(
        self,
        packed: &[u8],
        write: impl FnMut(&[u8]) -> Result<(), OpenError>,
        task: &Task,
    ) -> Result<Unpacked, OpenError> {
        match self {
            Self::Zip => zip::unpack(packed, write, task),
            Self::Zlib => Ok(zip::unpack_zlib(packed, write, task)?.into()),
            Self::Gzip => Ok(gzip::unpack(packed, write, task)?.into()),
            Self::Archive(form) => archive::unpack(form, packed, write, task),
        }
    }
}

/// Unpacks into `to`; `blame` names its place in errors of writing.
fn unpack(
    packed: &Mapping,
    mut to: BoundedOutput<'_>,
    blame: &dyn Fn(io::Error) -> OpenError,
    task: &Task,
) -> Result<Option<String>, OpenError> {
    let damage = gzip::unpack(packed, |bytes| to.write_all(bytes).map_err(blame), task)?;
    Ok(packed.lost_at().map_or(damage, |at| Some(unreadable_from(at))))
}
