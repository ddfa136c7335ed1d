//! Chart of the rows of a view: its data ([`Source`]), the job that computes its outline, the zoom level, and the
//! effect of clicks.

pub mod chart_pane;
pub mod classes;
mod colour;
pub mod dominators;
mod legend;
pub mod mode;
mod side_by_side;
mod tools;

use eframe::egui::{Rect, Ui, Vec2, pos2, vec2};
use heaplens_tables::RowTarget;

pub use self::colour::ColourBy;
use self::colour::ColourRole;
use self::legend::{ColourTotals, Legend};
use crate::ui::theme::{Icon, sizes, tokens};
use crate::ui::widgets::picture::{Caption, CaptionDetail, Node, Picture as Drawn, State, Step, levels, min_share};
use crate::ui::widgets::waiting;
use crate::ui::{Location, SelectedBy, ViewContext};
use crate::view::chart::Kind;
use heaplens_analysis::outline::{Outline, OutlineLimits, Piece, PieceKind};
use heaplens_base::{Bytes, Count, Share, Task};
use heaplens_heap::{ObjectId, split_class};
use heaplens_session::compared_outline::{BaselineWeight, ComparedOutline};
use heaplens_session::{JobError, OpenDump, Slot};

/// Maximum number of cells; more could not be distinguished.
const CELLS: usize = 2_000;
/// The outline is recomputed when the size of the chart changes by about this many points.
const STEP_OF_SIZE: f32 = 96.0;

/// Data source of a chart.
pub trait Source {
    /// Item of a cell.
    type Item: Copy + Ord + Send + 'static;
    /// Name of the chart for screen readers, unique in the window.
    const NAME: &'static str;
    /// Supported colourings.
    const COLOURS: &'static [ColourBy];

    /// True if the rest of a kind is named after the kind.
    const GROUPS: bool;

