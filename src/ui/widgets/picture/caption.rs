//! Text about a cell of a chart.

/// Text about a cell.
#[derive(Debug, Clone, Default)]
pub struct Caption {
    /// Kind of object, if the name does not say it.
    pub lead: &'static str,
    /// Prefix of the name, shown only in the tooltip: the package.
    pub before: String,
    /// Name.
    pub name: String,
    /// Label of the object.
    pub label: String,
    /// Size.
    pub size: String,
    /// Share of the whole.
    pub share: String,
    /// Further lines of the tooltip.
    pub more: Vec<String>,
}

impl Caption {
    /// The caption on one line.
    pub fn plain(&self) -> String {
        let name = format!("{}{}{}", self.lead, self.before, self.name);
        let name = if self.label.is_empty() { name } else { format!("{name} {}", self.label) };
        [name.as_str(), &self.size, &self.share].into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

/// Requested detail of a caption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptionDetail {
    /// Available data only.
    Bare,
    /// Data for drawing; missing labels are requested.
    Drawn,
    /// Everything, for the tooltip.
    Long,
}
