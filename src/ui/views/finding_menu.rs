//! Context menu of a finding, the same in the overview and in Leaks. It refers to the object in the title of the
//! finding.

use crate::ui::widgets::object_menu::Item;
use crate::ui::{Command, DumpKey, Verb, View};
use heaplens_analysis::LeakFinding;
use heaplens_heap::{Heap, split_class};
use heaplens_session::VerdictTargets;

/// View that shows a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingView {
    /// In the overview, where no object is selected: the view itself cuts and copies the path.
    Overview,
    /// In Leaks, where the right click has selected the finding and the object it names.
    Leaks,
}

/// Entries for a finding of the dump `dump`.
pub fn items(dump: DumpKey, heap: &Heap, finding: &LeakFinding, shown_in: FindingView) -> Vec<Item> {
    let object = finding.named_object;
    let about = |verb| Item::of_object(verb, dump, object);
    let in_view = |verb| if shown_in == FindingView::Leaks { Item::of_selection(verb) } else { Item::of_view(verb) };
    let of_finding = |verb| Item::new(verb, Command::on_finding(verb, dump, finding));
    let mut items = Vec::new();
    if shown_in == FindingView::Overview {
        items.push(of_finding(Verb::Show(View::Leaks)).called("Show in Leaks"));
    }
    items.push(about(Verb::ShowInTree));
    let accumulated = finding.accumulated.as_ref().and_then(|accumulated| heap.classes.named(&accumulated.class));
    if let Some(class) = accumulated {
        let name = split_class(&heap.classes.get(class).name).1;
        let objects = Item::new(Verb::ObjectsOfClass, Command::on_class(Verb::ObjectsOfClass, dump, class));
        items.push(objects.called(format!("Objects of {name}")));
    }
    items.extend([Verb::Incoming, Verb::Outgoing].map(about));
    items.push(about(Verb::Star).below_line());
    let verdict = Command::SetVerdict(Box::new(VerdictTargets::finding(finding, None)));
    items.push(Item::new(Verb::Verdict, verdict));
    if !finding.cut.is_empty() {
        let name = if finding.cut.len() == 1 && finding.unlisted == 0 {
            "Remove reference (what if)"
        } else {
            "Remove all references (what if)"
        };
        items.push(in_view(Verb::CutReference).called(name));
    }
    items.push(Item::of_selection(Verb::CopyRows).called("Copy finding").below_line());
    if finding.path.is_some() {
        items.push(in_view(Verb::CopyPath));
    }
    items.extend([Verb::CopyAs, Verb::CopyCommand].map(Item::of_selection));
    items.push(about(Verb::CopyId));
    items.push(of_finding(Verb::CopyLink));
    items
}
