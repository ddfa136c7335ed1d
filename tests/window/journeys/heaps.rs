//! Android's heaps in the tables: a column each, a choice of one, and roots of the virtual machine that do not count.

use super::*;

fn names(h: &Harness<'_, App>, part: &str) -> Vec<String> {
    h.query_all_by_label_contains(part).filter_map(|n| n.accesskit_node().label()).collect()
}

fn headers(h: &Harness<'_, App>) -> Vec<String> {
    names(h, "Sort by ").into_iter().map(|name| name.replacen("Sort by ", "", 1)).collect()
}

fn choose(h: &mut Harness<'_, App>, table: &str, heap: &str) {
    click(h, &format!("Heap filter of the {table}: "));
    h.get_by_label(heap).click();
    settle(h);
}

#[test]
fn a_histogram_of_one_heap_counts_its_objects() {
    let mut h = window(&[fixture("android/phone.hprof")]);
    look_at(&mut h, View::Histogram);
    let shown = headers(&h);
    for title in ["In app", "In zygote", "In image", "Native", "Retained native"] {
        assert!(shown.iter().any(|header| header == title), "{title}: {shown:?}");
    }
    assert!(!shown.iter().any(|header| header == "In default"), "the dump has none: {shown:?}");
    assert!(has(&h, "byte[] 11 objects"), "{:?}", names(&h, "byte[]"));
    choose(&mut h, "histogram", "zygote");
    assert!(has(&h, "byte[] 4 objects"), "{:?}", names(&h, "byte[]"));
    assert!(!has(&h, "com.example.Cache"));
    // Text after the heap name filters within it, and the list of objects is limited to that heap.
    press(&mut h, Key::Slash);
    h.get_by_role_and_label(egui::Role::TextInput, "Filter by class or owner").type_text(" byte");
    settle(&mut h);
    assert!(has(&h, "1 of 4 classes"), "{:?}", names(&h, "classes"));
    press(&mut h, Key::Enter);
    click(&mut h, "byte[] 4 objects");
    let cells = copied_as(&mut h, Key::Num4);
    assert!(
        cells.starts_with("Class\tObjects\tShallow size\tRetained size\tIn app\tIn zygote\tIn image\tNative"),
        "{cells}"
    );
    assert!(cells.contains("byte[]\t4\t448\t448\t0\t448\t0\t0"), "{cells}");
    press(&mut h, Key::L);
    assert!(has(&h, "Heap filter of the objects: zygote") && has(&h, "4 objects"));
    choose(&mut h, "objects", "All heaps");
    assert!(has(&h, "11 objects"));
}

#[test]
fn a_tree_of_one_heap_sorts_by_size_in_another() {
    let mut h = window(&[fixture("android/phone.hprof")]);
    choose(&mut h, "dominator tree", "app");
    assert!(h.query_by_label("Expand java.lang.Class 0x70000e00").is_none());
    click(&mut h, "Sort by In zygote");
    press(&mut h, Key::Home);
    let cells = copied_as(&mut h, Key::Num4);
    assert!(cells.lines().next().expect("a heading").ends_with("Retained native"), "{cells}");
    click(&mut h, "Sort by In zygote, descending");
    // The copied command has the same options.
    let command = copied(&mut h, |h| h.key_press(Key::C));
    assert!(command.contains("heap:app") && command.contains("--sort retained_zygote_bytes"), "{command}");
}

#[test]
fn roots_of_zygote_and_image_are_ignored_on_demand() {
    let mut h = window(&[fixture("android/phone.hprof")]);
    assert!(!has(&h, "zygote and boot-image roots ignored"));
    go_to(&mut h, ">ignore zygote and boot");
    settle(&mut h);
    assert!(has(&h, "zygote and boot-image roots ignored"), "the status says so");
    go_to(&mut h, ">ignore zygote and boot");
    assert!(!has(&h, "zygote and boot-image roots ignored"));
}

#[test]
fn dumps_without_heaps_offer_no_heap_filter() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    assert!(!has(&h, "Heap filter of the") && !has(&h, "Sort by In app") && !has(&h, "Sort by Native"));
    look_at(&mut h, View::Histogram);
    assert!(!has(&h, "Heap filter of the") && !has(&h, "Sort by In app"));
    let mut h = opening(&[fixture("leak-after.hprof.gz")], OpenOptions::default());
    settle(&mut h);
    go_to(&mut h, ">ignore zygote and boot");
    assert!(!has(&h, "zygote and boot-image roots ignored"));
}

#[test]
fn a_histogram_by_allocation_site_leads_from_frames_to_classes() {
    let mut h = window(&[fixture("android/tracked.hprof")]);
    look_at(&mut h, View::Histogram);
    click(&mut h, "Group by class");
    h.get_by_label("By allocation site").click();
    settle(&mut h);
    assert!(has(&h, "allocation site known for 3 of 8 objects"));
    press(&mut h, Key::Home);
    for _ in 0..6 {
        press(&mut h, Key::ArrowRight);
    }
    assert!(has(&h, "dalvik.a.b.fill(Shop.java:20)"), "{:?}", names(&h, "Shop.java"));
    // The inspector shows it, too.
    h.state_mut().go_to_object("0x1000").expect("it exists");
    look_at(&mut h, View::Dominators);
    click(&mut h, "Allocated");
    assert!(has(&h, "(Shop.java:3)") && has(&h, "main"));
}
