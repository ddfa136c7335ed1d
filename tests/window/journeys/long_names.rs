//! Long names in narrow columns: rows that are not the same never read the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

use eframe::egui::{self, Rect, Shape, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use heaplens::ui::app::App;
use heaplens::ui::location::View;
use heaplens_session::OpenOptions;
use heaplens_testkit::hprof::Form;

use super::{go_to, look_at, press, settle};

const SIZES: [Vec2; 2] = [vec2(1440.0, 900.0), vec2(1000.0, 640.0)];
/// Number of rows of a kind.
const ROWS: usize = 8;

/// A dump whose names differ in a few characters only: threads, strings, classes, and fields of one class.
fn long_names() -> String {
    let mut text = "
        class java.lang.Thread
          field name: object
        class com.acme.checkout.settlement.ScheduledSettlementWorkerThread extends java.lang.Thread
        class com.acme.storefront.sessions.SessionRegistryOfLongRunningCheckouts
        "
    .to_owned();
    let add = |text: &mut String, line: String| writeln!(text, "{line}").expect("a string");
    let registry = "com.acme.storefront.sessions.SessionRegistryOfLongRunningCheckouts";
    for n in 0..ROWS {
        add(&mut text, format!("static sessionsByCustomerOfRegion{n}Pending: object = sessions{n}"));
    }
    for n in 0..ROWS {
        let class = format!("com.acme.checkout.settlement.repository.SettlementInstruction{n}RepositoryOfTheWarehouse");
        add(&mut text, format!("class {class}"));
        add(&mut text, "field entries: object".to_owned());
        add(&mut text, format!("repository{n} = {class} entries=entries{n}"));
        add(&mut text, format!("root repository{n} global"));
        add(&mut text, format!("entries{n} = long[] {}", "7 ".repeat(600 + n)));
        let urls: Vec<String> = (0..4).map(|copy| format!("url{n}of{copy}")).collect();
        for url in &urls {
            let text_of = format!("https://storefront.example.com/customers/of/region/{n}/orders/pending/lines");
            add(&mut text, format!("{url} = \"{text_of}\""));
        }
        add(&mut text, format!("sessions{n} = java.lang.Object[] {}", urls.join(" ")));
        add(&mut text, format!("name{n} = \"checkout-settlement-pool-of-the-warehouse-worker-{n}-idle\""));
        let thread = "com.acme.checkout.settlement.ScheduledSettlementWorkerThread";
        add(&mut text, format!("thread{n} = {thread} name=name{n}"));
        add(&mut text, format!("root thread{n} thread {}", n + 1));
    }
    add(&mut text, format!("root {registry} class"));
    // Objects with one short name and without a label: only their addresses differ.
    let worker = "com.acme.checkout.settlement.SettlementInstructionWorkerOfTheWarehouse";
    add(&mut text, format!("class {worker}"));
    add(&mut text, "field buffer: object".to_owned());
    add(&mut text, "class com.acme.checkout.settlement.SettlementInstructionWorkers".to_owned());
    add(&mut text, "static WORKERS_OF_THE_WAREHOUSE: object = workers".to_owned());
    let workers: Vec<String> = (0..ROWS).map(|n| format!("worker{n}")).collect();
    for name in &workers {
        add(&mut text, format!("{name} = {worker} buffer=buffer_of_{name}"));
        add(&mut text, format!("buffer_of_{name} = long[] {}", "7 ".repeat(500)));
        add(&mut text, format!("root {name} global"));
    }
    add(&mut text, format!("workers = java.lang.Object[] {}", workers.join(" ")));
    add(&mut text, "root com.acme.checkout.settlement.SettlementInstructionWorkers class".to_owned());
    text
}

/// Opens the dump in a window of a size.
fn opened(folder: &std::path::Path, size: Vec2) -> Harness<'static, App> {
    let file: PathBuf = folder.join("long-names.hprof");
    let sketch = heaplens_testkit::notation::read(&long_names()).expect("a heap");
    std::fs::write(&file, heaplens_testkit::hprof::write(&sketch, Form::MODERN)).expect("disk space");
    let mut harness = Harness::builder()
        .with_size(size)
        .with_max_steps(200)
        .allow_missing_glyphs()
        .build_eframe(move |cc| App::new(&cc.egui_ctx, &[file], OpenOptions::default()));
    settle(&mut harness);
    harness
}

/// Texts on screen, each with its rectangle, as they are drawn.
fn texts(h: &Harness<'_, App>) -> Vec<(Rect, String)> {
    fn add(shape: &Shape, texts: &mut Vec<(Rect, String)>) {
        match shape {
            Shape::Text(text) => {
                let line = text.galley.rows.iter().map(|row| row.row.text()).collect::<String>();
                texts.push((Rect::from_min_size(text.pos, text.galley.size()), line));
            }
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| add(shape, texts)),
            _ => {}
        }
    }
    let mut texts = Vec::new();
    h.output().shapes.iter().for_each(|clipped| add(&clipped.shape, &mut texts));
    texts
}

/// What the first column of each row reads, with the names of all rows that read so.
fn readings(h: &Harness<'_, App>) -> BTreeMap<String, BTreeSet<String>> {
    let texts = texts(h);
    let mut readings: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let rows = [egui::accesskit::Role::TreeItem, egui::accesskit::Role::Row];
    for node in rows.into_iter().flat_map(|role| h.query_all_by_role(role)) {
        let (rect, Some(label)) = (node.rect(), node.accesskit_node().label()) else { continue };
        let mut inside: Vec<&(Rect, String)> =
            texts.iter().filter(|(at, _)| rect.expand(1.0).contains(at.center()) && !at.is_negative()).collect();
        inside.sort_by(|a, b| a.0.left().total_cmp(&b.0.left()));
        // Numbers tell no row from another.
        let words = inside.iter().map(|(_, text)| text.trim()).filter(|text| text.chars().any(char::is_alphabetic));
        let Some(first) = words.take(1).next() else { continue };
        readings.entry(first.to_owned()).or_default().insert(label);
    }
    readings
}

#[test]
fn rows_that_differ_do_not_read_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let views = [View::Dominators, View::Threads, View::Strings, View::Histogram, View::Waste, View::Roots];
    for size in SIZES {
        let mut h = opened(folder.path(), size);
        for view in views {
            look_at(&mut h, view);
            if view == View::Dominators {
                // The fields of the registry.
                press(&mut h, egui::Key::ArrowRight);
            }
            settle(&mut h);
            let readings = readings(&h);
            let least = if matches!(view, View::Waste | View::Roots) { 1 } else { ROWS / 2 };
            assert!(readings.len() >= least, "{view:?} at {size}: {readings:#?}");
            let alike: Vec<_> = readings.into_iter().filter(|(_, labels)| labels.len() > 1).collect();
            assert!(alike.is_empty(), "{view:?} at {size}: {alike:#?}");
        }
        // Objects of a class, which the title of the view names already.
        go_to(&mut h, "SettlementInstructionWorkerOfTheWarehouse");
        let readings = readings(&h);
        let leads = |reading: &&String| reading.contains("WAREHOUSE");
        assert!(readings.keys().filter(leads).count() >= ROWS, "at {size}: {readings:#?}");
        let alike: Vec<_> = readings.into_iter().filter(|(_, labels)| labels.len() > 1).collect();
        assert!(alike.is_empty(), "at {size}: {alike:#?}");
    }
}
