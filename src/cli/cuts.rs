//! `--cut`: the heap of a dump without some references, which every command that answers questions about it asks instead.

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
use heaplens_session::files::file_name;
use heaplens_session::{OpenOptions, dump::reduced};
use heaplens_sql::resolve_cut;

/// The removals of a command, which apply to each of its dumps.
pub(super) struct Removals<'a> {
    /// Names of references, as given.
    names: &'a [String],
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
    /// If an id is given for several dumps: it names an object of one dump.
    pub(super) fn new(arguments: &'a AnalysisArguments, dumps: usize) -> Result<Self, Failure> {
        let names = &arguments.cut.cuts;
        if let Some(id) = names.iter().find(|name| is_by_id(name)).filter(|_| dumps > 1) {
            let why = "an id names an object of one dump; name the reference, such as Class.field";
            return Err(Failure::Usage(format!("--cut {id}: {why}")));
        }
        Ok(Self { names, dumps, unresolved: Vec::new(), opened: 0 })
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
        let (cuts, missing) = self.resolved(dump, file, &task)?;
        let names = Names::of(dump)?;
        let effect = CutEffect::of(names.namer(), cuts, usize::MAX, &task)?;
        let mut reduction = Reduction::new(names.namer(), effect, missing, &task)?;
        reduction.dump = (self.dumps > 1).then(|| file_name(file));
        let reduced = reduced(dump, reduction, &options.storage, &task).map_err(|error| open_failure(&error, file))?;
        task.finish();
        let more = task.progress();
        progress.elapsed += more.elapsed;
        progress.finished.extend(more.finished);
        Ok(Some(reduced))
    }

    /// The references that the names mean in a dump, and the names that mean nothing there but something in another.
    fn resolved(&mut self, dump: &Dump, file: &Path, task: &Task) -> Result<(Vec<Cut>, Vec<String>), Failure> {
        self.opened += 1;
        let (mut cuts, mut missing) = (Vec::new(), Vec::new());
        self.unresolved.resize_with(self.names.len(), || Some(Failure::Interrupted));
        for (name, unresolved) in self.names.iter().zip(&mut self.unresolved) {
            match resolved(dump, file, "--cut", name, task) {
                Ok(cut) => {
                    cuts.push(cut);
                    *unresolved = None;
                }
                Err(why @ Failure::Unusable(_)) => {
                    missing.push(name.clone());
                    if unresolved.is_some() {
                        *unresolved = Some(why);
                    }
                }
                Err(why) => return Err(why),
            }
        }
        if self.opened == self.dumps
            && let Some(why) = self.unresolved.iter_mut().find_map(Option::take)
        {
            return Err(why);
        }
        Ok((cuts, missing))
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
