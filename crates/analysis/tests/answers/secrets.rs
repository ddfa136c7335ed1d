//! The search for credentials in a dump with known ones and with ten thousand texts that only look like some. Both are
//! made at run time, so that no scanner takes this file for a leak.

mod table;
mod template;

use std::fmt::Write as _;

use heaplens_analysis::secrets::{Secrets, secrets};
use heaplens_base::Task;
use heaplens_dump::OpenOptions;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::{Body, Sketch, Value};

use super::open_bytes;

/// Characters that the notation has no escapes for, and what they stand for.
const ESCAPES: [(char, u8); 2] = [('\u{1}', b'\n'), ('\u{2}', b'"')];
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX: &[u8] = b"0123456789abcdef";
const BASE32: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const DIGITS: &[u8] = b"0123456789";

fn some(random: &mut Random, letters: &[u8], count: usize) -> String {
    (0..count).map(|_| char::from(*random.pick(letters))).collect()
}

fn base64(bytes: &[u8], letters: &[u8; 64]) -> String {
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().enumerate().fold(0_u32, |word, (at, &byte)| word | u32::from(byte) << (16 - 8 * at));
        for at in 0..=chunk.len() {
            out.push(char::from(letters[(word >> (18 - 6 * at) & 63) as usize]));
        }
    }
    out
}

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const FOR_URLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn bytes(random: &mut Random, count: usize) -> Vec<u8> {
    (0..count).map(|_| random.number() as u8).collect()
}

/// A number with a check digit by Luhn, or with another last digit.
fn card(random: &mut Random, prefix: &str, length: usize, is_right: bool) -> String {
    let before = prefix.to_owned() + &some(random, DIGITS, length - 1 - prefix.len());
    let sum = |text: &str| -> u32 {
        let digits = text.bytes().rev().map(|byte| u32::from(byte - b'0'));
        digits.enumerate().map(|(at, digit)| if at % 2 == 1 { digit * 2 % 10 + digit * 2 / 10 } else { digit }).sum()
    };
    let right = (0..10).find(|digit| sum(&format!("{before}{digit}")) % 10 == 0).expect("one digit fits");
    format!("{before}{}", if is_right { right } else { (right + 3) % 10 })
}

fn grouped(number: &str, separator: &str) -> String {
    let groups: Vec<&str> = [0, 4, 8, 12].iter().map(|&at| &number[at..at + 4]).collect();
    groups.join(separator)
}

fn jwt(random: &mut Random, header: &str) -> String {
    let payload = format!("{{\"sub\":\"{}\"}}", some(random, DIGITS, 10));
    let signature = bytes(random, 32);
    let part = |bytes: &[u8]| base64(bytes, FOR_URLS);
    [part(header.as_bytes()), part(payload.as_bytes()), part(&signature)].join(".")
}

fn pem(random: &mut Random, kind: &str, header: &str) -> String {
    let body: Vec<String> = (0..6).map(|_| base64(&bytes(random, 48), STANDARD)).collect();
    let dashes = "-".repeat(5);
    format!("{dashes}BEGIN {kind}{dashes}\u{1}{header}{}\u{1}{dashes}END {kind}{dashes}", body.join("\u{1}"))
}

