//! Leaks of a fleet as a treemap: programs, owners, leaks. The colour is the version in which a leak was first seen.

use std::collections::BTreeMap;

use eframe::egui;
use egui::Ui;

use crate::ui::theme::tokens::HUES;
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::picture::{Caption, Node, Picture, State};
use crate::ui::widgets::toolbar;
use crate::view::chart::Kind;
use heaplens_base::Count;
use heaplens_fleet::{FleetLeak, FleetTable};
use heaplens_heap::split_class;

/// The chart.
#[derive(Default)]
pub(super) struct LeakMap {
    nodes: Vec<Node>,
    cells: Vec<Cell>,
    /// Versions of all programs, in order: each has a colour.
    versions: Vec<String>,
    /// Leaks that the cells are of.
    of: Vec<u32>,
    version: u64,
    chosen: Option<usize>,
    state: State,
}

/// What a cell is.
enum Cell {
    /// All leaks.
    All,
    /// A program, or an owner: its name.
    Group(String),
    /// The leak at a place.
    Leak(usize),
}

impl LeakMap {
    /// Draws the chart of some leaks; returns the place of a leak whose dumps are asked for.
    pub(super) fn ui(&mut self, ui: &mut Ui, table: &FleetTable, shown: &[u32]) -> Option<usize> {
        if self.of != shown || self.nodes.is_empty() {
            self.build(table, shown);
        }
        let t = tokens(ui);
        toolbar::tools(ui, |ui| {
            ui.label(egui::RichText::new("First seen in").font(fonts::small()).color(t.muted));
            for (index, version) in self.versions.iter().enumerate() {
                ui.add_space(8.0);
                let (mark, _) = ui.allocate_exact_size(egui::vec2(10.0, 10.0), egui::Sense::HOVER);
                ui.painter().rect_filled(mark, 2.0, t.hues[index % HUES].fill);
                ui.label(egui::RichText::new(version).font(fonts::small()).color(t.text));
            }
        });
        let canvas = ui.available_rect_before_wrap().shrink(8.0);
        ui.advance_cursor_after_rect(canvas);
        let (cells, versions) = (&self.cells, &self.versions);
        let hue = |cell: usize| match cells.get(cell) {
            Some(Cell::Leak(leak)) => {
                let first = &*table.leaks[*leak].versions.0;
                let index = versions.iter().position(|version| version == first).unwrap_or(0);
                t.hues[index % HUES]
            }
            _ => t.rest,
        };
        let picture = Picture {
            name: "Leaks by owner",
            kind: Kind::Treemap,
            nodes: &self.nodes,
            version: self.version,
            hue: &hue,
            hatched: &|_| false,
            chosen: self.chosen,
        };
        let nodes = &self.nodes;
        let output = picture.ui(ui, canvas, &mut self.state, &mut |cell, _| caption(table, cells, nodes, cell));
        self.chosen = output.clicked.or(self.chosen);
        match self.cells.get(output.activated?)? {
            Cell::Leak(leak) => Some(*leak),
            _ => None,
        }
    }

    /// Cells of the leaks: each level after the one above.
    fn build(&mut self, table: &FleetTable, shown: &[u32]) {
        let apps = groups(shown.iter().map(|&index| index as usize), table, |leak| &leak.app);
        let mut order = vec![(0, 0, apps.iter().map(|app| app.weight).sum(), Cell::All)];
        order.extend(apps.iter().map(|app| (0, 1, app.weight, Cell::Group(app.name.clone()))));
        let mut owners = Vec::new();
        for (index, app) in apps.iter().enumerate() {
            for group in groups(app.leaks.iter().copied(), table, |leak| owner(&leak.name)) {
                order.push((1 + index as u32, 2, group.weight, Cell::Group(group.name.clone())));
                owners.push(group);
            }
        }
        let first_owner = 1 + apps.len() as u32;
        for (owner, group) in owners.iter().enumerate() {
            for &leak in &group.leaks {
                order.push((first_owner + owner as u32, 3, table.leaks[leak].total.0, Cell::Leak(leak)));
            }
        }
        self.nodes =
            order.iter().map(|&(above, depth, weight, _)| Node { above, below: 0..0, weight, depth }).collect();
        for at in 1..order.len() as u32 {
            let below = &mut self.nodes[order[at as usize].0 as usize].below;
            *below = if below.end == 0 { at..at + 1 } else { below.start..at + 1 };
        }
        self.cells = order.into_iter().map(|(.., cell)| cell).collect();
        let mut versions: Vec<(String, String)> = table
            .fleet
            .dumps
            .iter()
            .filter_map(|dump| Some((dump.version_order.as_deref()?.to_owned(), dump.version.as_deref()?.to_owned())))
            .collect();
        versions.sort_unstable();
        versions.dedup();
        self.versions = versions.into_iter().map(|(_, version)| version).collect();
        self.of = shown.to_vec();
        (self.version, self.chosen) = (self.version + 1, None);
    }
}

/// Leaks with one name: the heaviest first, as the leaks in it.
struct Group {
    name: String,
    weight: u64,
    leaks: Vec<usize>,
}

/// Groups leaks by a name.
fn groups(
    leaks: impl Iterator<Item = usize>,
    table: &FleetTable,
    name: impl for<'a> Fn(&'a FleetLeak) -> &'a str,
) -> Vec<Group> {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    leaks.for_each(|leak| by_name.entry(name(&table.leaks[leak])).or_default().push(leak));
    let weight = |leak: &usize| table.leaks[*leak].total.0;
    let group = |(name, mut leaks): (&str, Vec<usize>)| {
        leaks.sort_by_key(|leak| std::cmp::Reverse(weight(leak)));
        Group { name: name.to_owned(), weight: leaks.iter().map(weight).sum(), leaks }
    };
    let mut groups: Vec<Group> = by_name.into_iter().map(group).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.weight));
    groups
}

/// Class that owns a leak: its name without the field, unless the name has other parts.
fn owner(name: &str) -> &str {
    let is_field = !name.contains([' ', '"', '<', '[']);
    name.rsplit_once('.').filter(|_| is_field).map_or(name, |(class, _)| class)
}

fn caption(table: &FleetTable, cells: &[Cell], nodes: &[Node], cell: usize) -> Caption {
    let size = nodes.get(cell).map_or(0, |node| node.weight);
    let total = nodes.first().map_or(0, |node| node.weight);
    let share = heaplens_base::Share { part: size, total };
    let of = Caption { size: heaplens_base::Bytes(size).to_string(), share: share.to_string(), ..Caption::default() };
    match cells.get(cell) {
        Some(Cell::Leak(leak)) => {
            let leak = &table.leaks[*leak];
            let field = leak.name.rsplit('.').next().unwrap_or(&leak.name);
            let dumps = Count(leak.dumps.part).of("dump", "dumps");
            let versions = format!("{dumps}, {} to {}", leak.versions.0, leak.versions.1);
            let class = format!("Accumulates {}", split_class(&leak.class).1);
            let before = leak.name.strip_suffix(field).unwrap_or_default().to_owned();
            let more = vec![versions, class];
            Caption { before, name: field.to_owned(), more, ..of }
        }
        Some(Cell::Group(name)) => {
            let (package, class) = split_class(name);
            Caption { before: package.to_owned(), name: class.to_owned(), ..of }
        }
        _ => Caption { name: "All leaks".to_owned(), ..of },
    }
}
