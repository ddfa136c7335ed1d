//! Small icons, drawn as lines: independent of fonts and sharp at every scale.

use eframe::egui;
use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2};

/// An icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    /// Go back.
    Back,
    /// Go forward.
    Forward,
    /// A collapsed node.
    Closed,
    /// An expanded node.
    Open,
    /// Ascending order.
    Up,
    /// Descending order.
    Down,
    /// Close.
    Cross,
    /// Search or filter.
    Search,
    /// A file.
    File,
    /// Done, copied.
    Check,
    /// Warning.
    Warning,
    /// Information.
    Info,
    /// Copy to the clipboard.
    Copy,
    /// Left pane.
    PaneLeft,
    /// Right pane.
    PaneRight,
    /// Without a star.
    Star,
    /// With a star.
    Starred,
    /// Open a file from disk.
    Plus,
    /// Table.
    Table,
    /// Treemap: rectangles in a rectangle.
    Treemap,
    /// Icicle: bars below bars.
    Icicle,
    /// Sunburst: rings.
    Sunburst,
    /// Table above chart.
    Split,
    /// A sharp drop of a size.
    Drop,
    /// A verdict.
    Flag,
    /// An image.
    Picture,
    /// Gallery.
    Tiles,
    /// A tree: objects below the object that holds them.
    Tree,
    /// A rising line.
    Trend,
    /// Bars of a histogram.
    Bars,
    /// A drop that falls.
    Leak,
    /// Quotation marks.
    Quotes,
    /// The prompt of a console.
    Prompt,
    /// A node without its link.
    Detached,
    /// Three dots: more of the same.
    More,
    /// A bin.
    Bin,
    /// A running program.
    Pulse,
    /// A note.
    Note,
    /// Columns of a table.
    Columns,
    /// Logo of the program: a lens over layers.
    Lens,
}

