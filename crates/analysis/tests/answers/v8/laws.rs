//! Laws of any snapshot, and a check that the generated ones exercise every rule.

use heaplens_testkit::v8::form::{Escapes, Form, Spacing};
use heaplens_testkit::v8::random::{mutate, random};
use heaplens_testkit::v8::write::write;

use super::naive::comparison::comparison;
use super::naive::contexts::{Owner, owners};
use super::naive::filters::{Filter, max_id, shown};
use super::naive::statistics::statistics;
use super::naive::strings::duplicates;
use super::naive::{Mode, Snapshot, dominators};

const SEEDS: u64 = 500;

fn nodes(seed: u64) -> u32 {
    1 + (seed * 7 % 90) as u32
}

fn drawn(seed: u64) -> Snapshot {
    Snapshot::of(&write(&random(seed, nodes(seed)), &Form::random(seed)), Mode::DevTools)
}

#[test]
fn sums_hold() {
    for seed in 0..SEEDS {
        for mode in [Mode::DevTools, Mode::Raw] {
            let made = random(seed, nodes(seed));
            let of = Snapshot::of(&write(&made, &Form::random(seed)), mode);
            let all: u64 = made.nodes.iter().map(|node| node.self_size).sum();
            assert_eq!(of.sizes.iter().sum::<u64>(), all, "seed {seed}: sizes move, they do not vanish");
            assert_eq!(of.retained[of.graph.root], all, "seed {seed}: the root retains everything");
            assert_eq!(of.total(), all + made.extra_native_bytes.unwrap_or(0), "seed {seed}");
            let slow = dominators::by_definition(&of.graph, &of.essential);
            assert_eq!(of.dominators, slow, "seed {seed}: dominators by definition");
            let table = of.table(|_| true);
            assert_eq!(table.iter().map(|group| group.self_size).sum::<u64>(), all, "seed {seed}: the table has all");
            let parts = statistics(&of);
            assert!(parts.typed_arrays <= parts.native && parts.native <= parts.total, "seed {seed}");
            for (node, &above) in of.dominators.iter().enumerate() {
                assert!(of.retained[above] >= of.retained[node], "seed {seed}: node {node} is part of {above}");
            }
        }
    }
}

#[test]
fn the_layout_of_a_file_does_not_matter() {
    for seed in 0..SEEDS {
        let made = random(seed, nodes(seed));
        let of = |form: &Form| Snapshot::of(&write(&made, form), Mode::DevTools);
        let (one, two) = (of(&Form::node20()), of(&Form::random(seed)));
        assert_eq!(one.classes.names, two.classes.names, "seed {seed}");
        assert_eq!((one.retained, one.distances), (two.retained, two.distances), "seed {seed}");
        assert_eq!(one.detachedness, two.detachedness, "seed {seed}");
        assert_eq!((one.dominators, one.sizes), (two.dominators, two.sizes), "seed {seed}");
    }
}

#[test]
fn the_root_may_come_last() {
    for seed in 0..100 {
        let made = random(seed, nodes(seed));
        let of = |made| Snapshot::of(&write(made, &Form::node20()), Mode::DevTools);
        let (first, mut last) = (of(&made), of(&made.root_last()));
        last.retained.rotate_right(1);
        assert_eq!(first.retained, last.retained, "seed {seed}");
    }
}

#[test]
fn text_survives_every_encoding() {
    for seed in 0..60 {
        let made = random(seed, nodes(seed));
        for escapes in [Escapes::Ascii, Escapes::Raw, Escapes::Mixed] {
            for spacing in [Spacing::Lines, Spacing::None, Spacing::Wide] {
                let text = write(&made, &Form { escapes, spacing, ..Form::node20() });
                assert!(escapes != Escapes::Ascii || text.is_ascii(), "V8 writes ASCII");
                let read = super::naive::graph::Graph::parse(&text);
                for (made, read) in made.nodes.iter().zip(&read.nodes) {
                    assert_eq!(made.name.0, read.name.units(), "seed {seed}: {escapes:?}, {spacing:?}");
                }
            }
        }
    }
}

#[test]
fn a_snapshot_does_not_differ_from_itself() {
    for seed in 0..100 {
        let of = drawn(seed);
        assert!(comparison(&of, &of).is_empty(), "seed {seed}");
    }
}

#[test]
fn added_and_removed_objects_add_up() {
    for seed in 0..200 {
        let made = random(seed, nodes(seed));
        let after = mutate(&made, seed);
        let (before, after) = (drawn(seed), Snapshot::of(&write(&after, &Form::random(seed + 1)), Mode::DevTools));
        // Groups lost by DevTools cannot be compared.
        let counted = |of: &Snapshot| of.table(|_| true).iter().all(|group| !group.is_lost);
        if !counted(&before) || !counted(&after) {
            continue;
        }
        let changes = comparison(&before, &after);
        let sum = |of: &Snapshot| of.sizes.iter().filter(|&&size| size != 0).count() as i64;
        let delta: i64 = changes.values().map(|change| change.new.len() as i64 - change.deleted.len() as i64).sum();
        assert!(
            delta == sum(&after) - sum(&before) || before.shapes != after.shapes,
            "seed {seed}: {delta}, not {} to {}",
            sum(&before),
            sum(&after)
        );
    }
}

#[test]
fn every_rule_applies_somewhere() {
    let drawn: Vec<Snapshot> = (0..SEEDS).map(drawn).collect();
    let count = |has: &dyn Fn(&Snapshot) -> bool| drawn.iter().filter(|of| has(of)).count();
    let moved = count(&|of| of.graph.nodes.iter().zip(&of.sizes).any(|(node, &size)| node.size != size));
    let beyond = |of: &Snapshot| of.distances.iter().any(|&distance| distance > 100_000_000);
    let any = |filter| count(&|of| shown(of, filter).contains(&true));
    let half = |of: &Snapshot| shown(of, Filter::Ids(max_id(&of.graph) / 2, max_id(&of.graph))).contains(&true);
    for (rule, actual) in [
        ("sizes move to owners", moved),
        ("the application begins somewhere", count(&|of| !of.graph.user_roots().is_empty())),
        ("or nowhere", count(&|of| of.graph.user_roots().is_empty())),
        ("more is reached from the root", count(&beyond)),
        ("nothing leads to a node", count(&|of| of.distances.contains(&-5))),
        ("a node is called detached", count(&|of| of.graph.nodes.iter().any(|node| node.renamed))),
        ("edges that do not count", count(&|of| of.essential.concat().contains(&false))),
        ("shapes", count(&|of| of.shapes.len() > 1)),
        ("groups of one key", count(&|of| of.table(|_| true).iter().any(|group| group.is_lost))),
        ("duplicate strings", count(&|of| !duplicates(of).is_empty())),
        ("cut off ones", count(&|of| duplicates(of).iter().any(|group| group.truncated.is_some()))),
        ("shown as duplicates", any(Filter::DuplicateStrings)),
        ("retained by detached nodes", any(Filter::Detached)),
        ("retained by contexts", any(Filter::Contexts)),
        ("retained by the console", any(Filter::Console)),
        ("retained by event handlers", any(Filter::EventHandlers)),
        ("shared by native contexts", any(Filter::Native(Owner::Shared))),
        ("of one native context", count(&|of| owners(&of.graph).iter().any(|o| matches!(o, Owner::Context(_))))),
        ("newer than another snapshot", count(&half)),
    ] {
        assert!(actual >= 20, "{rule}: {actual} of {SEEDS} snapshots");
    }
}
