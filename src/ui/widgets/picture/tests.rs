//! Areas are proportional to weights, lie inside their parents, and do not overlap.

use eframe::egui;
use egui::{Key, Pos2, Rect, pos2};

use super::area::{Area, Node, hit};
use super::layout::lay_out;
use super::{keys, mesh, treemap};
use crate::view::chart::Kind;

const CANVAS: Rect = Rect { min: pos2(10.0, 20.0), max: pos2(730.0, 620.0) };
const KINDS: [Kind; 3] = [Kind::Treemap, Kind::Icicle, Kind::Sunburst];

/// Deterministic pseudo-random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % below
    }
}

/// A tree of about `cells` cells, largest children first; each cell keeps some of its weight.
fn tree(seed: u64, cells: usize) -> Vec<Node> {
    let mut numbers = Random(seed);
    let mut nodes = vec![Node { above: 0, below: 0..0, weight: 1_000_000_007, depth: 0 }];
    let mut at = 0;
    while at < nodes.len() && nodes.len() < cells {
        let mut left = nodes[at].weight;
        let mut weights = Vec::new();
        for _ in 0..numbers.next(12) + if at == 0 { 3 } else { 0 } {
            let part = numbers.next(left / 2 + 1);
            left -= part;
            weights.push(part);
        }
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let (first, depth) = (nodes.len() as u32, nodes[at].depth + 1);
        nodes.extend(weights.into_iter().map(|weight| Node { above: at as u32, below: 0..0, weight, depth }));
        nodes[at].below = first..nodes.len() as u32;
        at += 1;
    }
    nodes
}

fn rect(area: &Area) -> Option<Rect> {
    if let Area::Rect(rect, _) = area { Some(*rect) } else { None }
}

#[test]
fn treemap_areas_match_weights_and_fill_the_rectangle() {
    let mut numbers = Random(7);
    for n in [1, 2, 3, 10, 100, 5_000] {
        let mut weights: Vec<u64> = (0..n).map(|_| 1 + numbers.next(100_000)).collect();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let sum: u64 = weights.iter().sum();
        let rects = treemap::squarify(&weights, CANVAS);
        let mut filled = 0.0;
        for (weight, area) in weights.iter().zip(&rects) {
            let expected = *weight as f64 / sum as f64 * f64::from(CANVAS.area());
            let actual = f64::from(area.width()) * f64::from(area.height());
            assert!((actual - expected).abs() <= expected * 0.01 + 0.2, "{actual} for {expected} of {n}");
            assert!(CANVAS.expand(0.01).contains_rect(*area), "{area:?}");
            filled += actual;
        }
        assert!((filled - f64::from(CANVAS.area())).abs() < f64::from(CANVAS.area()) * 0.002);
        // Most are nearly square.
        let long = rects.iter().filter(|p| p.width().max(p.height()) > 5.0 * p.width().min(p.height())).count();
        assert!(long * 10 <= rects.len() + 10, "{long} of {n} are long");
    }
}

#[test]
fn zero_and_huge_weights_are_tolerated() {
    for weights in [vec![], vec![0], vec![0, 0, 0], vec![5, 0, 0], vec![u64::MAX, u64::MAX, 1, 0]] {
        let rects = treemap::squarify(&weights, CANVAS);
        assert_eq!(rects.len(), weights.len());
        assert!(rects.iter().all(|p| !p.width().is_nan() && !p.height().is_nan()));
    }
    for kind in KINDS {
        assert!(lay_out(kind, &[], CANVAS).is_empty());
        let nothing = [Node { above: 0, below: 0..0, weight: 0, depth: 0 }];
        assert_eq!(lay_out(kind, &nothing, CANVAS), [Area::Hidden]);
        let some = [Node { above: 0, below: 0..0, weight: 3, depth: 0 }];
        assert!(lay_out(kind, &some, CANVAS)[0].is_seen());
        assert_eq!(lay_out(kind, &some, Rect::NOTHING), [Area::Hidden]);
    }
}

