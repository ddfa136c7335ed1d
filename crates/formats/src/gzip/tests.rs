//! Guessing must not change the result: the bytes are those of sequential reading.

use std::io::{Read, Write};

use flate2::bufread::MultiGzDecoder;
use flate2::{Compression, Crc, GzBuilder};

use super::*;
use heaplens_base::Unit;

/// Bounds that lead to many guesses, none, too little input, too small buffers, and runs of members.
const BOUNDS: [Bounds; 5] = [
    Bounds { guesses: 5, apart: 1, packed: 1 << 16, unpacked: 1 << 16 },
    Bounds { guesses: 0, apart: 1, packed: 1 << 16, unpacked: 1 << 16 },
    Bounds { guesses: 3, apart: 1, packed: 90, unpacked: 1 << 16 },
    Bounds { guesses: 4, apart: 1, packed: 1 << 16, unpacked: 100 },
    Bounds { guesses: 4, apart: 100, packed: 1 << 16, unpacked: 1 << 16 },
];

fn member(of: GzBuilder, level: u32, bytes: &[u8]) -> Vec<u8> {
    let mut packer = of.write(Vec::new(), Compression::new(level));
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn plain(level: u32, bytes: &[u8]) -> Vec<u8> {
    member(GzBuilder::new(), level, bytes)
}

/// Incompressible bytes.
fn noise(length: usize) -> Vec<u8> {
    let next = |state: &mut u32| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some((*state >> 24) as u8)
    };
    std::iter::repeat_n((), length).scan(7, |state, ()| next(state)).collect()
}

/// Packs with all optional parts of a header, including the header checksum.
fn with_full_header(bytes: &[u8]) -> Vec<u8> {
    let names = GzBuilder::new().extra(&b"ex\x03\x00\x1f\x8b\x08"[..]).filename("dump").comment("HPROF BLOCKSIZE=9");
    let mut member = member(names, 1, bytes);
    let header = 9 + member.windows(9).position(|at| at == b"CKSIZE=9\0").unwrap();
    member[3] |= 1 << 1;
    let mut sum = Crc::new();
    sum.update(&member[..header]);
    member.splice(header..header, (sum.sum() as u16).to_le_bytes());
    member
}

/// Members of various kinds, all with the hint of level 1.
fn mixed() -> Vec<u8> {
    let within = [plain(1, b"a whole member inside of another"), noise(30), plain(1, b"")].concat();
    [
        plain(1, b"first"),
        plain(1, b""),
        plain(1, &noise(120)),
        plain(0, &within),
        with_full_header(b"described"),
        plain(1, &[b'z'; 3000]),
        plain(1, b""),
        plain(0, &within[..20]),
        plain(1, b"last"),
    ]
    .concat()
}

/// Result of a sequential reader, block by block: the bytes, its position, and the error that ended it.
fn from_front_to_back(packed: &[u8]) -> (Vec<u8>, Option<(usize, String)>) {
    let mut decoder = MultiGzDecoder::new(packed);
    let (mut unpacked, mut block) = (Vec::new(), vec![0; BLOCK]);
    loop {
        let at = packed.len() - decoder.get_ref().len();
        match decoder.read(&mut block) {
            Ok(0) => return (unpacked, None),
            Ok(n) => unpacked.extend(&block[..n]),
            Err(error) => return (unpacked, Some((at, error.to_string()))),
        }
    }
}

/// Unpacks within `bounds` and compares.
fn check(what: &str, packed: &[u8], bounds: Bounds) {
    let task = Task::new();
    task.step("Unpacking", Unit::Bytes, packed.len() as u64);
    let mut unpacked: Vec<u8> = Vec::new();
    let write = |bytes: &[u8]| {
        unpacked.extend(bytes);
        Ok(())
    };
    let mut unpacking = ParallelDecoder::new(packed, bounds, write, &task);
    let damage = unpacking.run().unwrap();
    let a_round = (bounds.guesses * (bounds.packed + bounds.unpacked)) as u64;
    assert!(unpacking.wasted <= unpacking.useful / USEFUL_PER_WASTED + a_round, "{what}: {} wasted", unpacking.wasted);
    let (expected, end) = from_front_to_back(packed);
    assert!(unpacked == expected, "{what}, {bounds:?}: {} bytes, not {}", unpacked.len(), expected.len());
    let done = task.progress().done as usize;
    match (damage, end) {
        (None, None) => assert_eq!(done, packed.len(), "{what}, {bounds:?}"),
        (Some(damage), Some((at, error))) => {
            let position = format!("after {done} compressed bytes ({error})");
            // Of the last member, the decoder does not tell the checksum from the length.
            let is_checksum = error.contains("checksum") && damage.contains("checksum does not match");
            assert!(is_checksum || damage.contains(&position), "{what}, {bounds:?}: {damage}");
            // The first header and the trailers of earlier members are not counted by our reader.
            assert!(done <= packed.len() && (done >= at || done == 0), "{what}, {bounds:?}: {at} {damage}");
        }
        outcome => panic!("{what}, {bounds:?}: {outcome:?}"),
    }
}

