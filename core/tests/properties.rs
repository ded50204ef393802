//! Every decision of every call is the naive model's, whatever is called and when; and what
//! follows from the definitions, asked directly.

mod model;

use model::{cases, play};
use proptest::prelude::*;

/// Tables are hashed with a new secret each time, so a seed would not bring a case back.
fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 2_000,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_decision_equals_the_models(case in cases()) {
        play(&case)?;
    }
}
