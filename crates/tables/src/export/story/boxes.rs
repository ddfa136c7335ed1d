//! A treemap as SVG: the largest objects by retained size, with the largest below each. Squarified, after Bruls, Huizing and
//! van Wijk (2000).

use std::fmt::Write;

use super::tree::TreeNode;
use crate::export::html::escaped;
use heaplens_base::Bytes;

/// Size of the picture.
const WIDTH: f64 = 1_052.0;
const HEIGHT: f64 = 300.0;
/// Height of the name above the parts of a box.
const HEAD: f64 = 18.0;
/// Smallest box that has a name, and width of a character.
const NAMED: (f64, f64) = (60.0, 16.0);
const CHARACTER: f64 = 6.6;
/// Number of colours, as the style sheet has them.
const COLOURS: usize = 6;

/// A rectangle: left, top, width, height.
#[derive(Clone, Copy)]
struct Area {
    x: f64,
    y: f64,
    w: f64,
    h: f64,
}

/// The picture; empty without objects. What is not listed is an empty part of the whole.
pub(super) fn svg(tree: &[TreeNode], total: Bytes) -> String {
    if tree.is_empty() || total == Bytes(0) {
        return String::new();
    }
    let mut out = format!(
        "<svg class=\"boxes\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Largest objects by retained size\">\n"
    );
    let picture = Area { x: 0.0, y: 0.0, w: WIDTH, h: HEIGHT };
    let listed: u64 = tree.iter().map(|node| node.retained.0).sum();
    let rest = total.0.saturating_sub(listed);
    let sizes: Vec<u64> = tree.iter().map(|node| node.retained.0).chain([rest]).collect();
    let areas = squarified(&sizes, picture);
    for (at, (node, area)) in tree.iter().zip(&areas).enumerate() {
        of_node(&mut out, node, *area, at % COLOURS, true);
        let inner = Area { x: area.x + 2.0, y: area.y + HEAD, w: area.w - 4.0, h: area.h - HEAD - 2.0 };
        if inner.w < NAMED.0 || inner.h < NAMED.1 {
            continue;
        }
        let own = node.retained.0.saturating_sub(node.children.iter().map(|child| child.retained.0).sum());
        let sizes: Vec<u64> = node.children.iter().map(|child| child.retained.0).chain([own]).collect();
        for (child, area) in node.children.iter().zip(squarified(&sizes, inner)) {
            of_node(&mut out, child, area, at % COLOURS, false);
        }
    }
    if let Some(area) = areas.get(tree.len()).filter(|_| rest > 0) {
        let _ =
            writeln!(out, "<rect class=\"rest\" {}><title>All others: {}</title></rect>", placed(*area), Bytes(rest));
    }
    out.push_str("</svg>\n");
    out
}

fn of_node(out: &mut String, node: &TreeNode, area: Area, colour: usize, is_top: bool) {
    let class = if is_top { format!("c{colour}") } else { format!("c{colour} in") };
    let (name, size) = (escaped(&node.name), node.retained);
    let _ = writeln!(out, "<rect class=\"{class}\" {}><title>{name}: {size}</title></rect>", placed(area));
    if area.w >= NAMED.0 && area.h >= NAMED.1 {
        let room = ((area.w - 8.0) / CHARACTER) as usize;
        let simple = node.name.split(' ').next().and_then(|class| class.rsplit('.').next()).unwrap_or(&node.name);
        let text: String = format!("{simple} {size}").chars().take(room).collect();
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", area.x + 4.0, area.y + 13.0, escaped(&text));
    }
}

fn placed(area: Area) -> String {
    format!(
        "x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"",
        area.x,
        area.y,
        (area.w - 1.0).max(0.0),
        (area.h - 1.0).max(0.0)
    )
}

/// A rectangle for each size, in their order; their areas are in proportion.
fn squarified(sizes: &[u64], area: Area) -> Vec<Area> {
    let total: f64 = sizes.iter().map(|&size| size as f64).sum();
    let scale = if total > 0.0 { area.w.max(0.0) * area.h.max(0.0) / total } else { 0.0 };
    let shares: Vec<f64> = sizes.iter().map(|&size| size as f64 * scale).collect();
    let (mut areas, mut left, mut at) = (Vec::with_capacity(shares.len()), area, 0);
    while at < shares.len() {
        let side = left.w.min(left.h).max(f64::MIN_POSITIVE);
        let mut end = at + 1;
        while end < shares.len() && worst(&shares[at..=end], side) <= worst(&shares[at..end], side) {
            end += 1;
        }
        let row: f64 = shares[at..end].iter().sum();
        let thick = row / side;
        let mut along = 0.0;
        for &size in &shares[at..end] {
            let long = if thick > 0.0 { size / thick } else { 0.0 };
            areas.push(if left.w <= left.h {
                Area { x: left.x + along, y: left.y, w: long, h: thick }
            } else {
                Area { x: left.x, y: left.y + along, w: thick, h: long }
            });
            along += long;
        }
        if left.w <= left.h {
            left = Area { y: left.y + thick, h: (left.h - thick).max(0.0), ..left };
        } else {
            left = Area { x: left.x + thick, w: (left.w - thick).max(0.0), ..left };
        }
        at = end;
    }
    areas
}

/// The worst ratio of sides of a row of rectangles along a side.
fn worst(row: &[f64], side: f64) -> f64 {
    let sum: f64 = row.iter().sum();
    let ratio = |&area: &f64| {
        let (a, b) = (side * side * area / (sum * sum), sum * sum / (side * side * area));
        a.max(b)
    };
    row.iter().map(ratio).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_in_proportion_and_inside() {
        let outer = Area { x: 10.0, y: 20.0, w: 300.0, h: 200.0 };
        let sizes = [60, 30, 20, 20, 10, 0];
        let areas = squarified(&sizes, outer);
        assert_eq!(areas.len(), sizes.len());
        let total: u64 = sizes.iter().sum();
        for (size, area) in sizes.iter().zip(&areas) {
            let wanted = *size as f64 / total as f64 * 60_000.0;
            assert!((area.w * area.h - wanted).abs() < 1.0, "{size}");
            assert!(area.x >= 9.9 && area.x + area.w <= 310.1 && area.y + area.h <= 220.1);
        }
    }

    #[test]
    fn names_are_text() {
        let node = |name: &str| TreeNode {
            name: name.to_owned(),
            id: String::new(),
            retained: Bytes(9),
            children: Vec::new(),
        };
        let picture = svg(&[node("</title><script>")], Bytes(10));
        assert!(!picture.contains("<script>"), "{picture}");
        assert_eq!(svg(&[], Bytes(10)), "");
    }
}
