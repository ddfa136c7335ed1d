//! The tour: opens its dump, and shows the view of each step.

use eframe::egui::Context;

use super::App;
use crate::ui::DumpKey;
use crate::ui::location::NamedLocation;
use crate::ui::shell::tour::Tour;
use heaplens_base::storage::Folder;
use heaplens_session::tour_dump::tour_dump_in;

impl App {
    /// Opens the dump of the tour at the first step.
    pub(super) fn begin_tour(&mut self, ctx: &Context) {
        let folder = self.options.storage.folder.clone().or_else(Folder::of_platform);
        match tour_dump_in(&folder.map_or_else(std::env::temp_dir, |folder| folder.path)) {
            Ok(path) => {
                self.open(&path);
                let tour = Tour::begin();
                if let Some(tab) = self.tab_now_mut() {
                    tab.awaited = Some(NamedLocation { view: Some(tour.view()), object: None, class: None });
                    self.navigation.tour = self.navigation.dump().map(|dump| (tour, dump));
                }
            }
            Err(why) => self.toasts.warn(ctx, format!("Cannot write the dump of the tour: {why}")),
        }
    }

    /// Goes to another step, in the tab of the tour; ends it if that is closed.
    pub(super) fn step_tour(&mut self, by: isize) {
        let Some((tour, dump)) = self.navigation.tour else { return };
        self.navigation.tour = tour.moved(by).filter(|_| self.tabs.get(dump).is_some()).map(|tour| (tour, dump));
        if let Some((tour, dump)) = self.navigation.tour {
            if self.navigation.dump() != Some(dump) {
                self.navigation.show_tab(&self.tabs, dump);
            }
            self.navigation.switch_to(&mut self.tabs, tour.view());
        }
    }

    /// The tour, while its tab is shown.
    pub(super) fn tour_on_screen(&self, shown: Option<DumpKey>) -> Option<Tour> {
        self.navigation.tour.filter(|(_, dump)| shown == Some(*dump)).map(|(tour, _)| tour)
    }
}
