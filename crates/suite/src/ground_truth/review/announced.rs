//! Verdicts that were announced, but not written because the program ended in between: finished at the next start.

use model::RelationRecord;

use super::Review;
use crate::JobError;

impl Review {
    /// Appends lines that were announced, but not written because the program ended in between: all of them if their
    /// relation still has the version that was decided about, the rest if the first one is its last line. The number of
    /// lines.
    ///
    /// # Errors
    /// The record cannot be read, or not be appended to.
    pub fn write_announced(
        &mut self,
        version: &str,
        announced: &[RelationRecord],
    ) -> Result<usize, JobError> {
        let Some((first, rest)) = announced.split_first() else { return Ok(0) };
        let (lines, index, rule) = (&mut self.lines, &mut self.index, &self.settings.rule);
        let mut written = 0;
        lines.append(&mut |new| {
            index.take(new, rule);
            let due = match index.get(&first.id) {
                Some(known) if is_same_verdict(&known.last, first) => rest,
                Some(known) if known.version() == version && known.last.relation == first.relation => {
                    announced
                }
                _ => &[],
            };
            written = due.len();
            due.to_vec()
        })?;
        self.follow()?;
        Ok(written)
    }
}

/// Whether two lines state one decision. Fields of other programs may come back from an event in another order.
fn is_same_verdict(line: &RelationRecord, other: &RelationRecord) -> bool {
    let parts = |line: &RelationRecord| {
        let people = [&line.reviewer, &line.time, &line.undone_by, &line.second_by].map(Clone::clone);
        (line.relation, line.status, line.delta_final, line.opinion, people)
    };
    parts(line) == parts(other)
}

#[cfg(test)]
mod tests {
    use model::RelationStatus;

    use super::super::tests::{by, record, review_of, written};
    use super::super::{Act, Verdict};
    use super::*;

    /// What `decide_announced` announces, with the version that was decided about; nothing is written.
    fn announced(review: &mut Review, reviewer: &str, id: &str, act: Act) -> (String, Vec<RelationRecord>) {
        let (_, version) = review.last(id).unwrap();
        let verdict = Verdict::new(id.to_owned(), version.clone(), act);
        let mut told = Vec::new();
        let ended = review.decide_announced(by(reviewer), &verdict, &mut |lines| {
            told = lines.to_vec();
            Err(JobError::contest("r", "the power failed", "try again"))
        });
        assert!(ended.is_err(), "{ended:?}");
        (version, told)
    }

    #[test]
    fn a_verdict_that_may_not_be_announced_is_not_written() {
        let mut review = review_of(vec![record("a", 0.8)], 0.0);
        let (version, told) = announced(&mut review, "Ada", "a", Act::Accept);
        assert_eq!((told.len(), told[0].status), (1, RelationStatus::Accepted));
        assert_eq!((review.last("a").unwrap().1, review.lines()), (version, 1), "the record is as it was");
    }

    #[test]
    fn an_announced_verdict_is_written_once_and_only_where_nobody_decided_since() {
        let mut review = review_of(vec![record("a", 0.8)], 0.0);
        let (version, told) = announced(&mut review, "Ada", "a", Act::Reject);
        assert_eq!(review.write_announced(&version, &told).unwrap(), 1);
        assert_eq!(review.last("a").unwrap().0.status, RelationStatus::Rejected);
        assert_eq!(review.write_announced(&version, &told).unwrap(), 0, "it stands already");
        written(&mut review, "Ada", "a", Act::Accept);
        assert_eq!(review.write_announced(&version, &told).unwrap(), 0, "somebody decided since");
        assert_eq!((review.last("a").unwrap().0.status, review.lines()), (RelationStatus::Accepted, 3));
        assert_eq!(review.write_announced("1-0", &[]).unwrap(), 0);
        let elsewhere = RelationRecord { id: "z".to_owned(), ..told[0].clone() };
        assert_eq!(
            review.write_announced(&version, &[elsewhere]).unwrap(),
            0,
            "the record has no such relation"
        );
    }

    #[test]
    fn a_dispute_of_which_only_the_opinion_was_written_is_finished() {
        let mut review = review_of(vec![record("a", 0.8)], 1.0);
        written(&mut review, "Ada", "a", Act::Accept);
        let (version, told) = announced(&mut review, "Bob", "a", Act::Reject);
        assert_eq!(told.len(), 2, "the opinion, and the line of the rule");
        assert_eq!(review.write_announced(&version, &told[..1]).unwrap(), 1, "then the power failed");
        assert_eq!(review.counts().disputed, 0);
        assert_eq!(review.write_announced(&version, &told).unwrap(), 1, "the rest");
        assert_eq!((review.counts().disputed, review.lines()), (1, 4));
        assert_eq!(review.write_announced(&version, &told).unwrap(), 0);
    }
}