/// Where a credential is.
enum CredentialLocation {
    /// A string in a list.
    List,
    /// A string in a field of the account.
    Field(&'static str),
    /// A `char[]` in a field of the account.
    Characters(&'static str),
    /// A value of a map, with its key.
    Map(&'static str),
}

/// Credentials of all kinds: value, place, and the kind that is expected; an empty one is not found.
fn planted(random: &mut Random) -> Vec<(String, CredentialLocation, &'static str)> {
    use CredentialLocation::{Characters, Field, List, Map};
    let mut all = Vec::new();
    let r = random;
    let key = "PRIVATE KEY";
    for (kind, header) in [
        (format!("RSA {key}"), ""),
        (format!("EC {key}"), ""),
        (format!("ENCRYPTED {key}"), ""),
        (format!("RSA {key}"), "Proc-Type: 4,ENCRYPTED\u{1}DEK-Info: AES-128-CBC,0011\u{1}\u{1}"),
        (format!("OPENSSH {key}"), ""),
    ] {
        all.push((pem(r, &kind, header), List, "private-key"));
    }
    for header in ["{\"alg\":\"HS256\",\"typ\":\"JWT\"}", "{\"typ\":\"JWT\",\"alg\":\"RS256\",\"kid\":\"1\"}"] {
        all.push((jwt(r, header), List, "jwt"));
    }
    all.push((format!("token is {} for now", jwt(r, "{\"alg\":\"ES256\"}")), List, "jwt"));
    let mut with = |r: &mut Random, prefix: [&str; 2], letters: &[u8], count: usize, kind: &'static str| {
        all.push((prefix.concat() + &some(r, letters, count), List, kind));
    };
    with(r, ["AK", "IA"], BASE32, 16, "aws-access-key");
    with(r, ["AS", "IA"], BASE32, 16, "aws-access-key");
    with(r, ["gh", "p_"], LETTERS, 36, "github-token");
    with(r, ["gh", "o_"], LETTERS, 36, "github-token");
    with(r, ["github_", "pat_"], LETTERS, 82, "github-token");
    with(r, ["glp", "at-"], LETTERS, 20, "gitlab-token");
    with(r, ["xo", "xb-1234567890-"], LETTERS, 24, "slack-token");
    with(r, ["AI", "za"], LETTERS, 35, "google-key");
    with(r, ["GOC", "SPX-"], LETTERS, 28, "google-key");
    with(r, ["sk_", "live_"], LETTERS, 24, "stripe-key");
    with(r, ["whs", "ec_"], LETTERS, 32, "stripe-key");
    with(r, ["np", "m_"], LETTERS, 36, "npm-token");
    with(r, ["pypi-", "AgEIcHlwaS5vcmc"], LETTERS, 60, "pypi-token");
    with(r, ["shp", "at_"], HEX, 32, "shopify-token");
    with(r, ["hv", "s."], LETTERS, 28, "vault-token");
    with(r, ["https://hooks.slack.com/services/", "T0AB12CD3/B0AB12CD3/"], LETTERS, 24, "slack-webhook");
    with(r, ["Bear", "er "], LETTERS, 40, "authorization");
    with(r, ["", ""], LETTERS, 41, "token");
    let sendgrid = format!("S{}.{}.{}", "G", some(r, LETTERS, 22), some(r, LETTERS, 43));
    all.push((sendgrid, List, "sendgrid-key"));
    let azure = format!("Endpoint=x;Account{}={}==", "Key", some(r, LETTERS, 86));
    all.push((azure, List, "azure-key"));
    let basic = base64(format!("ann:{}", some(r, LETTERS, 9)).as_bytes(), STANDARD);
    all.push((format!("Authorization: Basic {basic}"), List, "authorization"));
    let word = |r: &mut Random| some(r, LETTERS, 10) + "!7";
    all.push((format!("jdbc:postgresql://db/shop?user=ann&password={}", word(r)), List, "password"));
    all.push((format!("Server=db;Uid=ann;P{}={};", "wd", word(r)), List, "password"));
    all.push((format!("postgres://ann:{}@db.test/shop", word(r)), List, "url-password"));
    all.push((format!("redis://:{}@cache.test:6379", word(r)), List, "url-password"));
    all.push((format!("{{\u{2}user\u{2}:\u{2}ann\u{2},\u{2}password\u{2}:\u{2}{}\u{2}}}", word(r)), List, "password"));
    all.push((grouped(&card(r, "4539", 16, true), " "), List, "payment-card"));
    all.push((card(r, "5312", 16, true), Field("cardNumber"), "payment-card"));
    all.push(("correcthorse".to_owned(), Field("password"), "password"));
    all.push((word(r), Characters("keyPassphrase"), "password"));
    all.push((word(r), Map("db.password"), "password"));
    all.push((some(r, HEX, 32), Field("apiKey"), "secret"));
    all.push((some(r, LETTERS, 40), Map("client_secret"), "secret"));
    // Nothing tells that these are credentials.
    all.push(("tr0ub4dor".to_owned(), List, ""));
    all.push((some(r, HEX, 32), List, ""));
    all
}

/// A text that looks like a credential and is none.
fn look_alike(random: &mut Random, nth: usize) -> String {
    let r = random;
    let plain = [
        "Forgot your password?",
        "Password:",
        "The password must have 8 characters",
        "password=${DB_PASSWORD}",
        "password = required",
        "spring.datasource.password",
        "Bearer token is missing",
        "Authorization: Bearer <token>",
        "https://shop.test/login?next=/cart#top",
        "https://shop.test:8443/a/b@2x.png",
        "jdbc:postgresql://db.test:5432/shop",
        "mailto:ann@shop.test",
        "secret=%s",
        "INVALID_TOKEN_EXCEPTION",
        "javax.net.ssl.keyStorePassword",
        "postgres://user:password@localhost/db",
    ];
    match nth % 20 {
        0 => format!(
            "{}-{}-4{}-a{}-{}",
            some(r, HEX, 8),
            some(r, HEX, 4),
            some(r, HEX, 3),
            some(r, HEX, 3),
            some(r, HEX, 12)
        ),
        1 => some(r, HEX, 40),
        2 => some(r, HEX, 64),
        3 => format!("com.example.shop.order{}.Order{}Handler$Builder", nth, some(r, DIGITS, 2)),
        4 => format!("data:image/png;base64,{}", base64(&bytes(r, 300), STANDARD)),
        5 => base64(&bytes(r, 240), STANDARD),
        6 => card(r, "4", 16, false),
        7 => some(r, DIGITS, 16),
        8 => grouped(&card(r, "4", 16, false), "-"),
        9 => card(r, "4", 16, true),
        10 => base64(&bytes(r, 32), STANDARD) + "=",
        11 => base64(&bytes(r, 32), FOR_URLS),
        12 => format!("getUserAccountById{}AndStatusCode{}", some(r, DIGITS, 1), some(r, DIGITS, 2)),
        13 => format!("/srv/app/releases/{}/lib/app-{}.jar", some(r, DIGITS, 14), some(r, HEX, 7)),
        14 => format!("2026-11-{:02}T12:{:02}:00.000Z order {}", nth % 28 + 1, nth % 60, some(r, DIGITS, 12)),
        15 => format!("W/\"{}\"", some(r, HEX, 32)).replace('"', "\u{2}"),
        16 => format!("ann.smith{}@shop.test", some(r, DIGITS, 4)),
        17 => format!("eyebrow.eyelid.eyelash{}", some(r, DIGITS, 5)),
        18 => plain[nth / 20 % plain.len()].to_owned(),
        _ => format!("{0}BEGIN {1}{0}", "-".repeat(5), "PRIVATE KEY"),
    }
}

/// Replaces the stand-ins of characters in all strings.
fn unescape(sketch: &mut Sketch) {
    for object in &mut sketch.objects {
        if let Body::Primitives { elements, .. } = &mut object.body {
            for element in elements {
                let Value::Byte(byte) = element else { continue };
                if let Some((_, real)) = ESCAPES.iter().find(|(stand_in, _)| *stand_in as u8 == byte.cast_unsigned()) {
                    *byte = real.cast_signed();
                }
            }
        }
    }
}

fn search(text: &str) -> Secrets {
    let mut sketch = notation::read(text).expect("a heap");
    unescape(&mut sketch);
    let dump = open_bytes(write(&sketch, Form::MODERN), &OpenOptions::default());
    secrets(dump.data(), &Task::new()).expect("not cancelled")
}

const CLASSES: &str = "
    class java.util.HashMap$Node
      field hash: int
      field key: object
      field value: object
      field next: object
    class shop.Account
      field password: object
      field keyPassphrase: object
      field apiKey: object
      field cardNumber: object
    class shop.Form
      field passwordLabel: object
      field token: object
      field orderId: object
";

#[test]
fn planted_credentials_are_found_and_look_alikes_are_not() {
    const LOOK_ALIKES: usize = 10_000;
    let mut random = Random::new(11);
    let planted = planted(&mut random);
    let (mut text, mut list, mut account) = (CLASSES.to_owned(), Vec::new(), String::new());
    let mut wanted = Vec::new();
    for (nth, (value, location, kind)) in planted.iter().enumerate() {
        let name = format!("p{nth}");
        wanted.push((*kind, value.chars().count(), name.clone()));
        match location {
            CredentialLocation::Characters(field) => {
                let letters: Vec<String> = value.chars().map(|c| u32::from(c).to_string()).collect();
                let _fits = writeln!(text, "{name} = char[] {}", letters.join(" "));
                let _fits = write!(account, " {field}={name}");
            }
            _ => {
                let _fits = writeln!(text, "{name} = \"{value}\"");
            }
        }
        match location {
            CredentialLocation::List => list.push(name),
            CredentialLocation::Field(field) => {
                let _fits = write!(account, " {field}={name}");
            }
            CredentialLocation::Map(key) => {
                let _fits =
                    writeln!(text, "k{nth} = \"{key}\"\nn{nth} = java.util.HashMap$Node key=k{nth} value={name}");
                list.push(format!("n{nth}"));
            }
            CredentialLocation::Characters(_) => {}
        }
    }
    for nth in 0..LOOK_ALIKES {
        let _fits = writeln!(text, "l{nth} = \"{}\"", look_alike(&mut random, nth));
        list.push(format!("l{nth}"));
    }
    let _fits = writeln!(text, "account = shop.Account{account}");
    text.push_str("form = shop.Form passwordLabel=l18 token=l12 orderId=l9\n");
    let _fits = writeln!(text, "all = java.lang.Object[] account form {}\nroot all global", list.join(" "));
    let sketch = notation::read(&text).expect("a heap");
    let actual = search(&text);
    let ids: Vec<(u64, &str, usize)> =
        wanted.iter().map(|(kind, length, name)| (sketch.id(name), *kind, *length)).collect();
    let dump = open_bytes(write(&sketch, Form::MODERN), &OpenOptions::default());
    let objects = |group: &heaplens_analysis::secrets::SecretGroup| -> Vec<u64> {
        group.objects.iter().map(|&object| dump.facts.heap.address(object).0).collect()
    };
    let mut missed = Vec::new();
    for &(id, kind, length) in &ids {
        let hit = actual.groups.iter().find(|group| objects(group).contains(&id));
        match hit {
            Some(group) => {
                assert_eq!(group.kind, kind, "{id:#x}");
                assert!(group.length as usize <= length);
            }
            None => missed.push(kind),
        }
    }
    let false_ones: Vec<String> = (actual.groups.iter())
        .filter(|group| objects(group).iter().any(|object| !ids.iter().any(|&(id, ..)| id == *object)))
        .map(|group| format!("{} {}", group.kind, group.masked))
        .collect();
    // The figures in `docs/commands/secrets.md`.
    assert!(ids.len() >= 40, "{}", ids.len());
    assert_eq!(missed, ["", ""], "those without any sign are missed");
    assert!(false_ones.len() <= 2, "{false_ones:?}");
}

/// Values are grouped and masked, and say who holds them.
#[test]
fn equal_values_are_one_masked_group() {
    let text = format!(
        "{CLASSES}
        a = shop.Account password=one
        b = shop.Account password=two
        one = \"hunter2!hunter2!\"
        two = \"hunter2!hunter2!\"
        all = java.lang.Object[] a b
        root all global"
    );
    let actual = search(&text);
    let [group] = &*actual.groups else { panic!("{:?}", actual.groups) };
    assert_eq!((group.kind, group.masked.as_str(), group.objects.len()), ("password", "hunt… (16 characters)", 2));
    assert_eq!(group.holder.as_deref(), Some("shop.Account.password"));
    assert_eq!(group.length, 16);
}
