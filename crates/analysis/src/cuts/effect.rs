//! Effect of a set of cuts with the names of the cuts, as listed by the window and printed by the command line.

use std::sync::Arc;

use super::cut::Cut;
use super::freed::FreedObjects;
use super::what_if::{CutResult, WhatIf, what_if_with_objects};
use crate::naming::Namer;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ExcludedReferences;

/// Effect of a set of cuts, with names as [`Namer::resolve_cut`] reads them.
#[derive(Debug, Clone)]
pub struct CutEffect {
    /// The cuts.
    pub cuts: Vec<Cut>,
    /// Names of the first cuts.
    pub names: Vec<String>,
    /// What all of them free together.
    pub what: WhatIf,
    /// The objects that they free.
    pub freed: FreedObjects,
    /// The references that they cut.
    pub excluded: Arc<ExcludedReferences>,
    /// Names of the cuts that [`WhatIf::other_holders`] proposes.
    pub holder_names: Vec<String>,
}

impl CutEffect {
    /// Computes the effect of all `cuts` together, and the names of the first `named` cuts.
    pub fn of(namer: Namer<'_>, cuts: Vec<Cut>, named: usize, task: &Task) -> Result<Self, Cancelled> {
        let CutResult { what, freed, excluded } = what_if_with_objects(namer.dump, &cuts, task)?;
        let names = cuts.iter().take(named).map(|cut| namer.cut_name(cut, task)).collect::<Result<_, _>>()?;
        let holder_names =
            what.other_holders.iter().map(|holder| namer.cut_name(&holder.cut, task)).collect::<Result<_, _>>()?;
        Ok(Self { cuts, names, what, freed, excluded: Arc::new(excluded), holder_names })
    }
}
