//! Step 1: how a map lies in the coordinate frame of the truth, and whether scores may be computed there.

use align::{Alignment, Anchoring, Method, Verdict};
use metrics::Reason;
use model::{Finding, Similarity2};
use serde_json::json;

use super::frame::{FrameCheck, check_frame};
use crate::align_maps::doubts;
use crate::fiducials::align_by_fiducials;
use crate::{AlignBy, AlignmentFile, JobError, Loaded, Map, Plan, SearchMethod, Truth};

/// The transform of a map, with what was noticed on the way.
pub(crate) struct Placement {
    pub(crate) alignment: Alignment,
    pub(crate) findings: Vec<Finding>,
    /// Who chose the transform and why, where a person did.
    chosen: Option<AlignmentFile>,
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
        Self { alignment, findings, chosen: None, doubt, accept_doubt, warning: None, refusal: None }
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
            by: self.chosen.as_ref().and_then(|chosen| chosen.by.clone()),
            reason: self.chosen.as_ref().and_then(|chosen| chosen.reason.clone()),
            automatic: self.chosen.as_ref().and_then(automatic_facts),
        }
    }
}

/// Finds `truth_from_map` of a map against the true map, as the plan says.
pub(crate) fn place(
    map: &Loaded<Map>,
    true_map: &Loaded<Map>,
    truth: &Truth,
    plan: &Plan,
) -> Result<Placement, JobError> {
    if let Some(given) = &plan.transform {
        if let Some(message) = given.other_files(map, true_map) {
            let path = map.provenance.files.first().map(|file| file.path.clone()).unwrap_or_default();
            return Err(JobError::FrameOfOtherFiles { path, message });
        }
        let placement = Placement::new(given.alignment.clone(), Vec::new(), plan);
        return Ok(Placement { chosen: Some(given.clone()), ..placement });
    }
    let (map, true_map) = (&map.value, &true_map.value);
    let of_origins = |method| Ok(Placement::of_origins(method, map, true_map, plan));
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

/// What the automatic search had found when a person chose otherwise, or the same.
fn automatic_facts(chosen: &AlignmentFile) -> Option<metrics::Detail> {
    let found = chosen.automatic.as_ref()?;
    let certificate = &found.certificate;
    let facts = json!({
        "verdict": certificate.verdict,
        "truth_from_map": found.truth_from_map,
        "score": certificate.score,
    });
    facts.as_object().cloned()
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
