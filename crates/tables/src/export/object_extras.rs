//! Properties of an object besides its fields: role of Android objects, and allocation site.

use serde::Serialize;

use super::parts::Figures;
use heaplens_analysis::ObjectDetails;
use heaplens_heap::{Heap, ObjectId};

/// Role of an Android binder.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct Binder {
    pub role: &'static str,
    pub interface: String,
}

/// Part of a JSON object; missing properties are omitted.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names say it; the command line's manual explains them")]
pub struct ObjectExtras {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binder: Option<Binder>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overhead_of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dex_location: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Position in the script, if `source` is that in the source of a bundle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generated: Option<String>,
    /// Ownership data, on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ownership: Option<Figures>,
    /// Allocation stack trace, innermost frame first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allocated: Vec<String>,
}

impl ObjectExtras {
    /// Reads the properties of an object.
    pub fn new(heap: &Heap, details: &ObjectDetails, ownership: Option<Figures>) -> Self {
        let android = &details.android;
        let binder = android.binder.as_ref();
        Self {
            binder: binder.map(|(role, interface)| Binder { role: role.name(), interface: interface.clone() }),
            overhead_of: android.overhead_of.map(|class| heap.id_text(class)),
            dex_location: android.dex_location.clone(),
            source: details.located.clone(),
            generated: details.generated.clone(),
            ownership,
            allocated: details.allocated.clone(),
        }
    }
}

/// The properties except the allocation site, as heading and text.
pub fn lines(heap: &Heap, details: &ObjectDetails) -> Vec<(&'static str, String)> {
    let android = &details.android;
    let binder = android.binder.as_ref().map(|(role, interface)| {
        let interface = if interface.is_empty() { "unnamed" } else { interface };
        ("Binder", format!("{} {interface}", role.name()))
    });
    let named = |class: ObjectId| heap.classes.of_object(class).map(|class| heap.classes.get(class).name.to_string());
    let overhead = android.overhead_of.map(|class| ("Method table of", named(class).unwrap_or_default()));
    let location = android.dex_location.clone().map(|location| ("Dex file", location));
    let source = details.located.clone().map(|located| ("Source", located));
    [binder, overhead, location, source].into_iter().flatten().collect()
}
