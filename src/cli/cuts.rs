//! `--cut` and `--fix`: the heap of a dump without some references, which every command that answers questions about it asks
//! instead.

use std::path::Path;

use super::args::AnalysisArguments;
use super::failure::Failure;
use super::names::Names;
use super::open_failure::open_failure;
use super::progress::ProgressLine;
use heaplens_analysis::Cut;
use heaplens_analysis::cuts::{CutEffect, Reduction, is_by_id};
use heaplens_analysis::naming::Unresolved;
use heaplens_base::{Cancelled, Progress, Task};
use heaplens_dump::Dump;
use heaplens_session::cuts::{Fix, without_texts};
use heaplens_session::files::file_name;
use heaplens_session::{OpenOptions, dump::reduced, marks};
use heaplens_sql::resolve_cut;

/// The removals of a command, which apply to each of its dumps.
pub(super) struct Removals<'a> {
    /// Names of references, as given: first those of `--cut`, then those of the fix.
    names: Vec<&'a str>,
    /// Number of those of `--cut`, of which each must mean something.
    required: usize,
    fix: Option<&'a Fix>,
    /// Indices of the names of the fix, of which at least one must mean something.
    of_fix: Vec<usize>,
    /// Number of dumps of the command.
    dumps: usize,
    /// Why a name means nothing, by name; `None` once it means something in one dump.
    unresolved: Vec<Option<Failure>>,
    /// Number of dumps so far.
    opened: usize,
}

impl<'a> Removals<'a> {
    /// The removals of a command that opens so many dumps.
    ///
    /// # Errors
    /// If an id is given for several dumps: it names an object of one dump. If the fix has no removal.
    pub(super) fn new(arguments: &'a AnalysisArguments, dumps: usize) -> Result<Self, Failure> {
        let mut names: Vec<&str> = arguments.cut.cuts.iter().map(String::as_str).collect();
        if let Some(id) = names.iter().find(|name| is_by_id(name)).filter(|_| dumps > 1) {
            let why = "an id names an object of one dump; name the reference, such as Class.field";
            return Err(Failure::Usage(format!("--cut {id}: {why}")));
        }
        let required = names.len();
        let fix = arguments.cut.fix.as_ref().map(|(file, fix)| (file, &**fix));
        let mut of_fix = Vec::new();
        for name in fix.iter().flat_map(|(_, fix)| fix.active()) {
            let known = names.iter().position(|known| *known == name);
            of_fix.push(known.unwrap_or(names.len()));
            if known.is_none() {
                names.push(name);
            }
        }
        if let Some((file, _)) = fix.filter(|_| of_fix.is_empty()) {
            return Err(Failure::Unusable(format!("--fix {}: no removal that is on", file.display())));
        }
        let fix = fix.map(|(_, fix)| fix);
        Ok(Self { names, required, fix, of_fix, dumps, unresolved: Vec::new(), opened: 0 })
    }

    /// The dump without the references; `None` if nothing is to be removed. Adds to the progress of opening it.
    ///
    /// # Errors
    /// If a name means nothing in any of the dumps, or the analysis fails.
    pub(super) fn apply(
        &mut self,
        dump: &Dump,
        file: &Path,
        options: &OpenOptions,
        progress: &mut Progress,
    ) -> Result<Option<Dump>, Failure> {
        if self.names.is_empty() {
            return Ok(None);
        }
        let task = Task::new();
        let _line = ProgressLine::show(&task);
        let (cuts, mut missing) = self.resolved(dump, file, &task)?;
        if options.redact {
            missing.iter_mut().for_each(|name| *name = without_texts(name));
        }
        let names = Names::of(dump)?;
        let effect = CutEffect::of(names.namer(), cuts, usize::MAX, &task)?;
        let mut reduction = Reduction::new(names.namer(), effect, missing, &task)?;
        reduction.dump = (self.dumps > 1).then(|| file_name(file));
        reduction.fix = self.fix.map(|fix| fix.name.clone());
        let reduced = reduced(dump, reduction, &options.storage, &task).map_err(|error| open_failure(&error, file))?;
        task.finish();
        let more = task.progress();
        progress.elapsed += more.elapsed;
        progress.finished.extend(more.finished);
        Ok(Some(reduced))
    }

    /// The references that the names mean in a dump, and the names that mean nothing there but something in another, or in
    /// the dump that the fix was made on.
    fn resolved(&mut self, dump: &Dump, file: &Path, task: &Task) -> Result<(Vec<Cut>, Vec<String>), Failure> {
        self.opened += 1;
        let identity = marks::identity(dump.data());
        let (mut cuts, mut missing) = (Vec::new(), Vec::new());
        self.unresolved.resize_with(self.names.len(), || Some(Failure::Interrupted));
        for (at, (&name, unresolved)) in self.names.iter().zip(&mut self.unresolved).enumerate() {
            let (option, fix) = if at < self.required { ("--cut", None) } else { ("--fix", self.fix) };
            let cut = match fix.filter(|fix| fix.is_id_of_other(name, &identity)) {
                Some(_) => {
                    Err(Failure::Unusable(format!("{}: {option} {name}: an id of another dump", file.display())))
                }
                None => resolved(dump, file, option, name, task),
            };
            match cut {
                Ok(cut) => {
                    cuts.push(cut);
                    *unresolved = None;
                }
                Err(why @ Failure::Unusable(_)) => {
                    missing.push(name.to_owned());
                    if unresolved.is_some() {
                        *unresolved = Some(why);
                    }
                }
                Err(why) => return Err(why),
            }
        }
        if self.opened == self.dumps
            && let Some(why) = self.failure()
        {
            return Err(why);
        }
        Ok((cuts, missing))
    }

    /// Why the names mean too little: one of `--cut` nothing in any dump, or none of the fix anything.
    fn failure(&mut self) -> Option<Failure> {
        let required = self.unresolved.iter().take(self.required).position(Option::is_some);
        let is_in_none = self.of_fix.iter().all(|&at| self.unresolved[at].is_some());
        let wrong = required.or_else(|| self.of_fix.first().copied().filter(|_| is_in_none))?;
        self.unresolved[wrong].take()
    }
}

/// References that the texts of an option mean.
pub(super) fn cuts_named(dump: &Dump, file: &Path, option: &str, texts: &[String]) -> Result<Vec<Cut>, Failure> {
    texts.iter().map(|text| resolved(dump, file, option, text, &Task::new())).collect()
}

fn resolved(dump: &Dump, file: &Path, option: &str, text: &str, task: &Task) -> Result<Cut, Failure> {
    resolve_cut(dump, text, task).map_err(|unresolved| match unresolved {
        Unresolved::Cancelled => Cancelled.into(),
        why => Failure::Unusable(format!("{}: {option} {text}: {why}", file.display())),
    })
}
