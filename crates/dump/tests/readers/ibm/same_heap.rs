//! One heap as PHD, as text and as HPROF gives the same answers.

use heaplens_dump::OpenOptions;
use heaplens_testkit::hprof;
use heaplens_testkit::ibm_text::{self, Variant};
use heaplens_testkit::phd;

use super::{at, dominators, heap_of, open_bytes, retained, roots};

#[test]
fn phd_text_and_hprof_give_the_same_answer() {
    let options = OpenOptions::default();
    for seed in 0..12 {
        eprintln!("seed {seed}");
        let sketch = heap_of(seed, 400);
        let phd = open_bytes(&phd::write(&sketch, phd::Form { seed, ..phd::Form::MODERN }), &options);
        // HPROF records its roots: those inferred for IBM dumps.
        let rooted = heaplens_testkit::sketch::Sketch { roots: roots(&phd), traces: Vec::new(), ..sketch.clone() };
        let hprof = open_bytes(&hprof::write(&rooted, hprof::Form::MODERN), &options);
        let heap = &hprof.facts.heap;
        // Only HPROF has the loader at address 0, which no class of the others names.
        let mut expected = dominators(&hprof);
        assert!(expected.remove(&0).is_some());
        assert_eq!(dominators(&phd), expected);
        let mut stored = retained(&hprof);
        stored.remove(&0);
        for variant in Variant::ALL {
            let form = ibm_text::Form { variant, end: "\n", wrong_by: 0 };
            let sized_as = |dump: &heaplens_dump::Dump| {
                let size = |id| dump.facts.heap.shallow(at(dump, id)).0;
                open_bytes(ibm_text::write(&sketch, form, size).as_bytes(), &options)
            };
            let text = sized_as(&hprof);
            assert_eq!(dominators(&text), expected, "{variant:?}");
            assert_eq!(retained(&text), stored, "{variant:?}");
            assert_eq!(roots(&text), roots(&phd), "{variant:?}");
            assert_eq!(retained(&sized_as(&phd)), retained(&phd), "{variant:?}");
        }
        let references = |dump: &heaplens_dump::Dump| {
            let heap = &dump.facts.heap;
            heap.reference_count()
        };
        // The loader at address 0 is referred to by every class.
        let to_loader = sketch.classes.len() as u64;
        let of_loader = u64::from(heap.at(heaplens_heap::Address(0)).is_some());
        assert_eq!(references(&phd) + to_loader + of_loader, references(&hprof));
    }
}
