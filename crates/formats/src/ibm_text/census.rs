//! First reading of the lines, in parallel: all addresses, names and classes.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::lines::{Line, Lines, Record, line, record_between, references};
use super::names;
use super::trailer::{Comments, Kind, Totals};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{AddressCollector, AddressWorker};

/// Target size of a piece, in bytes.
const PIECE: u64 = 4 << 20;

#[derive(Debug, Clone)]
pub(super) struct RawClass {
    pub(super) address: u64,
    /// Its first two references: one is to its loader, if it has one.
    pub(super) first: [u64; 2],
}

/// Objects of one name.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NameCount {
    pub(super) objects: u64,
    pub(super) bytes: u64,
}

/// Counts from reading one piece, or all of them.
#[derive(Debug, Default)]
pub(super) struct Tally<'a> {
    /// By name, including the keyword before it.
    pub(super) names: FxHashMap<&'a [u8], NameCount>,
    /// By name, in the order of the file.
    pub(super) classes: Vec<(&'a [u8], RawClass)>,
    pub(super) totals: Totals,
    pub(super) comments: Comments,
    /// Number of unrecognized lines, and offset of the first.
    pub(super) bad: (u64, Option<u64>),
    /// True if an address has, or has digits for, more than 32 bits.
    pub(super) is_wide: bool,
}

impl Tally<'_> {
    fn join(mut self, mut next: Self) -> Self {
        next.names.drain().for_each(|(name, count)| {
            let all = self.names.entry(name).or_default();
            all.objects += count.objects;
            all.bytes = all.bytes.saturating_add(count.bytes);
        });
        self.classes.append(&mut next.classes);
        let totals = next.totals;
        self.totals.kinds.iter_mut().zip(totals.kinds).for_each(|(mine, theirs)| *mine += theirs);
        self.totals.references += totals.references;
        self.totals.nulls += totals.nulls;
        self.comments.join(next.comments);
        self.bad = (self.bad.0 + next.bad.0, self.bad.1.or(next.bad.1));
        self.is_wide |= next.is_wide;
        self
    }
}

/// Divides a file into pieces that begin with a record, except for the first. A record may be longer than a piece.
pub(super) fn pieces(file: &[u8], task: &Task) -> Result<Vec<(u64, u64)>, Cancelled> {
    let bytes = file.len() as u64;
    let cuts = (1..bytes.div_ceil(PIECE)).into_par_iter().map(|at| {
        task.checkpoint()?;
        // Not past the next cut: otherwise, searching from each cut to the end of one long record would take quadratic
        // time.
        Ok(record_between(file, at * PIECE, (at + 1) * PIECE))
    });
    let cuts: Vec<Option<u64>> = cuts.collect::<Result<_, Cancelled>>()?;
    let begins: Vec<u64> = std::iter::once(0).chain(cuts.into_iter().flatten()).filter(|&at| at < bytes).collect();
    let ends = begins.iter().skip(1).copied().chain([bytes]).collect::<Vec<_>>();
    Ok(begins.into_iter().zip(ends).collect())
}

/// Reads all pieces. Progress counts bytes.
pub(super) fn count<'a>(
    file: &'a [u8],
    pieces: &[(u64, u64)],
    addresses: &AddressCollector,
    task: &Task,
) -> Result<Tally<'a>, Cancelled> {
    let counted =
        pieces.par_iter().with_max_len(1).map(|&piece| Counter::default().piece(file, piece, addresses.worker(), task));
    let counted: Vec<Tally<'_>> = counted.collect::<Result<_, Cancelled>>()?;
    Ok(counted.into_iter().fold(Tally::default(), Tally::join))
}

#[derive(Default)]
struct Counter<'a> {
    tally: Tally<'a>,
    /// Cache: last name, since objects come in runs of one name.
    name: &'a [u8],
    kind: Option<Kind>,
    run: NameCount,
    /// Kinds by name, since determining the kind requires parsing the name.
    kinds: FxHashMap<&'a [u8], Kind>,
    /// Number of references of the current class seen so far.
    seen: Option<usize>,
}

impl<'a> Counter<'a> {
    fn piece(
        mut self,
        file: &'a [u8],
        (begin, end): (u64, u64),
        mut addresses: AddressWorker<'_>,
        task: &Task,
    ) -> Result<Tally<'a>, Cancelled> {
        let mut lines = Lines::new(file, begin, end);
        while let Some((offset, bytes)) = lines.next_checked(task)? {
            match line(bytes) {
                Line::Record(record) => {
                    addresses.insert(record.address);
                    self.record(&record);
                    self.references(record.references);
                }
                Line::References(list) => self.references(list),
                Line::Comment(comment) => self.tally.comments.see(comment, offset),
                Line::Blank => {}
                Line::Bad => {
                    self.tally.bad.0 += 1;
                    self.tally.bad.1.get_or_insert(offset);
                }
            }
        }
        self.end_run();
        task.advance_checked(end - begin)?;
        Ok(self.tally)
    }

    fn record(&mut self, record: &Record<'a>) {
        self.tally.is_wide |= record.digits > 8;
        if record.name != self.name || self.kind.is_none() {
            self.end_run();
            self.name = record.name;
            self.kind = Some(*self.kinds.entry(record.name).or_insert_with(|| names::read(record.name).0));
        }
        self.run.objects += 1;
        self.run.bytes = self.run.bytes.saturating_add(record.size);
        self.seen = None;
        if self.kind == Some(Kind::Class) {
            self.tally.classes.push((record.name, RawClass { address: record.address, first: [0; 2] }));
            self.seen = Some(0);
        }
    }

    #[inline]
    fn references(&mut self, list: &[u8]) {
        for to in references(list) {
            self.tally.totals.references += 1;
            self.tally.totals.nulls += u64::from(to == 0);
            if let Some(seen) = &mut self.seen {
                let class = self.tally.classes.last_mut();
                match class.and_then(|(_, class)| class.first.get_mut(*seen)) {
                    Some(first) => {
                        *first = to;
                        *seen += 1;
                    }
                    None => self.seen = None,
                }
            }
        }
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        let Some(kind) = self.kind.filter(|_| run.objects > 0) else { return };
        let all = self.tally.names.entry(self.name).or_default();
        all.objects += run.objects;
        all.bytes = all.bytes.saturating_add(run.bytes);
        if let Some(of_kind) = self.tally.totals.kinds.get_mut(kind as usize) {
            *of_kind += run.objects;
        }
    }
}
