//! Random Java heaps.

use std::collections::BTreeMap;

use heaplens_analysis::cuts::Cut;
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{Address, ObjectId, Rules, Strength};
use heaplens_testkit::ibm_text::{self, Variant};
use heaplens_testkit::random::Random;
use heaplens_testkit::removals::Removal;
use heaplens_testkit::sketch::{Id, RootRecord, Sketch};
use heaplens_testkit::{heaps, perfetto, phd};

use super::files::{Format, size};
use super::{Row, cut, difference, rows};

fn open(bytes: impl AsRef<[u8]>, rules: Rules) -> Dump {
    crate::open_bytes(bytes, &OpenOptions { rules, ..OpenOptions::default() })
}

fn at(dump: &Dump, id: Id) -> Option<ObjectId> {
    dump.facts.heap.at(Address(id))
}

/// The same removal as a cut of the opened dump; `None` if it leads to an object that the file lacks.
fn as_cut(dump: &Dump, removal: &Removal) -> Option<Cut> {
    let class = |id| dump.facts.heap.classes.of_object(at(dump, id)?);
    Some(match removal {
        Removal::Reference(from, to) => Cut::Reference { from: at(dump, *from)?, to: at(dump, *to)? },
        Removal::Field(of, name) => Cut::Field { class: class(*of)?, name: name.as_str().into() },
        Removal::Object(id) => Cut::Object(at(dump, *id)?),
        Removal::Class(id) => Cut::Class(class(*id)?),
        Removal::Roots(id) => Cut::Roots(Box::new(Cut::Object(at(dump, *id)?))),
        Removal::From(id) => Cut::From(Box::new(Cut::Object(at(dump, *id)?))),
        Removal::FromClass(id) => Cut::From(Box::new(Cut::Class(class(*id)?))),
    })
}

/// Random removals of a heap, one or several, with their cuts in its dump.
fn some_removals(sketch: &Sketch, dump: &Dump, random: &mut Random) -> (Vec<Removal>, Vec<Cut>) {
    let count = if random.one_in(2) { 1 } else { random.between(2, 10) };
    let removals = (0..count).filter_map(|_| sketch.random_removal(random));
    removals.filter_map(|removal| as_cut(dump, &removal).map(|cut| (removal, cut))).unzip()
}

fn is_field(removal: &Removal) -> bool {
    matches!(removal, Removal::Field(..))
}

fn without(sketch: &Sketch, removals: &[Removal]) -> Sketch {
    removals.iter().fold(sketch.clone(), |sketch, removal| sketch.without(removal))
}

/// Roots that an option added to those of the file are roots of the heap after the cuts.
fn with_roots_of(dump: &Dump, mut sketch: Sketch, removals: &[Removal]) -> Sketch {
    let classes: Vec<Id> =
        removals.iter().filter_map(|of| if let Removal::Class(id) = of { Some(*id) } else { None }).collect();
    let of_class = |id: Id| {
        let object = sketch.objects.iter().find(|object| object.id == id);
        object.and_then(|object| sketch.class_of(object)).is_some_and(|class| classes.contains(&class.id))
    };
    let is_cut =
        |id: Id| removals.contains(&Removal::Object(id)) || removals.contains(&Removal::Roots(id)) || of_class(id);
    let heap = &dump.facts.heap;
    let known = heap.roots.objects();
    let added = dump.analysis.roots().all().iter().filter(|root| !known.contains(&root.object.raw()));
    let added: Vec<Id> = added.map(|root| heap.address(root.object).0).filter(|&id| !is_cut(id)).collect();
    sketch.roots.extend(added.into_iter().map(|id| (id, RootRecord::Unknown)));
    sketch
}

