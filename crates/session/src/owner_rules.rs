//! Owner rules of Android: an analysis with only the owning references to views, activities and Compose nodes. It is
//! derived anew at each open and never stored.

use std::sync::Arc;

use super::open_options::OpenOptions;
use heaplens_analysis::android::owners::Owners;
use heaplens_base::{Count, Task};
use heaplens_dump::OpenError;
use heaplens_dump::facts::Facts;
use heaplens_heap::{Analysis, ImportNote, Severity};

/// A dump by the owner rules.
pub(super) struct OwnerTree {
    /// Its facts, without the references that own nothing.
    pub(super) facts: Facts,
    /// Its analysis.
    pub(super) analysis: Arc<Analysis>,
    /// Note that says so.
    pub(super) remark: ImportNote,
}

impl OwnerTree {
    /// Applies the rules to a dump with the names in its file; `None` if it is not of Android.
    pub(super) fn of(
        facts: &Facts,
        analysis: &Analysis,
        options: &OpenOptions,
        task: &Task,
    ) -> Result<Option<Self>, OpenError> {
        if !facts.heap.origin.format.is_android() {
            return Ok(None);
        }
        // The rules name classes by their source names.
        let named = options.mappings.first().map_or_else(|| facts.clone(), |mapping| facts.renamed(mapping));
        let owners = Owners::find(&named.heap, &*named.contents, task)?;
        let excluded = owners.left_out(&named.heap, analysis, task)?;
        let budget = options.storage.budget(None)?;
        let (heap, analysis) = facts.heap.without(analysis, &excluded, &budget, task)?;
        budget.mark_successful();
        let owned = owners.all().len() as u64;
        let message = format!(
            "owner rules: of all references to {} only those of their owners count",
            Count(owned).of("view, activity or Compose node", "views, activities and Compose nodes")
        );
        let remark = ImportNote::new(Severity::Info, owned, message, None);
        let facts = Facts { heap: Arc::new(heap), ..facts.clone() };
        Ok(Some(Self { facts, analysis: Arc::new(analysis), remark }))
    }
}