fn check_all(what: &str, packed: &[u8]) {
    BOUNDS.into_iter().for_each(|bounds| check(what, packed, bounds));
}

#[test]
fn complete_files_are_unpacked() {
    let many: Vec<u8> = (0..60).flat_map(|n| plain(1, &noise(n * 7))).collect();
    let of_two_programs = [plain(1, b"fast"), plain(9, b"best"), plain(9, b"best again"), plain(1, b"fast again")];
    for (what, packed) in [
        ("nothing", Vec::new()),
        ("one member", plain(6, &noise(70_000))),
        ("one member of less than its header", plain(1, b"")),
        ("many members", many),
        ("empty members only", plain(1, b"").repeat(30)),
        ("large among small", [plain(1, b"a"), plain(1, &noise(5000)), plain(1, b"b"), plain(1, b"c")].concat()),
        ("a little of everything", mixed()),
        ("of two programs", of_two_programs.concat()),
    ] {
        check_all(what, &packed);
    }
}

#[test]
fn members_longer_than_a_block_and_than_a_guess() {
    let long = plain(1, &noise(BLOCK + 3));
    let packed =
        [&plain(1, b"a"), &long, &plain(1, &vec![1; 5 * BLOCK]), &long, &plain(1, b"b")].map(|m| &m[..]).concat();
    let mut damaged = packed.clone();
    damaged[60 + BLOCK] ^= 1;
    let bounds = Bounds { guesses: 4, apart: 1, packed: 5 << 20, unpacked: 4 << 20 };
    for (what, packed) in [("long", &packed[..]), ("cut", &packed[..packed.len() - 1000]), ("damaged", &damaged)] {
        check(what, packed, bounds);
        check(what, packed, BOUNDS[0]);
    }
}

#[test]
fn truncated_files_are_unpacked_as_far_as_possible() {
    let packed = mixed();
    for length in 0..packed.len() {
        check_all(&format!("cut to {length}"), &packed[..length]);
    }
}

#[test]
fn files_with_any_flipped_byte() {
    let packed = mixed();
    for at in 0..packed.len() {
        for flip in [1 << (at % 8), 0xff] {
            let mut damaged = packed.clone();
            damaged[at] ^= flip;
            check_all(&format!("byte {at} ^ {flip}"), &damaged);
        }
    }
}

#[test]
fn trailing_bytes_after_the_last_member() {
    for garbage in [
        &b"\0"[..],
        &[0; 512],
        b"garbage",
        &[0x1f],
        &[0x1f, 0x8b, 8, 0, 0],
        &[0x1f, 0x8b, 8, 0xe0, 0, 0, 0, 0, 4, 255, 3, 0],
    ] {
        check_all(&format!("{garbage:?}"), &[&mixed(), garbage].concat());
        check_all(&format!("{garbage:?}"), &[&plain(1, b"one"), garbage].concat());
    }
}

#[test]
fn a_file_made_to_mislead_wastes_little() {
    // Members that contain the starts of many others that never end.
    let trap: Vec<u8> = plain(0, &noise(9000)).into_iter().take(400).collect();
    let traps = trap[..60].repeat(6);
    let packed: Vec<u8> = (0..200).flat_map(|_| plain(0, &traps)).collect();
    check_all("traps", &packed);
}

#[test]
fn every_member_written_by_the_jdk_is_guessed() {
    let packed = include_bytes!("../../../../fixtures/leak-after-jdk25.hprof.gz");
    let (task, bounds) = (Task::new(), Bounds { guesses: 4, apart: 1, packed: 5 << 20, unpacked: 4 << 20 });
    check("JDK 25", packed, bounds);
    let mut unpacking = ParallelDecoder::new(packed, bounds, |_: &[u8]| Ok(()), &task);
    assert_eq!(unpacking.run().unwrap(), None);
    assert!(unpacking.block.iter().all(|byte| *byte == 0), "something was streamed");
    assert_eq!(unpacking.wasted, 0);
}

#[test]
fn it_stops_when_cancelled_and_when_nothing_can_be_written() {
    let packed = mixed();
    for bounds in BOUNDS {
        let task = Task::new();
        let full = |_: &[u8]| Err(std::io::Error::from(std::io::ErrorKind::StorageFull).into());
        let error = ParallelDecoder::new(&packed, bounds, full, &task).run().unwrap_err();
        assert!(matches!(error, OpenError::Io(_)), "{error:?}");
        let mut writes = 0;
        let write = |_: &[u8]| {
            writes += 1;
            task.cancel();
            Ok(())
        };
        assert!(matches!(ParallelDecoder::new(&packed, bounds, write, &task).run(), Err(OpenError::Cancelled)));
        assert!(writes < 8, "{bounds:?}: {writes} writes");
    }
}

#[test]
fn pool_threads_may_unpack_too() {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| check_all("in the pool", &mixed()));
        let both = || rayon::join(|| check_all("in the pool", &mixed()), || check_all("beside it", &mixed()));
        pool.install(both);
    }
}