/// Draws `icon` in the centre of `rect`, `size` points wide.
pub fn paint(painter: &Painter, icon: Icon, rect: Rect, size: f32, color: Color32) {
    let centre = rect.center();
    // Coordinates of icons range from -6 to 6.
    let at = |x: f32, y: f32| -> Pos2 { centre + Vec2::new(x, y) * (size / 12.0) };
    let stroke = Stroke::new((size / 9.0).clamp(1.2, 3.0), color);
    let line = |points: &[(f32, f32)]| {
        painter.add(Shape::line(points.iter().map(|&(x, y)| at(x, y)).collect(), stroke));
    };
    let frame = |x0: f32, y0: f32, x1: f32, y1: f32| {
        let rect = Rect::from_min_max(at(x0, y0), at(x1, y1));
        painter.rect_stroke(rect, size / 8.0, stroke, egui::StrokeKind::Middle);
    };
    let solid = |points: &[(f32, f32)]| {
        let points = points.iter().map(|&(x, y)| at(x, y)).collect();
        painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
    };
    match icon {
        Icon::Back => line(&[(2.0, -5.0), (-3.0, 0.0), (2.0, 5.0)]),
        Icon::Forward => line(&[(-2.0, -5.0), (3.0, 0.0), (-2.0, 5.0)]),
        Icon::Closed => line(&[(-1.8, -4.0), (2.2, 0.0), (-1.8, 4.0)]),
        Icon::Open => line(&[(-4.0, -1.8), (0.0, 2.2), (4.0, -1.8)]),
        Icon::Up => solid(&[(-4.0, 2.0), (0.0, -3.0), (4.0, 2.0)]),
        Icon::Down => solid(&[(-4.0, -2.0), (4.0, -2.0), (0.0, 3.0)]),
        Icon::Cross => {
            line(&[(-4.0, -4.0), (4.0, 4.0)]);
            line(&[(4.0, -4.0), (-4.0, 4.0)]);
        }
        Icon::Search => {
            painter.circle_stroke(at(-1.0, -1.0), 4.0 * size / 12.0, stroke);
            line(&[(2.0, 2.0), (5.5, 5.5)]);
        }
        Icon::File => {
            line(&[(1.5, -6.0), (-4.0, -6.0), (-4.0, 6.0), (4.0, 6.0), (4.0, -3.0), (1.5, -6.0)]);
            line(&[(1.5, -6.0), (1.5, -3.0), (4.0, -3.0)]);
        }
        Icon::Check => line(&[(-5.0, 0.5), (-1.5, 4.0), (5.0, -4.0)]),
        Icon::Warning => {
            line(&[(0.0, -5.5), (6.0, 5.0), (-6.0, 5.0), (0.0, -5.5), (6.0, 5.0)]);
            line(&[(0.0, -1.8), (0.0, 1.6)]);
            painter.circle_filled(at(0.0, 3.4), size / 14.0, color);
        }
        Icon::Info => {
            painter.circle_stroke(centre, 5.5 * size / 12.0, stroke);
            line(&[(0.0, -0.5), (0.0, 3.2)]);
            painter.circle_filled(at(0.0, -2.8), size / 14.0, color);
        }
        Icon::Copy => {
            frame(-2.5, -2.5, 5.0, 5.0);
            line(&[(-5.0, 2.0), (-5.0, -5.0), (2.0, -5.0)]);
        }
        Icon::PaneLeft => {
            frame(-6.0, -5.0, 6.0, 5.0);
            line(&[(-2.0, -5.0), (-2.0, 5.0)]);
        }
        Icon::PaneRight => {
            frame(-6.0, -5.0, 6.0, 5.0);
            line(&[(2.0, -5.0), (2.0, 5.0)]);
        }
        Icon::Star => drop(painter.add(Shape::closed_line(star(&at), stroke))),
        Icon::Starred => painter.extend(star_filled(&at, color)),
        Icon::Plus => {
            line(&[(-5.0, 0.0), (5.0, 0.0)]);
            line(&[(0.0, -5.0), (0.0, 5.0)]);
        }
        Icon::Table => {
            for y in [-4.0, 0.0, 4.0] {
                line(&[(-5.5, y), (5.5, y)]);
            }
        }
        Icon::Treemap => {
            frame(-6.0, -5.0, 6.0, 5.0);
            line(&[(0.5, -5.0), (0.5, 5.0)]);
            line(&[(0.5, 0.0), (6.0, 0.0)]);
        }
        Icon::Icicle => {
            line(&[(-6.0, -4.5), (6.0, -4.5)]);
            line(&[(-6.0, 0.0), (2.0, 0.0)]);
            line(&[(-6.0, 4.5), (-2.0, 4.5)]);
        }
        Icon::Sunburst => {
            painter.circle_stroke(at(0.0, 0.0), 5.6 * size / 12.0, stroke);
            painter.circle_stroke(at(0.0, 0.0), 2.2 * size / 12.0, stroke);
            line(&[(0.0, -5.6), (0.0, -2.2)]);
            line(&[(2.0, 1.2), (4.8, 2.9)]);
        }
        Icon::Split => {
            frame(-6.0, -5.0, 6.0, 5.0);
            line(&[(-6.0, 0.5), (6.0, 0.5)]);
        }
        Icon::Drop => {
            line(&[(-5.5, -4.0), (-1.0, -4.0), (-1.0, 4.0), (5.5, 4.0)]);
            line(&[(-3.6, 1.4), (-1.0, 4.0), (1.6, 1.4)]);
        }
        Icon::Flag => {
            line(&[(-4.0, 6.0), (-4.0, -5.5), (4.5, -5.5), (2.0, -2.0), (4.5, 1.5), (-4.0, 1.5)]);
        }
        Icon::Picture => {
            frame(-6.0, -5.0, 6.0, 5.0);
            line(&[(-6.0, 3.0), (-2.0, -0.5), (1.0, 2.0), (3.0, 0.2), (6.0, 3.0)]);
            painter.circle_filled(at(2.6, -2.2), size / 11.0, color);
        }
        Icon::Tiles => {
            for (x, y) in [(-5.0, -5.0), (0.8, -5.0), (-5.0, 0.8), (0.8, 0.8)] {
                frame(x, y, x + 4.2, y + 4.2);
            }
        }
        Icon::Tree => {
            frame(-2.2, -6.0, 2.2, -2.6);
            line(&[(0.0, -2.6), (0.0, 0.2)]);
            line(&[(-4.0, 2.6), (-4.0, 0.2), (4.0, 0.2), (4.0, 2.6)]);
            frame(-6.0, 2.6, -2.0, 6.0);
            frame(2.0, 2.6, 6.0, 6.0);
        }
        Icon::Trend => {
            line(&[(-6.0, 4.5), (-2.0, 0.5), (0.8, 2.6), (6.0, -4.0)]);
            line(&[(2.2, -4.0), (6.0, -4.0), (6.0, -0.2)]);
        }
        Icon::Bars => {
            for (x, y) in [(-4.5, 0.5), (0.0, -5.5), (4.5, -2.0)] {
                line(&[(x, 5.5), (x, y)]);
            }
        }
        Icon::Leak => {
            let round = (0..=12).map(|n| std::f32::consts::PI * (n as f32 / 12.0 * 1.4 - 0.2));
            let mut drop: Vec<(f32, f32)> = round.map(|a| (4.2 * a.cos(), 1.6 + 4.2 * a.sin())).collect();
            drop.extend([(0.0, -6.0), drop[0]]);
            line(&drop);
        }
        Icon::Quotes => {
            for x in [-3.4, 2.6] {
                line(&[
                    (x + 1.6, -4.0),
                    (x - 1.2, -0.5),
                    (x - 1.2, 3.0),
                    (x + 1.8, 3.0),
                    (x + 1.8, -0.2),
                    (x - 1.2, -0.2),
                ]);
            }
        }
        Icon::Prompt => {
            line(&[(-5.0, -4.0), (-1.0, 0.0), (-5.0, 4.0)]);
            line(&[(0.5, 4.5), (5.5, 4.5)]);
        }
        Icon::Detached => {
            frame(-6.0, -6.0, -2.0, -2.0);
            frame(2.0, 2.0, 6.0, 6.0);
            line(&[(-0.8, -0.8), (-0.2, -0.2)]);
        }
        Icon::More => {
            for x in [-4.0, 0.0, 4.0] {
                painter.circle_filled(at(x, 0.0), size / 10.0, color);
            }
        }
        Icon::Bin => {
            line(&[(-5.5, -3.6), (5.5, -3.6)]);
            line(&[(-1.8, -3.6), (-1.8, -5.8), (1.8, -5.8), (1.8, -3.6)]);
            line(&[(-4.0, -3.6), (-3.2, 6.0), (3.2, 6.0), (4.0, -3.6)]);
        }
        Icon::Pulse => {
            line(&[(-6.0, 0.5), (-3.0, 0.5), (-1.2, -5.0), (1.4, 5.0), (3.0, 0.5), (6.0, 0.5)]);
        }
        Icon::Note => {
            frame(-5.0, -5.5, 5.0, 5.5);
            for (y, to) in [(-2.4, 2.4), (0.2, 2.4), (2.8, 0.4)] {
                line(&[(-2.4, y), (to, y)]);
            }
        }
        Icon::Columns => {
            for x in [-5.0, 0.0, 5.0] {
                line(&[(x, -5.0), (x, 5.0)]);
            }
        }
        Icon::Lens => lens(painter, centre, size, color),
    }
}

