//! `--review RECORD.jsonl=LOG`: records of relations that the judges of a contest decide about.

use std::path::PathBuf;

use mapjudge::ground_truth::{ReviewJob, open_review};
use mapper::RangeLimits;
use server::ReviewDesk;
use truth::{AcceptRule, SecondOpinions};

use crate::failure::Failure;

/// Ranges from here on are no returns, as in `mapjudge truth review`.
const RANGE: RangeLimits = RangeLimits { min_m: 0.02, max_m: 80.0 };

/// A record, and the log with its scans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewedRecord {
    record: PathBuf,
    log: PathBuf,
}

/// Parses `RECORD.jsonl=LOG`.
pub fn parse_review(text: &str) -> Result<ReviewedRecord, String> {
    let parts = text.split_once('=').filter(|(record, log)| !record.is_empty() && !log.is_empty());
    let (record, log) = parts.ok_or_else(|| "expected a record and its log, RECORD.jsonl=LOG".to_owned())?;
    Ok(ReviewedRecord { record: record.into(), log: log.into() })
}

/// Opens records for the desk of a contest, where whoever is logged in decides.
pub fn open_reviews(records: &[ReviewedRecord]) -> Result<Vec<ReviewDesk>, Failure> {
    let open = |one: &ReviewedRecord| {
        let job = ReviewJob {
            record: one.record.clone(),
            log: one.log.clone(),
            reviewer: String::new(),
            time: None,
            figure: one.record.with_extension("svg"),
            rule: AcceptRule::default(),
            range: RANGE,
            second: SecondOpinions::default(),
        };
        let review = open_review(&job, &mapjudge::ReadOptions::default())?;
        Ok(ReviewDesk::new(review, String::new(), None))
    };
    records.iter().map(open).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_with_its_log() {
        let parsed = parse_review("a/record.jsonl=b/run.log").unwrap();
        assert_eq!((parsed.record, parsed.log), ("a/record.jsonl".into(), "b/run.log".into()));
        for text in ["record.jsonl", "=run.log", "record.jsonl=", ""] {
            assert!(parse_review(text).is_err(), "{text}");
        }
    }
}
