//! Prints the ten objects of a dump with the largest retained sizes: class, id, bytes.
//! `cargo run --release --package heaplens-engine --example largest -- app.hprof`
#![expect(clippy::print_stdout, reason = "the result of the program")]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: largest DUMP")?;
    let dump = heaplens_engine::open(path)?;
    for object in dump.largest(10) {
        let class = dump.class_name(dump.class_of(object));
        println!("{class} {} {}", dump.id(object), dump.retained_size(object).0);
    }
    Ok(())
}
