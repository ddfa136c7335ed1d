//! Says to the compiler which commit this is, with which compiler and for what it is built: `heaplens version` says it on.
//! No time of building is among it, so that the same source gives the same program. Programs for Windows also get their
//! icon, version and manifest.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=assets/build.rs");
    println!("cargo::rerun-if-env-changed=HEAPLENS_COMMIT");
    let of_cargo = |name: &str| env::var(name).unwrap_or_default();
    say("HEAPLENS_TARGET", &of_cargo("TARGET"));
    say("HEAPLENS_RUSTC", &answer(&of_cargo("RUSTC"), &["--version"]).unwrap_or_default());
    // Whoever packs the source without its history may name the commit.
    let given = env::var("HEAPLENS_COMMIT").ok().filter(|given| !given.is_empty());
    // Only for programs that leave this machine: else every commit would compile the crate anew.
    let recorded = || if of_cargo("PROFILE") == "release" { commit() } else { None };
    say("HEAPLENS_COMMIT", &given.or_else(recorded).unwrap_or_default());
    if of_cargo("CARGO_CFG_TARGET_OS") == "windows" {
        add_resources();
        // As much stack as on Linux and macOS; linkers give 1 or 2 MB.
        let stack = if of_cargo("CARGO_CFG_TARGET_ENV") == "msvc" { "/STACK:" } else { "-Wl,--stack," };
        println!("cargo::rustc-link-arg-bins={stack}{}", 8 << 20);
    }
}

/// Links icon, version and manifest into the program. Without a compiler of resources the program works too, but Explorer
/// shows it without an icon, and it opens a console.
fn add_resources() {
    println!("cargo::rerun-if-changed=assets/windows");
    let added = winresource::WindowsResource::new()
        .set_icon("assets/windows/heaplens.ico")
        .set_manifest_file("assets/windows/heaplens.manifest")
        .set("FileDescription", "heaplens")
        .set("LegalCopyright", "The authors of heaplens")
        .compile_for("heaplens");
    if let Err(error) = added {
        println!("cargo::warning=no icon, version and manifest: {error}");
    }
}

/// `0123456789 of 2026-01-31`, with `-dirty` behind the hash if files differ from it. Nothing without git, or where the
/// source lies in the repository of something else.
fn commit() -> Option<String> {
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    // What every commit and checkout writes to (the branch itself may be packed away), and what may differ from it.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|path| Path::new(path).exists());
    if let Some(path) = log {
        println!("cargo::rerun-if-changed={path}");
    }
    for path in ["Cargo.toml", "Cargo.lock", "src", "crates", "assets"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let hash = git(&["rev-parse", "--short=10", "HEAD"])?;
    let date = git(&["log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%d"])?;
    let differs = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|files| !files.is_empty());
    Some(format!("{hash}{} of {date}", if differs { "-dirty" } else { "" }))
}

fn git(arguments: &[&str]) -> Option<String> {
    answer("git", arguments)
}

/// What a program prints, if it is there and succeeds. Dates are those of Greenwich.
fn answer(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).env("TZ", "UTC").env("LC_ALL", "C").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn say(name: &str, value: &str) {
    println!("cargo::rustc-env={name}={value}");
}
