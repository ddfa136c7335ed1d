//! Filter fields and find in table: errors in words, Esc, and rows that are hidden.

use super::*;

fn filter_by(h: &mut Harness<'_, App>, text: &str) {
    press(h, Key::Slash);
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    type_text(h, text);
}

#[test]
fn esc_clears_a_filter_and_gives_the_keys_back() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    filter_by(&mut h, "desk.Session");
    assert!(!has(&h, "byte[] "));
    press(&mut h, Key::Escape);
    assert!(has(&h, "byte[] "), "all classes are listed again");
    press(&mut h, Key::Num3);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Dominators));
}

#[test]
fn a_broken_expression_says_what_is_wrong_and_whose_rows_are_shown() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    filter_by(&mut h, "/desk.*");
    let classes = |h: &Harness<'_, App>| h.query_all_by_label_contains("desk.").count();
    let before = classes(&h);
    assert!(before > 3);
    type_text(&mut h, "[/");
    let warning =
        "Not applied: invalid regular expression: unclosed character class · rows shown are those of /desk.*/";
    h.get_by_label(warning);
    // The warning itself has the text.
    assert_eq!(classes(&h), before + 1, "the last good rows stay");
    press(&mut h, Key::Escape);
    assert!(!has(&h, "Not applied"));
}

#[test]
fn a_class_that_is_filtered_away_is_not_counted() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    click(&mut h, "byte[] ");
    assert!(!has(&h, "Nothing is selected"));
    filter_by(&mut h, "desk.Session");
    h.get_by_label("Nothing is selected");
    press(&mut h, Key::Escape);
    assert!(!has(&h, "Nothing is selected"));
}

#[test]
fn no_row_that_is_searched_is_below_the_field() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    press(&mut h, Key::Quote);
    for text in ["java.util.TreeMap$Entry", "java.net.URI", "desk.Tier"] {
        h.key_press_modifiers(Modifiers::COMMAND, Key::A);
        type_text(&mut h, text);
        let field = h.get_by_label("Find in table").rect();
        let class = h.state().location().and_then(|p| p.class).expect("a selected class");
        let name = h.state().tabs()[0].open_dump().expect("an open dump").heap.classes.get(class).name.to_string();
        assert!(name.starts_with(text), "{text}: {name}");
        let row = h.get_all_by_label_contains(&format!("{name} ")).next().expect("the row").rect();
        assert!(row.bottom() <= field.top(), "{text}: {row} {field}");
    }
}

#[test]
fn a_filter_without_a_match_leaves_no_details_of_a_finding() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::F);
    assert!(has(&h, "Show in dominator tree"));
    press(&mut h, Key::Slash);
    type_text(&mut h, "zzz");
    settle(&mut h);
    assert!(has(&h, "No finding matches the filter") && !has(&h, "Show in dominator tree"));
    press(&mut h, Key::Escape);
    assert!(has(&h, "Show in dominator tree"));
}

#[test]
fn what_is_typed_right_after_the_slash_is_in_the_filter() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    // All in one frame, as in one that is late.
    for (key, text) in [(Key::Slash, "/"), (Key::D, "d"), (Key::E, "e"), (Key::S, "s"), (Key::K, "k")] {
        let event =
            |pressed| egui::Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE };
        h.input_mut().events.extend([event(true), egui::Event::Text(text.to_owned()), event(false)]);
    }
    settle(&mut h);
    let filter = h.query_all_by_label_contains("Filter by class").find_map(|node| node.value());
    assert_eq!(filter.as_deref(), Some("desk"));
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Histogram));
}
