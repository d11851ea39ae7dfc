//! Step 1: how a map lies in the coordinate frame of the truth, and whether scores may be computed there.

use align::{Alignment, Anchoring, Method, Verdict};
use metrics::Reason;
use model::{Finding, Similarity2};
use serde_json::json;

use super::frame::{FrameCheck, check_frame};
use crate::align_maps::doubts;
use crate::fiducials::align_by_fiducials;
use crate::{AlignBy, JobError, Map, Plan, SearchMethod, Truth};

/// The transform of a map, with what was noticed on the way.
pub(crate) struct Placement {
    pub(crate) alignment: Alignment,
    pub(crate) findings: Vec<Finding>,
    /// Why the search left the transform in doubt, if it did.
    pub(crate) doubt: Option<Reason>,
    accept_doubt: bool,
    /// What a look at a transform that nobody searched found.
    warning: Option<Reason>,
    refusal: Option<Reason>,
}

impl Placement {
    fn new(alignment: Alignment, mut findings: Vec<Finding>, plan: &Plan) -> Self {
        findings.extend(doubts(&alignment));
        let doubt = match alignment.certificate.verdict {
            Verdict::Certain => None,
            Verdict::Ambiguous => Some(Reason::AlignAmbiguous),
            Verdict::Failed => Some(Reason::AlignFailed),
            Verdict::Mirrored => Some(Reason::MapMirrored),
        };
        let accept_doubt = plan.aligning.accept_ambiguous;
        Self { alignment, findings, doubt, accept_doubt, warning: None, refusal: None }
    }

    /// Origins as they are, with what there is to say about them. Who asks for no alignment asks for the numbers, whatever
    /// they mean, and is not questioned.
    fn of_origins(method: Method, map: &Map, true_map: &Map, plan: &Plan) -> Self {
        let check = match method {
            Method::Georeference => check_frame(map, true_map, Similarity2::IDENTITY),
            _ => FrameCheck::default(),
        };
        let placement = Self::new(Alignment::given(method, Similarity2::IDENTITY), check.findings, plan);
        Self { warning: check.warning, refusal: check.refusal, ..placement }
    }

    /// What every value under this transform carries as a warning.
    pub(crate) fn reason_for_values(&self) -> Option<Reason> {
        self.doubt.or(self.warning)
    }

    /// Whether a method searched the transform; origins and given transforms need no certificate.
    pub(crate) fn is_searched(&self) -> bool {
        let certificate = &self.alignment.certificate;
        certificate.score.is_some() || certificate.verdict != Verdict::Certain
    }

    /// The transform under which scores may be computed; the reason if none may.
    pub(crate) fn usable(&self) -> Result<Similarity2, Reason> {
        match (self.refusal, self.doubt) {
            (Some(reason), _) => Err(reason),
            (None, Some(reason)) if !self.accept_doubt => Err(reason),
            _ => self.alignment.truth_from_map.ok_or(Reason::AlignFailed),
        }
    }

    /// The transform as the report shows it; null where nothing was found.
    pub(crate) fn record(&self) -> report::Alignment {
        let Alignment { method, truth_from_map, certificate, hypotheses } = &self.alignment;
        let facts = || {
            let mut facts = json!(certificate).as_object().cloned()?;
            facts.insert("hypotheses".to_owned(), json!(hypotheses));
            Some(facts)
        };
        report::Alignment {
            method: method.name().to_owned(),
            truth_from_map: truth_from_map.map(Into::into),
            certificate: if self.is_searched() { facts() } else { None },
        }
    }
}

/// Finds `truth_from_map` of a map against the true map, as the plan says.
pub(crate) fn place(map: &Map, true_map: &Map, truth: &Truth, plan: &Plan) -> Result<Placement, JobError> {
    let of_origins = |method| Ok(Placement::of_origins(method, map, true_map, plan));
    if let Some(alignment) = &plan.transform {
        return Ok(Placement::new(alignment.clone(), Vec::new(), plan));
    }
    let search = |method: SearchMethod, findings: Vec<Finding>| {
        let alignment = method.aligner(&plan.aligning).align(&true_map.grid, &map.grid)?;
        Ok(Placement::new(alignment, findings, plan))
    };
    match plan.align {
        AlignBy::None => of_origins(Method::None),
        AlignBy::Search(method) => search(method, Vec::new()),
        AlignBy::Auto => search(SearchMethod::Correlative, Vec::new()),
        AlignBy::Fiducials => {
            let layout = truth.layout.as_ref().ok_or(JobError::Incomplete("layout"))?;
            let alignment = align_by_fiducials(&layout.value, &map.grid, plan.fiducials);
            Ok(Placement::new(alignment, Vec::new(), plan))
        }
        AlignBy::Georeference => match align::truth_from_map(true_map.anchoring, map.anchoring) {
            Some(_) => of_origins(Method::Georeference),
            None => search(SearchMethod::Correlative, vec![no_origin(true_map, map)]),
        },
    }
}

/// Why a transform was searched although the plan trusts the origins.
fn no_origin(truth: &Map, map: &Map) -> Finding {
    let who = match (truth.anchoring, map.anchoring) {
        (Anchoring::Assumed, Anchoring::Assumed) => "neither the map nor the truth has an origin",
        (Anchoring::Given, Anchoring::Assumed) => "the map has no origin",
        (_, Anchoring::Given) => "the truth has no origin",
    };
    let message = format!("{who}, so the transform was searched (align = auto)");
    Finding::warning("FRAME_SEARCHED", message)
        .hint("give both origins, or choose align = none if the lower left corners coincide")
}
