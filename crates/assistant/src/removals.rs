//! The heap of an open dump without some references, about which tools can be asked. One is kept, so that several
//! questions about it need one analysis.

use std::sync::Arc;

use heaplens_analysis::Cut;
use heaplens_analysis::cuts::{CutEffect, Reduction, is_by_id};
use heaplens_analysis::naming::Unresolved;
use heaplens_base::Task;
use heaplens_session::dump::reduced;
use heaplens_sql::resolve_cut;

use crate::answer::ToolError;
use crate::assistant::{Assistant, turn};
use crate::open_dump::{OpenDump, unresolved_error};

/// Maximum number of references of one call.
pub(crate) const MOST: usize = 20;

const NO_REFERENCE: &str =
    "A name means no reference of this dump. Take \"name\" from the \"cut\" of a finding, or write Class.field.";

impl Assistant {
    /// The dump that a client names, or that without the references of `cuts`.
    pub(crate) fn dump_without(&self, name: &str, cuts: &[String], task: &Task) -> Result<Arc<OpenDump>, ToolError> {
        let dump = self.dump(name, task)?;
        check_number(cuts)?;
        self.reduced(&dump, cuts, task, || Ok((cuts_named(&dump, cuts, task)?, Vec::new())))
    }

    /// Two dumps that a client names, or these without the references of `cuts`, which need to be in one of them only.
    pub(crate) fn both_without(
        &self,
        names: [&str; 2],
        cuts: &[String],
        task: &Task,
    ) -> Result<[Arc<OpenDump>; 2], ToolError> {
        let [before, after] = names;
        let dumps = [self.dump(before, task)?, self.dump(after, task)?];
        check_number(cuts)?;
        if cuts.iter().any(|cut| is_by_id(cut)) {
            return Err(ToolError::new("An id names an object of one dump: name references of two by Class.field."));
        }
        for cut in cuts {
            let mut why = None;
            for dump in &dumps {
                why =
                    resolve_cut(dump.source.dump(), cut, task).err().map(|error| unresolved_error(NO_REFERENCE, error));
                if why.is_none() {
                    break;
                }
            }
            why.map_or(Ok(()), Err)?;
        }
        let [before, after] = dumps.map(|dump| {
            self.reduced(&dump, cuts, task, || {
                let (mut resolved, mut missing) = (Vec::new(), Vec::new());
                for cut in cuts {
                    match resolve_cut(dump.source.dump(), cut, task) {
                        Ok(cut) => resolved.push(cut),
                        Err(Unresolved::Cancelled) => return Err(ToolError::Cancelled),
                        Err(_) => missing.push(cut.clone()),
                    }
                }
                Ok((resolved, missing))
            })
        });
        Ok([before?, after?])
    }

    /// The dump without references that `resolve` finds by their names: the one at hand, or a new one.
    fn reduced(
        &self,
        dump: &Arc<OpenDump>,
        names: &[String],
        task: &Task,
        resolve: impl FnOnce() -> Result<(Vec<Cut>, Vec<String>), ToolError>,
    ) -> Result<Arc<OpenDump>, ToolError> {
        if names.is_empty() {
            return Ok(Arc::clone(dump));
        }
        let _one_at_a_time = turn(&self.reducing, task)?;
        if let Some(known) = self.dumps.reduced(&dump.name, names) {
            return Ok(known);
        }
        let (cuts, missing) = resolve()?;
        let namer = dump.namer(task)?;
        let effect = CutEffect::of(namer, cuts, usize::MAX, task)?;
        let reduction = Reduction::new(namer, effect, missing, task)?;
        let after = reduced(dump.source.dump(), reduction, &self.open.storage, task).map_err(|error| match error {
            heaplens_dump::OpenError::Cancelled => ToolError::Cancelled,
            error => ToolError::with("The heap without these references cannot be analyzed.", &error.cause()),
        })?;
        let reduced = Arc::new(dump.with_state(&after));
        self.dumps.put_reduced(&dump.name, names, Arc::clone(&reduced));
        Ok(reduced)
    }
}

/// Refuses more references than one call may name.
pub(crate) fn check_number(cuts: &[String]) -> Result<(), ToolError> {
    match cuts.len() {
        ..=MOST => Ok(()),
        _ => Err(ToolError::new(format!("Name at most {MOST} references in \"cuts\"."))),
    }
}

/// The references of a dump that texts of a client mean.
pub(crate) fn cuts_named(dump: &OpenDump, texts: &[String], task: &Task) -> Result<Vec<Cut>, ToolError> {
    let resolved = texts.iter().map(|text| resolve_cut(dump.source.dump(), text, task));
    resolved.map(|cut| cut.map_err(|why| unresolved_error(NO_REFERENCE, why))).collect()
}
