//! User-written lists: leak rules, JavaScript rules, known Android leaks, runtime classes, filters. The first byte
//! selects the kind.
#![no_main]

use heaplens_analysis::android::shark::Matchers;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::javascript::rules::Rules;
use heaplens_analysis::runtime_classes::RuntimeClasses;
use heaplens_session::LeakRules;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((which, text)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    match which % 5 {
        0 => drop(LeakRules::default().add(&text)),
        1 => drop(Matchers::default().add(&text)),
        2 => drop(Rules::default().add(&text)),
        3 => {
            let rules = RuntimeClasses::with(&text);
            for class in text.lines().take(8).chain(["java.lang.String", "", "a.b.C$D"]) {
                let _contained = rules.contains(class);
            }
        }
        _ => {
            if let Ok(filter) = TextFilter::parse(&text) {
                for line in text.lines().take(8) {
                    let _matched = filter.matches(line);
                }
            }
        }
    }
});
