//! Everything around the views: menus, tabs of dumps, the list of views, breadcrumbs, status bar, toasts, palette and help.

pub mod banner;
pub mod copy_as;
pub mod crumbs;
pub mod help;
pub mod menu;
pub mod palette;
pub mod removals;
pub mod status;
pub mod system_menu;
pub mod tabs;
pub mod toasts;
pub mod tour;
pub mod verdict;
pub mod verdicts;
pub mod view_list;
