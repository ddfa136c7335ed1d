//! The process around the heap: what the dump tells, what a text adds, and where its parts lead.

use super::*;
use heaplens::ui::command::Command;
use heaplens_testkit::{hprof, notation, outside};

const SMAPS: &str = "7f0000000000-7f0002000000 rw-p 00000000 00:00 0 \nSize: 32768 kB\nRss: 30000 kB\nAnonymous: 30000 kB\nSwap: 0 kB\n\
    7f1000000000-7f1000200000 r-xp 00000000 00:00 0 /usr/lib/libjvm.so\nSize: 2048 kB\nRss: 2000 kB\nAnonymous: 0 kB\nSwap: 0 kB\n";

#[test]
fn a_text_about_the_process_is_dropped_and_its_parts_lead_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let smaps = folder.path().join("smaps.txt");
    std::fs::write(&smaps, SMAPS).expect("disk space");
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Process);
    h.get_by_label_contains("the size of the process is not recorded");
    h.input_mut().dropped_files.push(Arc::new(Dropped(smaps)));
    settle(&mut h);
    h.get_by_label_contains("The process has 32.8 MB; the live heap is 7.0 MB of it");
    h.get_by_label_contains("Programs and libraries: 2.0 MB");
    h.get_by_label_contains("Unexplained: ");
    // The overview says it, too.
    look_at(&mut h, View::Overview);
    h.get_by_label_contains("The process has 32.8 MB");
}

/// Dumps of a program whose cache of tiles has grown outside of the heap.
fn tiles(folder: &std::path::Path) -> [PathBuf; 2] {
    [("before.hprof", 2), ("after.hprof", 7)].map(|(name, tiles)| {
        let sketch = notation::read(&outside::tiles(tiles)).expect("a heap");
        let file = folder.join(name);
        std::fs::write(&file, hprof::write(&sketch, hprof::Form::MODERN)).expect("disk space");
        file
    })
}

#[test]
fn what_is_outside_of_the_heap_is_above_the_findings() {
    let folder = tempfile::tempdir().expect("a folder");
    let [_, after] = tiles(folder.path());
    let mut h = window(&[after]);
    look_at(&mut h, View::Leaks);
    h.get_by_label_contains("TileCache.tiles holds 7 direct buffers: 7.0 MB outside the heap");
    h.get_by_role_and_label(egui::Role::Button, "Process").click();
    settle(&mut h);
    h.get_by_label_contains("7.0 MB are direct buffers held by TileCache.tiles");
}

#[test]
fn two_processes_are_compared_in_their_parts_and_by_owner() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = window(&tiles(folder.path()));
    look_at(&mut h, View::Process);
    let ctx = h.ctx.clone();
    let [first, second] = [0, 1].map(|at| h.state().tabs()[at].key);
    h.state_mut().apply(&ctx, Command::Compare(first, second));
    settle(&mut h);
    look_at(&mut h, View::Process);
    h.get_by_label_contains("direct buffers +5.0 MB, held by TileCache.tiles");
    look_at(&mut h, View::Growth);
    h.get_by_label("Outside").click();
    settle(&mut h);
    h.get_by_label_contains("maps.TileCache.tiles (direct buffers)");
}
