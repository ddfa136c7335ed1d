//! Writes dumps of a fleet: three programs in five versions on six devices, with twelve leaks that come and go. Two of a
//! hundred files are damaged, and one is hostile. What was planted is in `truth.jsonl`.
//!
//!     cargo run --release -p heaplens_testkit --example fleet -- FOLDER DUMPS

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::program::Program;
use heaplens_testkit::random::Random;
use heaplens_testkit::world::{Key, PartAddresses, ProgramObject, World};

const APPS: [&str; 3] = ["shop", "mail", "maps"];
const VERSIONS: [&str; 5] = ["1.8", "1.9", "1.10", "1.11", "1.12"];
const DEVICES: [&str; 6] = ["pixel-7", "pixel-8", "galaxy-s23", "mate-60", "moto-g", "emulator"];
/// Objects of the program without its leaks, in tens.
const DEFAULT_DUMPS: u32 = 120;
/// First key of planted objects.
const PLANTED: Key = 1_000_000;
/// Milliseconds of a version: two weeks, from November 2025 on.
const VERSION_MILLIS: u64 = 14 * 86_400_000;
const BEGIN_MILLIS: u64 = 1_762_000_000_000;

/// A leak: program, class and field that hold it, class that accumulates, share of dumps in a hundred, and objects by
/// version.
struct Leak(&'static str, &'static str, &'static str, &'static str, u32, [u32; 5]);

const LEAKS: [Leak; 12] = [
    Leak("shop", "shop.cart.CartCache", "ENTRIES", "shop.cart.Cart", 90, [400, 500, 600, 700, 900]),
    Leak("shop", "shop.image.Thumbnails", "LOADED", "shop.image.Thumbnail", 70, [600, 600, 600, 0, 0]),
    Leak("shop", "shop.push.Listeners", "ALL", "shop.push.Listener", 60, [0, 0, 0, 0, 700]),
    Leak("shop", "shop.log.Trail", "LINES", "shop.log.Line", 50, [500, 500, 0, 0, 500]),
    Leak("mail", "mail.sync.Pending", "BY_ID", "mail.sync.Message", 80, [1_200, 1_000, 900, 800, 500]),
    Leak("mail", "mail.search.Terms", "INDEX", "mail.search.Term", 70, [0, 800, 800, 800, 800]),
    Leak("mail", "mail.ui.Drafts", "OPEN", "mail.ui.Draft", 60, [0, 0, 0, 700, 0]),
    Leak("mail", "mail.net.Sessions", "LIVE", "mail.net.Session", 50, [0, 0, 0, 0, 600]),
    Leak("maps", "maps.tile.Tiles", "CACHE", "maps.tile.Tile", 90, [700, 700, 700, 700, 700]),
    Leak("maps", "maps.route.History", "STEPS", "maps.route.Step", 80, [900, 0, 0, 0, 0]),
    Leak("maps", "maps.gps.Samples", "RECENT", "maps.gps.Sample", 70, [0, 0, 400, 700, 1_100]),
    Leak("maps", "maps.poi.Places", "SEEN", "maps.poi.Place", 60, [0, 600, 0, 600, 0]),
];

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, dumps] = &arguments[..] else {
        return Err(io::Error::other("fleet FOLDER DUMPS"));
    };
    let dumps: u64 = dumps.parse().map_err(io::Error::other)?;
    let folder = Path::new(folder);
    let mut truth = Vec::new();
    for number in 0..dumps {
        let mut random = Random::new(number + 1);
        let (app, version_index, device) = (*random.pick(&APPS), random.below(5) as usize, *random.pick(&DEVICES));
        let version = VERSIONS[version_index];
        let path = format!("app={app}/version={version}/device={device}/{number:05}.hprof");
        let mut world =
            Program::new(APPS.iter().position(|known| *known == app).unwrap_or(0) as u64, DEFAULT_DUMPS).world;
        let mut planted = Vec::new();
        for (leak, key) in LEAKS.iter().zip((PLANTED..).step_by(100_000)) {
            let (has, size) = (leak.0 == app && random.below(100) < leak.4, leak.5[version_index]);
            if has && size > 0 {
                plant(&mut world, leak, size, key);
                planted.push(format!("{}.{}", leak.1, leak.2));
            }
        }
        let sketch = world.sketch(&PartAddresses::fresh(&world, &mut random));
        let mut bytes = write(&sketch, Form::MODERN);
        let millis = BEGIN_MILLIS + version_index as u64 * VERSION_MILLIS + random.number() % VERSION_MILLIS;
        // The time is after the name of the format and the size of ids.
        bytes[23..31].copy_from_slice(&millis.to_be_bytes());
        let damage = damage(number, &mut bytes, &mut random);
        let file = folder.join(&path);
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        fs::write(file, bytes)?;
        let planted = planted.iter().map(|leak| format!("\"{leak}\"")).collect::<Vec<_>>().join(",");
        writeln!(
            truth,
            r#"{{"dump":"{path}","app":"{app}","version":"{version}","device":"{device}","damage":"{damage}","leaks":[{planted}]}}"#
        )?;
    }
    fs::write(folder.join("truth.jsonl"), truth)
}

/// Adds a leak: a map or a list of a static, with objects that have a text each.
fn plant(world: &mut World, Leak(_, holder, field, class, _, _): &Leak, size: u32, first: Key) {
    let record = |at: u32| first + 1 + 3 * at;
    for at in 0..size {
        let (object, text, key) = (record(at), record(at) + 1, record(at) + 2);
        let class = (*class).to_owned();
        let fields = [Some(text), None];
        world.things.insert(object, ProgramObject::Record { class, number: at.into(), fields });
        world
            .things
            .insert(text, ProgramObject::Text(format!("{class} of number {at:06}", class = field.to_lowercase())));
        world.things.insert(key, ProgramObject::Number(at.cast_signed()));
    }
    let is_map = (first / 100_000).is_multiple_of(2);
    let holding = if is_map {
        let entries = (0..size).map(|at| (record(at) + 2, record(at))).collect();
        ProgramObject::Map { entries, room: (2 * size).next_power_of_two() as usize }
    } else {
        ProgramObject::List { elements: (0..size).map(record).collect(), room: size as usize * 5 / 4 }
    };
    world.things.insert(first, holding);
    world.classes.entry((*class).to_owned()).or_default();
    world.classes.entry((*holder).to_owned()).or_default().insert((*field).to_owned(), Some(first));
}

/// Damages some files: two of a hundred, and one that claims what no memory has.
fn damage(number: u64, bytes: &mut Vec<u8>, random: &mut Random) -> &'static str {
    match number % 100 {
        _ if number == 7 => {
            bytes.truncate(31);
            // A heap dump with an array of objects, as long as a length can say.
            bytes.extend([0x1c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
            bytes.extend([0x22, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xfe, 0, 0, 0, 0, 0, 0, 0, 2]);
            "hostile"
        }
        33 => {
            bytes.truncate(bytes.len() / 2);
            "truncated"
        }
        66 => {
            bytes.truncate(4_096);
            bytes.iter_mut().for_each(|byte| *byte = random.below(256) as u8);
            "noise"
        }
        _ => "",
    }
}