#[test]
fn cells_lie_inside_their_parent_without_overlap() {
    for seed in 0..40 {
        let nodes = tree(seed, 600);
        for kind in KINDS {
            let areas = lay_out(kind, &nodes, CANVAS);
            assert_eq!(areas, lay_out(kind, &nodes, CANVAS), "the same every time");
            let mut seen = 0;
            for (at, node) in nodes.iter().enumerate() {
                let (area, above) = (&areas[at], &areas[node.above as usize]);
                if !area.is_seen() {
                    continue;
                }
                seen += 1;
                assert!(above.is_seen(), "what holds a seen cell is seen");
                match (kind, rect(area), rect(above)) {
                    (Kind::Treemap, Some(cell), Some(above)) => {
                        assert!(above.expand(0.01).contains_rect(cell), "{cell:?} {above:?}");
                    }
                    (_, Some(cell), Some(above)) if at > 0 => {
                        assert!(cell.left() >= above.left() - 0.01 && cell.right() <= above.right() + 0.01);
                        let part = node.weight as f32 / nodes[0].weight as f32 * CANVAS.width();
                        assert!((cell.width() - part).abs() < 0.1, "{} {part}", cell.width());
                    }
                    _ => {}
                }
                if let (Area::Arc(arc), Area::Arc(above)) = (area, above) {
                    assert!(at == 0 || arc.from >= above.from - 1e-4 && arc.to <= above.to + 1e-4);
                    assert!(at == 0 || (arc.inner - above.outer).abs() < 0.01);
                    let part = node.weight as f32 / nodes[0].weight as f32 * std::f32::consts::TAU;
                    assert!((arc.to - arc.from - part).abs() < 1e-3);
                }
                let level: Vec<usize> = nodes[node.above as usize].below.clone().map(|n| n as usize).collect();
                for other in level.into_iter().filter(|&other| at > 0 && other > at && areas[other].is_seen()) {
                    if let (Some(a), Some(b)) = (rect(area), rect(&areas[other])) {
                        let both = a.intersect(b);
                        assert!(both.width() < 0.01 || both.height() < 0.01, "{a:?} {b:?}");
                    }
                }
            }
            assert!(seen > 2, "{kind:?} shows {seen} cells");
        }
    }
}

#[test]
fn a_point_hits_the_deepest_cell() {
    for seed in 0..10 {
        let nodes = tree(seed, 400);
        for kind in KINDS {
            let areas = lay_out(kind, &nodes, CANVAS);
            let mut numbers = Random(seed);
            for _ in 0..300 {
                let pos = pos2(10.0 + numbers.next(720) as f32 + 0.37, 20.0 + numbers.next(600) as f32 + 0.21);
                // Cells come after their parents, so the last one is the deepest.
                let slow = (0..areas.len()).rev().find(|&at| areas[at].contains(pos));
                assert_eq!(hit(&nodes, &areas, pos), slow, "{kind:?} {pos:?}");
            }
            assert_eq!(hit(&nodes, &areas, Pos2::ZERO), None);
        }
    }
}

#[test]
fn arrows_walk_along_levels_and_between_them() {
    let nodes = tree(3, 300);
    let areas = lay_out(Kind::Icicle, &nodes, CANVAS);
    let go = |cell, key| keys::neighbour(&nodes, &areas, cell, key);
    let first = go(0, Key::ArrowDown);
    assert_eq!(first, 1);
    let second = go(first, Key::ArrowRight);
    assert_eq!((second, go(second, Key::ArrowLeft), go(second, Key::ArrowUp)), (2, 1, 0));
    assert_eq!([Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp].map(|key| go(0, key)), [0, 0, 0]);
    let lowest = (0..nodes.len()).find(|&n| areas[n].is_seen() && nodes[n].below.is_empty()).expect("a leaf");
    assert_eq!(go(lowest, Key::ArrowDown), lowest);
}

#[test]
fn meshes_are_complete_and_inside_the_rectangle() {
    for kind in KINDS {
        let nodes = tree(11, 900);
        let areas = lay_out(kind, &nodes, CANVAS);
        let mesh = mesh::of(kind, &areas, |_| egui::Color32::WHITE, 1.0);
        assert!(mesh.is_valid() && mesh.vertices.len() > 100);
        assert!(CANVAS.expand(1.0).contains_rect(mesh.calc_bounds()), "{:?}", mesh.calc_bounds());
    }
}
