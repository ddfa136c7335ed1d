//! Actions for screenshots and tests. Those that resolve a name block.

use std::path::Path;

use super::App;
use crate::ui::View;
use crate::ui::tab::Tab;
use crate::view::chart::Mode;
use heaplens_analysis::naming::Unresolved;
use heaplens_base::Task;

impl App {
    /// Exports the next table to this file without a dialog.
    pub fn export_to(&mut self, path: &Path) {
        self.output.exporting.write_to(path);
    }

    /// Shows a view of the dump of the first tab; the history gets no entry.
    pub fn show(&mut self, view: View) {
        self.navigation.replace_view(&mut self.tabs, view);
    }

    /// Shows the rows of the view as a table or a chart, if it has both.
    pub fn show_as(&mut self, mode: Mode) {
        if let Some(location) = self.navigation.now()
            && let Some(shown) = self.picture_mode(location.view)
        {
            *shown = mode;
        }
    }

    /// Display mode of a view of the current dump, if it has several.
    pub fn picture_mode(&mut self, view: View) -> Option<&mut Mode> {
        self.tab_now_mut()?.views.picture_mode(view)
    }

    /// Opens the palette with `text` typed.
    pub fn open_palette(&mut self, text: &str) {
        self.navigation.palette.open_with(text);
    }

    /// Goes to the object with the id or name `text`. Blocks until it is resolved: for screenshots, not for frames.
    pub fn go_to_object(&mut self, text: &str) -> Result<(), String> {
        let location = self.navigation.now().ok_or("no dump is open")?;
        let dump = self.tabs.get(location.dump).and_then(Tab::open_dump).ok_or("the dump is not open")?;
        let named = || {
            let task = Task::new();
            dump.namer(&task).map_err(Unresolved::from)?.resolve(text, &task)
        };
        let object = dump.heap.find(text).map_or_else(named, Ok).map_err(|unresolved| unresolved.to_string())?;
        let class = Some(dump.heap.class_id(object));
        self.navigation.history.go(location.with(class, Some(object)));
        Ok(())
    }

    /// Searches the path between two objects given by ids or names. Blocks.
    pub fn show_route(&mut self, from: &str, to: &str) -> Result<(), String> {
        for (text, is_end) in [(from, false), (to, true)] {
            self.go_to_object(text)?;
            let location = self.navigation.now().ok_or("no dump is open")?;
            let tab = self.tabs.get_mut(location.dump).ok_or("no dump is open")?;
            let object = location.object.ok_or("no object is selected")?;
            if is_end { tab.views.route.end(object) } else { tab.views.route.begin(object) }
        }
        self.show(View::Route);
        Ok(())
    }

    /// Shows the heap after the removals.
    pub fn show_heap_after(&mut self) {
        self.show_after(self.navigation.dump(), true);
    }

    /// Cuts the reference named by `text`. Blocks until it is resolved: for screenshots, not for frames.
    pub fn cut_named(&mut self, text: &str) -> Result<(), String> {
        let tab = self.tab_now().ok_or("no dump is open")?;
        let dump = tab.open_dump().ok_or("the dump is not open")?;
        let task = Task::new();
        let cut = heaplens_sql::resolve_cut(&dump.dump, text, &task);
        let cut = cut.map_err(|unresolved| unresolved.to_string())?;
        self.change_cuts(self.navigation.dump(), |cuts, dump, jobs| cuts.toggle_all(vec![cut], dump, jobs));
        Ok(())
    }
}