/// Corners of a star, outer and inner ones alternating.
fn star(at: &impl Fn(f32, f32) -> Pos2) -> Vec<Pos2> {
    let corner = |n: usize| {
        let angle = std::f32::consts::PI * (n as f32 / 5.0 - 0.5);
        let out = if n.is_multiple_of(2) { 6.2 } else { 2.6 };
        at(out * angle.cos(), out * angle.sin() + 0.4)
    };
    (0..10).map(corner).collect()
}

/// A filled star. It is not convex, so its five points and its centre are drawn separately.
fn star_filled(at: &impl Fn(f32, f32) -> Pos2, color: Color32) -> Vec<Shape> {
    let corners = star(at);
    let solid = |points: Vec<Pos2>| Shape::convex_polygon(points, color, Stroke::NONE);
    let points = (0..5).map(|n| solid(vec![corners[(2 * n + 9) % 10], corners[2 * n], corners[2 * n + 1]]));
    let middle = solid((0..5).map(|n| corners[2 * n + 1]).collect());
    points.chain([middle]).collect()
}

/// Logo: four bars, the widest at the bottom, and a lens over them.
fn lens(painter: &Painter, centre: Pos2, size: f32, color: Color32) {
    let unit = size / 12.0;
    let at = |x: f32, y: f32| pos2(centre.x + x * unit, centre.y + y * unit);
    let bar = |y: f32, to: f32, alpha: f32| {
        let rect = Rect::from_min_max(at(-6.0, y), at(to, y + 1.7));
        painter.rect_filled(rect, unit * 0.8, color.gamma_multiply(alpha));
    };
    bar(-5.6, -1.0, 0.45);
    bar(-2.4, -2.6, 0.65);
    bar(0.8, -2.6, 0.85);
    bar(4.0, 6.0, 1.0);
    let stroke = Stroke::new(unit * 1.25, color);
    painter.circle_stroke(at(1.8, -1.6), 3.6 * unit, stroke);
    painter.line_segment([at(4.4, 1.0), at(6.0, 2.6)], stroke);
}
