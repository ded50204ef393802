//! Several limits at once.

use super::*;
use ratelimit_core::Charge;

fn charge<'a>(limiter: &'a Limiter, key: &'a str) -> Charge<'a, 'a> {
    Charge {
        limiter,
        key: key.as_bytes(),
        cost: 1,
    }
}

/// Seen in symfony 40705 and laravel 54386: the limit that had room was charged for calls that
/// the other one refused.
#[test]
fn refused_by_one_limit_is_charged_to_none() {
    for policy in all_policies(10, s(60)) {
        on_each_store(policy, |one| {
            let user = Limiter::new("user", fixed(1, s(60)), &one.store).unwrap();
            let global = &one.limiter;
            for (key, order) in [("a", false), ("b", true)] {
                let mut allowed = 0;
                for _ in 0..20 {
                    let mut both = [charge(&user, key), charge(global, key)];
                    if order {
                        both.reverse();
                    }
                    let decision = Limiter::consume_all(&both).unwrap();
                    allowed += u64::from(decision.allowed);
                    if !decision.allowed {
                        assert_eq!(decision.limiter, "user");
                    }
                }
                assert_eq!(allowed, 1);
                assert_eq!(global.peek(key, 1).unwrap().remaining, 9);
            }
        });
    }
}

/// Seen in laravel 45088: two limits on one key counted in one place.
#[test]
fn two_limits_on_one_key_count_apart() {
    on_each_store(fixed(3, s(60)), |one| {
        let day = Limiter::new("day", fixed(30, s(86_400)), &one.store).unwrap();
        let charges = [charge(&one.limiter, KEY), charge(&day, KEY)];
        let decision = Limiter::consume_all(&charges).unwrap();
        assert_eq!((decision.allowed, decision.remaining), (true, 2));
        assert_eq!(one.peek(1).remaining, 2);
        assert_eq!(day.peek(KEY, 1).unwrap().remaining, 29);
    });
}
