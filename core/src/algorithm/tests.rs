//! The conformance vectors played on the bare functions, with a map for a store.

use super::*;
use crate::policy::{Policy, Rule};
use serde_json::Value;
use std::collections::HashMap;
use std::time::Duration;

#[derive(Default)]
struct Key {
    state: Option<State>,
    segments: Vec<Segment>,
}

fn policy(v: &Value) -> Policy {
    let n = |k: &str| v[k].as_u64().unwrap();
    let us = |k: &str| Duration::from_micros(n(k));
    match v["algorithm"].as_str().unwrap() {
        "token_bucket" => Policy::token_bucket(n("capacity"), n("refill"), us("per_us")),
        "leaky_bucket" => Policy::leaky_bucket(n("capacity"), n("leak"), us("per_us")),
        "fixed_window" => Policy::fixed_window(n("limit"), us("window_us")),
        "sliding_window" => {
            Policy::sliding_window(n("limit"), us("window_us"), n("segments") as u32)
        }
        other => panic!("{other}"),
    }
    .unwrap()
}

fn single(a: impl SingleState, op: Op, key: &mut Key, now: u64, cost: u64) -> Verdict {
    let (change, verdict) = a.apply(op, key.state, now, cost);
    match change {
        Change::Keep => {}
        Change::Put(s) => key.state = Some(s),
        Change::Clear => key.state = None,
    }
    if op == Op::Consume && cost > 0 {
        assert_eq!(a.admit(key.state, now, u64::MAX >> 1), None);
    }
    verdict
}

fn sliding(
    w: &crate::policy::SlidingWindow,
    op: Op,
    key: &mut Key,
    now: u64,
    cost: u64,
) -> Verdict {
    key.segments.retain(|s| s.until > now);
    key.segments.sort_by_key(|s| s.until);
    let at = w.standing(&key.segments, now);
    let mut allowed = true;
    match op {
        Op::Refund => {
            let mut left = cost;
            for s in key.segments.iter_mut().rev() {
                let part = left.min(s.count.into());
                s.count -= part as u32;
                left -= part;
            }
            key.segments.retain(|s| s.count > 0);
        }
        _ => {
            allowed = cost == 0 || w.fits(w.weigh(&key.segments, at), cost);
            if allowed && op == Op::Consume && cost > 0 {
                let until = w.number(at) * w.segment_us;
                match key.segments.iter_mut().find(|s| s.until == until) {
                    Some(s) => s.count += cost as u32,
                    None => key.segments.push(Segment {
                        until,
                        count: cost as u32,
                    }),
                }
            }
        }
    }
    w.verdict(allowed, &key.segments, now, cost)
}

fn play(vector: &Value) -> Result<(), String> {
    let mut rule = policy(&vector["policy"]).0;
    let mut keys: HashMap<(String, (u64, u32)), Key> = HashMap::new();
    for (i, step) in vector["steps"].as_array().unwrap().iter().enumerate() {
        // Segment length and number belong to a sliding window's identity.
        let identity = match &rule {
            Rule::SlidingWindow(w) => (w.segment_us, w.segments),
            _ => (0, 0),
        };
        let name = (
            step["key"].as_str().unwrap_or_default().to_owned(),
            identity,
        );
        let key = keys.entry(name.clone()).or_default();
        let op = match step["op"].as_str().unwrap() {
            "policy" => {
                rule = policy(&step["policy"]).0;
                continue;
            }
            "reset" => {
                keys.remove(&name);
                continue;
            }
            "consume" => Op::Consume,
            "peek" => Op::Peek,
            "refund" => Op::Refund,
            "reserve" => Op::Reserve {
                max_wait: step["max_wait_us"].as_u64().unwrap(),
            },
            other => panic!("{other}"),
        };
        let (now, cost) = (
            step["at_us"].as_u64().unwrap(),
            step["cost"].as_u64().unwrap(),
        );
        let got = match &rule {
            Rule::TokenBucket(b) => single(TokenBucket(b), op, key, now, cost),
            Rule::LeakyBucket(b) => single(LeakyBucket(b), op, key, now, cost),
            Rule::FixedWindow(w) => single(*w, op, key, now, cost),
            Rule::SlidingWindow(w) => sliding(w, op, key, now, cost),
            Rule::Unlimited => unreachable!(),
        };
        let e = &step["expect"];
        let want = Verdict {
            allowed: e["allowed"].as_bool().unwrap(),
            remaining: e["remaining"].as_u64().unwrap(),
            retry_after: e["retry_after_us"].as_u64().unwrap_or(NEVER),
            reset_after: e["reset_after_us"].as_u64().unwrap(),
            wait: e["wait_us"].as_u64().unwrap(),
        };
        if got != want {
            return Err(format!("{} step {i} {step}: got {got:?}", vector["name"]));
        }
    }
    Ok(())
}

#[test]
fn vectors_hold_for_the_bare_functions() {
    let mut failed = Vec::new();
    let mut played = 0;
    for file in [
        "token_bucket",
        "leaky_bucket",
        "fixed_window",
        "sliding_window",
    ] {
        let path = format!(
            "{}/../tests/vectors/{file}.json",
            env!("CARGO_MANIFEST_DIR")
        );
        let vectors: Vec<Value> =
            serde_json::from_reader(std::fs::File::open(path).unwrap()).unwrap();
        for v in &vectors {
            played += 1;
            failed.extend(play(v).err());
        }
    }
    assert!(played > 300, "only {played} vectors");
    assert!(
        failed.is_empty(),
        "{} of {played}:\n{}",
        failed.len(),
        failed[..failed.len().min(12)].join("\n")
    );
}
