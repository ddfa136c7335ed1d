//! Starts and windows: success, races and malicious clients.

use heaplens_platform::files::create_private_folder;

use super::*;

fn meeting() -> (tempfile::TempDir, SingleInstance) {
    let folder = tempfile::tempdir().expect("a folder");
    let meeting = SingleInstance::at(folder.path().join("heaplens"), ":0");
    (folder, meeting)
}

fn listen(meeting: &SingleInstance) -> Option<(Listener, crossbeam_channel::Receiver<Vec<PathBuf>>)> {
    let (sender, taken) = crossbeam_channel::unbounded();
    let take = move |paths, _links| drop(sender.send(paths));
    Some((meeting.listen(take)?, taken))
}

const SOON: Duration = Duration::from_secs(10);

#[test]
fn a_second_start_passes_its_files_to_the_window() {
    let (_folder, meeting) = meeting();
    let files = [PathBuf::from("other.hprof"), std::path::absolute("b c.hprof").expect("a path")];
    assert!(!meeting.hand_over(&files, &[]), "no window is listening");
    let (window, taken) = listen(&meeting).expect("it listens");
    assert!(meeting.hand_over(&files, &[]));
    let got = taken.recv_timeout(SOON).expect("files");
    assert_eq!(got, [std::path::absolute("other.hprof").expect("a path"), files[1].clone()]);
    assert!(!meeting.hand_over(&[], &[]), "nothing to hand over");
    assert!(listen(&meeting).is_none(), "one window listens");
    let elsewhere = SingleInstance::at(meeting.folder.clone(), ":1");
    assert!(!elsewhere.hand_over(&files, &[]), "the window of another display");
    drop(window);
    assert!(!meeting.hand_over(&files, &[]), "the window has closed");
    let (_window, taken) = listen(&meeting).expect("the next one listens");
    assert!(meeting.hand_over(&files, &[]));
    taken.recv_timeout(SOON).expect("files");
}

#[test]
fn leftovers_of_a_crash_are_replaced() {
    let (_folder, meeting) = meeting();
    require_private_folder(&meeting.folder).expect("a folder");
    // A killed window: its endpoint exists without a listener, and its lock is free.
    drop(Socket::open(&meeting.endpoint()).expect("a door"));
    fs::write(meeting.file("lock"), "").expect("a lock");
    assert!(meeting.file(local_socket::EXTENSION).exists());
    let file = [std::path::absolute("a.hprof").expect("a path")];
    let began = Instant::now();
    assert!(!meeting.hand_over(&file, &[]));
    assert!(began.elapsed() < SOON);
    let (_window, taken) = listen(&meeting).expect("it listens nevertheless");
    assert!(meeting.hand_over(&file, &[]));
    taken.recv_timeout(SOON).expect("files");
}

#[test]
fn a_hanging_window_does_not_block_a_second_start() {
    let (_folder, meeting) = meeting();
    require_private_folder(&meeting.folder).expect("a folder");
    // It has an endpoint and never accepts.
    let _door = Socket::open(&meeting.endpoint()).expect("a door");
    let began = Instant::now();
    assert!(!meeting.hand_over(&[std::path::absolute("a.hprof").expect("a path")], &[]));
    assert!(began.elapsed() < SOON);
}

#[test]
fn a_hostile_sender_is_refused_and_the_next_one_served() {
    let (_folder, meeting) = meeting();
    let (_window, taken) = listen(&meeting).expect("it listens");
    let long = vec![b'a'; 200_000];
    let harm: [&[u8]; 5] = [b"", b"\n", b"{\"token\":\"\",\"open\":[\"relative\"]}\n", b"\xff\xfe\n", &long];
    for line in harm {
        let (mut stream, _) = Socket::connect(&meeting.endpoint(), PATIENCE).expect("it is accepted");
        stream.set_timeout(Some(SOON)).expect("a timeout");
        // It may be disconnected while it is still sending.
        let _shut = stream.write_all(line);
        drop(stream);
    }
    // A client that stays connected without sending.
    let _silent = Socket::connect(&meeting.endpoint(), PATIENCE).expect("it is accepted");
    let file = [std::path::absolute("a.hprof").expect("a path")];
    let began = Instant::now();
    while !meeting.hand_over(&file, &[]) {
        assert!(began.elapsed() < SOON, "the window no longer accepts connections");
    }
    assert_eq!(taken.recv_timeout(SOON).expect("files"), file);
}

#[test]
fn the_folder_is_private_to_the_user() {
    let (above, meeting) = meeting();
    fs::create_dir_all(&meeting.folder).expect("a folder");
    let _window = listen(&meeting).expect("it listens");
    let private = above.path().join("private");
    create_private_folder(&private, true).expect("a folder");
    let permissions = |folder: &Path| fs::metadata(folder).expect("a folder").permissions();
    assert_eq!(permissions(&meeting.folder), permissions(&private));
}