    /// The same chart of the baseline, to draw beside that of the target; `None` without one.
    fn of_baseline(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
    /// Item of the other dump of the comparison that an item is matched with.
    fn matched(&self, _dump: &OpenDump, _thing: Self::Item) -> Option<Self::Item> {
        None
    }
    /// True if the removals free an item; `frees` says it of an object.
    fn is_freed(&self, _frees: &dyn Fn(ObjectId) -> bool, _item: Self::Item) -> bool {
        false
    }
    /// Name of the chart on screen for screen readers.
    fn title(&self) -> &'static str {
        Self::NAME
    }
    /// Distinguishes queries with the same root.
    fn variant(&self) -> u8 {
        0
    }
    /// Weight of everything below `root`.
    fn weight(&self, dump: &OpenDump, root: Option<Self::Item>) -> u64;
    /// Function that computes the outline, run in a job.
    fn outline(&self, dump: &OpenDump, root: Option<Self::Item>, cut: OutlineLimits) -> OutlineJob<Self::Item>;
    /// Adds the baseline weights in a comparison, in the same job.
    fn compared(dump: &OpenDump, outline: Outline<Self::Item>, cut: OutlineLimits, task: &Task) -> Answer<Self::Item>;
    /// Function that sums the bytes below `root` by colour, run in a job.
    fn totals(&self, dump: &OpenDump, root: Option<Self::Item>, by: ColourBy) -> TotalsJob;
    /// Name of an item.
    fn name(&self, context: &mut ViewContext<'_>, thing: Self::Item, wanted: CaptionDetail) -> Name;
    /// Additional lines for the tooltip.
    fn more(&self, dump: &OpenDump, thing: Self::Item) -> Vec<String>;
    /// Kind of an item, which determines its colour: a name that is the same in every dump.
    fn kind(&self, dump: &OpenDump, thing: Self::Item, by: ColourBy) -> String;
    /// Command that selects an item.
    fn row_target(&self, dump: &OpenDump, thing: Self::Item) -> Option<RowTarget>;
    /// Command on a double click, if it does not zoom in.
    fn open(&self, _thing: Self::Item) -> Option<RowTarget> {
        None
    }
    /// Command for a cell of objects removed below `above`.
    fn removed_below(&self, _dump: &OpenDump, _above: Self::Item) -> Option<RowTarget> {
        None
    }
    /// True if an item has children, drawn or not.
    fn has_more(&self, dump: &OpenDump, thing: Self::Item) -> bool;
    /// Selected item.
    fn chosen(&self, dump: &OpenDump, location: &Location) -> Option<Self::Item>;
    /// True if an item stands for several objects, which are on its own level of the tree.
    fn is_group(&self, _thing: Self::Item) -> bool {
        false
    }
    /// Reports the objects of a selected group for the status bar and the panes, unless the view has done so.
    /// `version` changes when cells mean other items.
    fn publish(&self, _context: &mut ViewContext<'_>, _thing: Self::Item, _version: usize) {}
    /// True if `thing` is `above` or a descendant of it.
    fn is_inside(&self, dump: &OpenDump, above: Self::Item, thing: Self::Item) -> bool;
    /// Draws further tools beside the colouring.
    fn tools_ui(&mut self, _ui: &mut Ui) {}
}

/// Name of an item.
#[derive(Debug, Clone, Default)]
pub struct Name {
    /// Kind of item, if the name does not show it: `class `.
    pub lead: &'static str,
    /// The package, with its last dot.
    pub before: String,
    /// Name without the package.
    pub name: String,
    /// Label, if known.
    pub label: String,
    /// Names with their packages, for the tooltip, where the name has none.
    pub qualified: Vec<String>,
}

/// An outline with data derived from it.
struct DrawnOutline<T> {
    compared: ComparedOutline<T>,
    nodes: Vec<Node>,
    root: Option<T>,
    paints: Vec<ColourRole>,
    coloured: ColourBy,
    version: u64,
}

/// Computes an outline.
pub type OutlineJob<T> = Box<dyn FnOnce(&Task) -> Result<Outline<T>, JobError> + Send>;

/// Sums bytes by colour.
pub type TotalsJob = Box<dyn FnOnce(&Task) -> Result<ColourTotals, JobError> + Send>;

/// What a legend is about: root, colouring and variant.
type LegendQuery<T> = (Option<T>, ColourBy, u8);

/// An outline with baseline weights.
pub type Answer<T> = Result<ComparedOutline<T>, JobError>;

/// Root of an outline, and the outline.
type RootedOutline<T> = (Option<T>, ComparedOutline<T>);

/// Query of an outline: root, kind, size, variant, and true for a comparison.
type OutlineQuery<T> = (Option<T>, Kind, [i32; 2], u8, bool);

/// The view.
pub struct Picture<S: Source> {
    source: S,
    slot: Slot<RootedOutline<S::Item>>,
    requested: Option<OutlineQuery<S::Item>>,
    shown: Option<DrawnOutline<S::Item>>,
    legend: Slot<Legend>,
    asked_legend: Option<LegendQuery<S::Item>>,
    versions: u64,
    /// Items zoomed into, outermost first; empty for the whole.
    trail: Vec<S::Item>,
    /// Colouring selected by the user, if any.
    colour: Option<ColourBy>,
    state: State,
    /// Selected cell, and the location and answer it was found for.
    cursor: Option<usize>,
    found_for: Option<(Option<S::Item>, u64)>,
    /// True if keys go to the chart, not to the table.
    has_keys: bool,
    /// True if the space was too small to draw.
    has_no_room: bool,
    /// Chart of the baseline, if both are drawn side by side.
    beside: Option<Box<Beside<S>>>,
}

/// Chart of the baseline beside that of the target.
struct Beside<S: Source> {
    picture: Picture<S>,
    /// Zoom paths of target and baseline when they last matched.
    seen: (Vec<S::Item>, Vec<S::Item>),
}

impl<S: Source + Default> Default for Picture<S> {
    fn default() -> Self {
        Self::new(S::default())
    }
}

impl<S: Source> Picture<S> {
    fn new(source: S) -> Self {
        Self {
            source,
            slot: Slot::default(),
            requested: None,
            shown: None,
            legend: Slot::default(),
            asked_legend: None,
            versions: 0,
            trail: Vec::new(),
            colour: None,
            state: State::default(),
            cursor: None,
            found_for: None,
            has_keys: false,
            has_no_room: false,
            beside: None,
        }
    }

    /// Current colouring: the selected one, or the first that the dump supports.
    fn colour(&self, dump: &OpenDump) -> ColourBy {
        let mut known = S::COLOURS.iter().copied().filter(|&by| self.is_offered(by, dump));
        let chosen = self.colour.filter(|&by| self.is_offered(by, dump));
        chosen.or_else(|| known.next()).unwrap_or(ColourBy::Depth)
    }

    /// True if the chart can have a colouring. Side by side, both charts have the same, and growth needs their match.
    fn is_offered(&self, by: ColourBy, dump: &OpenDump) -> bool {
        by.is_known(dump) && (self.beside.is_none() || by != ColourBy::Growth)
    }

    /// True while a job is running or will start with the next frame.
    pub fn is_running(&self) -> bool {
        self.slot.is_at_work()
            || self.legend.is_at_work()
            || self.shown.is_none() && self.slot.error().is_none() && !self.has_no_room
            || self.beside.as_ref().is_some_and(|beside| beside.picture.is_running())
    }

    /// Handles keys: always if only the chart is shown, else if it was clicked last.
    pub fn keys(&mut self, ui: &Ui, context: &mut ViewContext<'_>, alone: bool) {
        let Some(shown) = &self.shown else { return };
        if !alone && !self.has_keys {
            return;
        }
        match self.state.take_keys(ui, &shown.nodes, self.cursor) {
            Some(Step::To(cell)) => self.choose(context, cell, true),
            Some(Step::In(cell)) => self.go_in(context, cell),
            Some(Step::Out) => self.go_out(context),
            Some(Step::Whole) => self.trail.clear(),
            None => {}
        }
    }

    /// Draws toolbar, chart and legend into the available space.
    pub fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, kind: Kind) {
        self.tools_ui(ui, context);
        let area = ui.available_rect_before_wrap();
        ui.advance_cursor_after_rect(area);
        self.look_who_has_keys(ui, area);
        let area = self.beside_ui(ui, context, kind, area);
        self.chart_ui(ui, context, kind, area);
    }

    /// Draws chart and legend into an area.
    fn chart_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, kind: Kind, area: Rect) {
        let legend_height = if area.height() > 150.0 { legend::HEIGHT } else { 0.0 };
        let pad = vec2(sizes::PAD, 0.0);
        let canvas = Rect::from_min_max(area.min + pad, area.max - pad - vec2(0.0, legend_height.max(8.0)));
        self.has_no_room = canvas.width() < 40.0 || canvas.height() < 40.0;
        if self.has_no_room {
            return;
        }
        self.ask(context, kind, canvas.size());
        self.take_in(context);
        if let Some(error) = self.slot.error() {
            return waiting::empty_ui(ui, area, Icon::Warning, "Cannot draw the chart", error);
        }
        if self.slot.is_running() {
            waiting::progress_ui(ui, area, self.slot.progress().as_ref());
        }
        let Some(shown) = &self.shown else { return };
        if shown.nodes.first().is_none_or(|top| top.weight == 0) {
            let hint = "The dump has no GC roots, or none that refers to an object";
            return waiting::empty_ui(ui, canvas, Icon::Search, "No reachable objects", hint);
        }
        let legend =
            Rect::from_min_max(pos2(canvas.left(), canvas.bottom() + 2.0), pos2(canvas.right(), area.bottom()));
        let has_rest = shown.paints.iter().skip(1).any(|&paint| paint == ColourRole::Rest);
        if legend_height > 0.0
            && let Some(totals) = self.legend(context)
        {
            totals.ui(ui, legend, has_rest);
        }
        self.canvas_ui(ui, context, kind, canvas);
    }

