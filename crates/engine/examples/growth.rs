//! Prints what grew between two dumps of one program.
//! `cargo run --release --package heaplens-engine --example growth -- before.hprof after.hprof`
#![expect(clippy::print_stdout, reason = "the result of the program")]

use heaplens_engine::{Task, compare, open};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths = std::env::args().skip(1);
    let (Some(before), Some(after)) = (paths.next(), paths.next()) else {
        return Err("usage: growth BEFORE AFTER".into());
    };
    let (before, after, task) = (open(before)?, open(after)?, Task::new());
    let comparison = compare(&before, &after, &task)?;
    for row in comparison.growth.rows.iter().take(10) {
        println!("{:>12} {}", row.bytes, after.growth_name(&comparison, row, &task)?);
    }
    Ok(())
}