#[test]
fn cuts_equal_a_file_without_the_references() {
    let (mut compared, mut freed) = (0, 0);
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let sketch = heaps::random(seed, 10 + random.below(60));
        let weakest = *random.pick(&[Strength::Phantom, Strength::Phantom, Strength::Strong, Strength::Soft]);
        let rules = Rules { min_strength: weakest, keep_unreachable: random.one_in(4), ..Rules::default() };
        for format in Format::all(seed as usize) {
            let sketch = format.representable(sketch.clone());
            let dump = open(format.write(&sketch), rules);
            for _ in 0..2 {
                let (removals, cuts) = some_removals(&sketch, &dump, &mut random);
                if !format.declares_fields() && removals.iter().any(is_field) {
                    continue;
                }
                let edited = with_roots_of(&dump, without(&sketch, &removals), &removals);
                // A file without roots gets some.
                if !edited.roots.iter().any(|&(id, _)| id != 0 && at(&dump, id).is_some()) {
                    continue;
                }
                let written = open(format.write(&edited), Rules { keep_unreachable: false, ..rules });
                let (before, derived) = (rows(&dump), rows(&cut(&dump, &cuts)));
                let differs = difference(&derived, &rows(&written));
                assert_eq!(differs, None, "seed {seed}, {format:?}, {rules:?}, {removals:?}");
                compared += 1;
                freed += u32::from(derived.len() < before.len());
            }
        }
    }
    assert!(compared > 600 && freed > 150, "{compared}, {freed}");
}

/// Heap dumps of IBM virtual machines have no roots and no names of fields: objects without incoming references are
/// roots. The target of a removed reference would be one in a file without it. So the file without the references has
/// the roots of the heap before: it is a heap graph of Perfetto, which records sizes, too.
#[test]
fn cuts_of_a_heap_with_inferred_roots_equal_a_file_without_the_references() {
    let (mut compared, mut freed) = (0, 0);
    for seed in 0..100 {
        let mut random = Random::new(seed + 10_000);
        let mut sketch = heaps::random(seed, 10 + random.below(60));
        // Class loaders and stacks differ between the formats.
        sketch.classes.iter_mut().for_each(|class| class.loader = 0);
        (sketch.roots, sketch.traces) = (Vec::new(), Vec::new());
        let forms = phd::Form::all();
        let variant = Variant::ALL[seed as usize % Variant::ALL.len()];
        let text = ibm_text::write(&sketch, ibm_text::Form { variant, end: "\n", wrong_by: 0 }, size);
        for file in [phd::write(&sketch, forms[seed as usize % forms.len()]), text.into_bytes()] {
            let dump = open(file, Rules::default());
            let heap = &dump.facts.heap;
            let roots = dump.analysis.roots().objects().iter().filter_map(|&row| ObjectId::from_raw(row));
            let roots = roots.map(|root| (heap.address(root).0, RootRecord::Unknown)).collect();
            let rooted = Sketch { roots, ..sketch.clone() };
            let bytes = |id| at(&dump, id).map_or(0, |object| heap.shallow(object).0);
            let trace =
                |sketch: &Sketch| open(perfetto::write(sketch, perfetto::Form::MODERN, bytes), Rules::default());
            assert_eq!(
                difference(&without_paths(rows(&dump)), &without_paths(rows(&trace(&rooted)))),
                None,
                "seed {seed}, {}",
                heap.origin.format.key()
            );
            for _ in 0..4 {
                let (removals, cuts) = some_removals(&rooted, &dump, &mut random);
                // Some files have one class for all arrays of numbers.
                let is_other = |removal: &Removal| match removal {
                    Removal::Class(id) => rooted.class(*id).is_some_and(|class| class.name.ends_with("[]")),
                    _ => false,
                };
                if removals.iter().any(|removal| is_field(removal) || is_other(removal)) {
                    continue;
                }
                let edited = without(&rooted, &removals);
                if edited.roots.is_empty() {
                    continue;
                }
                let (before, derived) = (rows(&dump), without_paths(rows(&cut(&dump, &cuts))));
                let differs = difference(&derived, &without_paths(rows(&trace(&edited))));
                assert_eq!(differs, None, "seed {seed}, {}, {removals:?}", heap.origin.format.key());
                compared += 1;
                freed += u32::from(derived.len() < before.len());
            }
        }
    }
    assert!(compared > 250 && freed > 50, "{compared}, {freed}");
}

/// Without names of fields, no reference is known to be weak.
fn without_paths(rows: BTreeMap<u64, Row>) -> BTreeMap<u64, Row> {
    rows.into_iter().map(|(id, row)| (id, Row { path: None, ..row })).collect()
}