    fn canvas_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, kind: Kind, canvas: Rect) {
        let tokens = tokens(ui);
        self.follow(context);
        let Some(shown) = &self.shown else { return };
        let hue = |cell: usize| {
            let hue = shown.paints.get(cell).map_or(tokens.rest, |paint| paint.hue(tokens));
            // A cell of several items looks different from one of a single item.
            let is_rest =
                matches!(shown.compared.outline.pieces.get(cell).map(|p| p.what), Some(PieceKind::Rest(_, Some(_))));
            if is_rest && shown.coloured != ColourBy::Growth { tokens.tint(hue) } else { hue }
        };
        let (cuts, frees) = (context.cuts, context.frees());
        // Merged objects are freed with the object that they are below.
        let is_freed = |cell: usize| {
            let piece = |at: usize| shown.compared.outline.pieces.get(at);
            let own = piece(cell);
            let above = own.and_then(|own| piece(own.above as usize));
            let item = own.into_iter().chain(above).find_map(|piece| piece.what.node());
            item.is_some_and(|item| self.source.is_freed(&frees, item))
        };
        let hatched = |cell: usize| shown.paints.get(cell) == Some(&ColourRole::Gone) || is_freed(cell);
        let drawn = Drawn {
            name: self.source.title(),
            kind,
            nodes: &shown.nodes,
            version: shown.version.wrapping_add(cuts.version() << 32),
            hue: &hue,
            hatched: &hatched,
            chosen: self.cursor,
        };
        let total = self.source.weight(context.dump, None);
        let source = &self.source;
        let output = drawn.ui(ui, canvas, &mut self.state, &mut |cell, wanted| {
            caption(source, context, &shown.compared, cell, total, wanted)
        });
        let selected = self.cursor.and_then(|cell| shown.compared.outline.pieces.get(cell)?.what.node());
        if let Some(selected) = selected {
            self.source.publish(context, selected, shown.version as usize);
        }
        match (output.activated, output.clicked) {
            // Zoom out: the centre of a sunburst or the top of an icicle.
            (Some(0), _) => self.go_out(context),
            (Some(cell), _) => self.go_in(context, cell),
            (None, Some(0)) if kind == Kind::Sunburst => self.go_out(context),
            (None, Some(cell)) => {
                self.has_keys = true;
                self.choose(context, cell, false);
            }
            (None, None) => {}
        }
    }

    /// The part pressed last has the keyboard focus.
    fn look_who_has_keys(&mut self, ui: &Ui, area: Rect) {
        if let Some(pressed) = ui.input(|i| if i.pointer.any_pressed() { i.pointer.interact_pos() } else { None }) {
            self.has_keys = area.contains(pressed);
        }
    }

    fn ask(&mut self, context: &ViewContext<'_>, kind: Kind, size: Vec2) {
        let root = self.trail.last().copied();
        let steps = [size.x, size.y].map(|length| (length / STEP_OF_SIZE).round() as i32);
        let by_growth = self.colour(context.dump) == ColourBy::Growth;
        let question = (root, kind, steps, self.source.variant(), by_growth);
        if self.requested.replace(question) == Some(question) {
            return;
        }
        let total = self.source.weight(context.dump, root);
        let least = (total as f64 * min_share(kind, size)) as u64;
        let cut = OutlineLimits { least, pieces: CELLS, depth: levels(kind, size) };
        let work = self.source.outline(context.dump, root, cut);
        let dump = context.dump.clone();
        self.slot.ask(context.jobs, "picture", move |task| {
            let outline = work(task)?;
            let compared =
                if by_growth { S::compared(&dump, outline, cut, task)? } else { ComparedOutline::alone(outline) };
            Ok((root, compared))
        });
    }

    fn take_in(&mut self, context: &ViewContext<'_>) {
        self.slot.poll();
        if let Some((root, compared)) = self.slot.take() {
            let node = |piece: &Piece<S::Item>| Node {
                above: piece.above,
                below: piece.below.clone(),
                weight: piece.weight,
                depth: piece.depth,
            };
            let nodes = compared.outline.pieces.iter().map(node).collect();
            self.shown = Some(self.coloured(context, compared, nodes, root));
        } else if let Some(shown) = self.shown.take() {
            // Colouring by growth needs another outline, which is being computed.
            let stale = shown.coloured != self.colour(context.dump) && !self.slot.is_running();
            self.shown =
                Some(if stale { self.coloured(context, shown.compared, shown.nodes, shown.root) } else { shown });
        }
    }

    fn coloured(
        &mut self,
        context: &ViewContext<'_>,
        compared: ComparedOutline<S::Item>,
        nodes: Vec<Node>,
        root: Option<S::Item>,
    ) -> DrawnOutline<S::Item> {
        self.versions += 1;
        let (by, dump) = (self.colour(context.dump), context.dump);
        let outline = &compared.outline;
        let kinds: Vec<Option<String>> = match by {
            ColourBy::Depth | ColourBy::Growth => vec![None; outline.pieces.len()],
            _ => outline.pieces.iter().map(|p| Some(self.source.kind(dump, p.what.kind()?, by))).collect(),
        };
        let levels = self.levels(outline);
        let paint = |((piece, kind), &level): ((&Piece<S::Item>, &Option<String>), &u32)| match (piece.what, kind) {
            (PieceKind::Whole, _) | (PieceKind::Rest(..), None) => ColourRole::Rest,
            (_, Some(kind)) => colour::of_name(kind),
            (_, None) => ColourRole::Level(level),
        };
        let paints: Vec<ColourRole> = if by == ColourBy::Growth && !compared.was.is_empty() {
            let change = |(at, &was): (usize, &BaselineWeight)| colour::of_change(was, compared.weight(at));
            compared.was.iter().enumerate().map(change).collect()
        } else {
            outline.pieces.iter().zip(&kinds).zip(&levels).map(paint).collect()
        };
        DrawnOutline { compared, nodes, root, paints, coloured: by, version: self.versions }
    }

    /// Level of each piece below the root, without those of groups: that of the objects in a group is the group's.
    fn levels(&self, outline: &Outline<S::Item>) -> Vec<u32> {
        let mut levels: Vec<u32> = Vec::with_capacity(outline.pieces.len());
        for piece in &outline.pieces {
            // The root is on no level, even if it is a group.
            let above = outline.pieces.get(piece.above as usize).filter(|above| above.depth > 0);
            let is_in_group = above.and_then(|above| above.what.node()).is_some_and(|of| self.source.is_group(of));
            let level = levels.get(piece.above as usize).map_or(0, |above| above + u32::from(!is_in_group));
            levels.push(level);
        }
        levels
    }

    /// Legend of the chart on screen, once its bytes are summed: they are the same in every form of the chart.
    fn legend(&mut self, context: &ViewContext<'_>) -> Option<&Legend> {
        let shown = self.shown.as_ref()?;
        let (root, by) = (shown.root, shown.coloured);
        let question = (root, by, self.source.variant());
        if self.asked_legend.replace(question) != Some(question) {
            self.legend = Slot::default();
            let work = self.source.totals(context.dump, root, by);
            self.legend.ask(context.jobs, "legend", move |task| Ok(Legend::new(work(task)?, by)));
        }
        self.legend.poll();
        self.legend.get()
    }

    /// Moves the cursor to the selected item, or to its nearest visible ancestor.
    fn follow(&mut self, context: &mut ViewContext<'_>) {
        let Some(shown) = &self.shown else { return };
        let chosen = self.source.chosen(context.dump, &context.location);
        let question = Some((chosen, shown.version));
        if std::mem::replace(&mut self.found_for, question) == question {
            return;
        }
        let Some(thing) = chosen else {
            self.cursor = None;
            // Default selection: the largest cell, unless an object is selected that the chart does not have.
            let pieces = shown.compared.outline.pieces.iter().filter(|_| context.location.object.is_none());
            let mut targets = pieces.filter_map(|piece| self.source.row_target(context.dump, piece.what.node()?));
            let object = |target| if let RowTarget::Object(object) = target { Some(object) } else { None };
            context.select_initially(targets.find_map(object));
            return;
        };
        let pieces = &shown.compared.outline.pieces;
        let is_in = |n: u32| {
            let node = pieces.get(n as usize).and_then(|piece| piece.what.node());
            node.is_some_and(|node| self.source.is_inside(context.dump, node, thing))
        };
        let mut at = (shown.root.is_none() || is_in(0)).then_some(0);
        while let Some(next) = at.and_then(|at: usize| pieces[at].below.clone().find(|&n| is_in(n))) {
            at = Some(next as usize);
        }
        self.cursor = at.filter(|&at| at > 0 || shown.root.is_some());
    }

    fn choose(&mut self, context: &mut ViewContext<'_>, cell: usize, by_keys: bool) {
        let Some(shown) = &self.shown else { return };
        self.cursor = Some(cell);
        if !by_keys && let Some(target) = self.of_gone(context, cell) {
            context.open(target);
            return;
        }
        let thing = shown.compared.outline.pieces.get(cell).and_then(|piece| piece.what.node());
        let target = thing.and_then(|thing| self.source.row_target(context.dump, thing));
        // The cell is known and need not be searched for.
        let item = if target.is_some() { thing } else { self.source.chosen(context.dump, &context.location) };
        self.found_for = Some((item, shown.version));
        let by = if by_keys { SelectedBy::Cursor } else { SelectedBy::Click };
        target.into_iter().for_each(|target| context.select_target(target, by));
    }

    /// Target of a cell of removed objects: their dominator in the baseline.
    fn of_gone(&self, context: &ViewContext<'_>, cell: usize) -> Option<RowTarget> {
        let pieces = &self.shown.as_ref()?.compared.outline.pieces;
        let piece = pieces.get(cell).filter(|piece| matches!(piece.what, PieceKind::Gone(_)))?;
        self.source.removed_below(context.dump, pieces.get(piece.above as usize)?.what.node()?)
    }

    /// Zooms into a cell; for the rest of several items, into their parent.
    fn go_in(&mut self, context: &mut ViewContext<'_>, cell: usize) {
        if let Some(target) = self.of_gone(context, cell) {
            context.open(target);
            return;
        }
        let Some(shown) = &self.shown else { return };
        let pieces = &shown.compared.outline.pieces;
        let Some(piece) = pieces.get(cell) else { return };
        let (thing, below) = match piece.what {
            PieceKind::Rest(..) => (pieces[piece.above as usize].what.node(), true),
            what => (what.node(), !piece.below.is_empty() || self.is_cut_off(context, cell)),
        };
        let Some(thing) = thing else { return };
        if let Some(target) = self.source.open(thing) {
            context.open(target);
            return;
        }
        if !below || self.trail.last() == Some(&thing) {
            return;
        }
        // All levels in between can be zoomed out to.
        let mut path = Vec::new();
        let mut at = if matches!(piece.what, PieceKind::Rest(..)) { piece.above } else { cell as u32 };
        while at > 0 {
            path.extend(pieces[at as usize].what.node());
            at = pieces[at as usize].above;
        }
        path.reverse();
        self.trail.extend(path);
        if !matches!(piece.what, PieceKind::Rest(..)) {
            self.choose(context, cell, false);
        }
    }

    /// True if a cell has children that are not drawn.
    fn is_cut_off(&self, context: &ViewContext<'_>, cell: usize) -> bool {
        let piece = self.shown.as_ref().and_then(|shown| shown.compared.outline.pieces.get(cell));
        let thing = piece.and_then(|piece| piece.what.node());
        thing.is_some_and(|thing| self.source.has_more(context.dump, thing))
    }

    fn go_out(&mut self, context: &mut ViewContext<'_>) {
        let left = self.trail.pop();
        let target = left.and_then(|left| self.source.row_target(context.dump, left));
        target.into_iter().for_each(|target| context.select_target(target, SelectedBy::Click));
    }
}

