//! Classes as sentences name them: those that the virtual machine makes of lambda expressions by the class that has these.

use crate::naming::source_class;
use heaplens_base::invisible::one_line;
use heaplens_heap::split_class;

/// Name of the class of so many objects, with its package: `lambdas in shop.Desk`.
pub fn class_or_lambda(class: &str, objects: u64) -> String {
    one_line(&source_class(class, objects))
}

/// Name without its package: `lambdas in Desk`.
pub fn simple(class: &str, objects: u64) -> String {
    let name = class_or_lambda(class, objects);
    // The class is the last word.
    match name.rsplit_once(" in ") {
        Some((lambdas, host)) => format!("{lambdas} in {}", split_class(host).1),
        None => split_class(&name).1.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lambdas_have_the_simple_name_of_their_class() {
        assert_eq!(simple("shop.Desk$$Lambda$14+0x00007f51fc006000", 2), "lambdas in Desk");
        assert_eq!(simple("shop.Desk", 2), "Desk");
        assert_eq!(class_or_lambda("shop.Desk$$Lambda/0x00007f51fc006000", 1), "lambda in shop.Desk");
    }
}
