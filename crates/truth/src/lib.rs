//! Ground-truth relations between poses (specification T-GEN): made from a trajectory, proposed, accepted by rule,
//! checked, filtered.
//!
//! A relation is the pose at one timestamp seen from the pose at another, so it needs no frame and no alignment. All
//! functions are pure; seeds are parameters.

mod accept;
mod agreement;
pub mod check;
#[cfg(test)]
mod example;
mod filter;
mod limit;
pub mod make;
mod opinions;
mod published;
mod support;

pub use accept::{
    AMBIGUOUS, AcceptRule, CONFIRMED, Doubt, accept, is_revisit, support_of_revisits, undecided,
};
pub use agreement::{Agreement, AgreementOfDoubt, CohensKappa, agreement, cohens_kappa};
pub use check::{Check, CheckParams, Origin, check, findings, origin};
pub use filter::{Filter, LOCAL_GAP_S, filter, gap_tag};
pub use limit::{DoubtOf, Limit, LimitSense};
pub use make::{MakeError, MakeParams, Pairs, Sample, candidates, displacement_m, make};
pub use opinions::{
    DIFFER_M, DIFFER_RAD, Opinion, OpinionRefused, Opinions, SecondOpinions, differ, dispute,
};
pub use published::{Consistency, Published, PublishedError, consistency};
pub use support::Support;