fn caption<S: Source>(
    source: &S,
    context: &mut ViewContext<'_>,
    compared: &ComparedOutline<S::Item>,
    cell: usize,
    total: u64,
    wanted: CaptionDetail,
) -> Caption {
    let Some(piece) = compared.outline.pieces.get(cell) else { return Caption::default() };
    let weight = compared.weight(cell);
    let size = Bytes(weight);
    let mut caption =
        Caption { size: size.to_string(), share: Share { part: weight, total }.to_string(), ..Caption::default() };
    match piece.what {
        PieceKind::Whole => "All".clone_into(&mut caption.name),
        PieceKind::Gone(count) => {
            let ends = if count == 1 { "object" } else { "objects" };
            caption.name = format!("{} {ends} removed", Count(count));
            // It is not part of the target.
            caption.share = String::new();
        }
        PieceKind::Rest(count, alike) => {
            caption.name = match alike.filter(|_| S::GROUPS) {
                // Without the sign of a group: they are a part of one, or too few.
                Some(alike) => {
                    let class = source.kind(context.dump, alike, ColourBy::Class);
                    format!("… {} more {}", Count(count), split_class(&class).1)
                }
                None => format!("… {} more", Count(count)),
            };
            if wanted == CaptionDetail::Long {
                caption.more.push("Each is too small to draw".to_owned());
            }
        }
        PieceKind::Node(thing) | PieceKind::Chain(thing, _) => {
            let name = source.name(context, thing, wanted);
            (caption.lead, caption.before, caption.name) = (name.lead, name.before, name.name);
            if let PieceKind::Chain(_, links) = piece.what {
                caption.name = format!("{} ×{}", caption.name, Count(links));
            } else {
                caption.label = name.label;
            }
            if wanted == CaptionDetail::Long {
                caption.more = name.qualified;
                caption.more.extend(source.more(context.dump, thing));
            }
        }
    }
    if wanted == CaptionDetail::Long {
        // The change comes first.
        compared.label(cell).into_iter().for_each(|text| caption.more.insert(0, text));
    }
    caption
}
