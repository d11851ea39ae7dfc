//! How a map of a job comes into the frame of the truth, and whether scores may be computed there.

use align::{Alignment, Anchoring, Method, Verdict};
use metrics::Reason;
use model::{Finding, Pose2, Similarity2};

use crate::alignment::{AlignmentFile, doubts};
use crate::fiducials::{LayoutInput, align_by_fiducials};
use crate::inputs::MapInput;
use crate::{AlignBy, Job, JobError, SearchMethod};

/// How the map lies on the truth.
pub(crate) struct Frame {
    pub(crate) alignment: Alignment,
    pub(crate) findings: Vec<Finding>,
    /// Why the alignment is in doubt, if it is.
    pub(crate) doubt: Option<Reason>,
}

impl Frame {
    fn new(alignment: Alignment, mut findings: Vec<Finding>) -> Self {
        findings.extend(doubts(&alignment));
        let doubt = match alignment.certificate.verdict {
            Verdict::Certain => None,
            Verdict::Ambiguous => Some(Reason::AlignAmbiguous),
            Verdict::Failed => Some(Reason::AlignFailed),
            Verdict::Mirrored => Some(Reason::MapMirrored),
        };
        Self { alignment, findings, doubt }
    }

    /// Whether a method looked for the frame; origins and the word of the user need no certificate.
    pub(crate) fn is_searched(&self) -> bool {
        let certificate = &self.alignment.certificate;
        certificate.score.is_some() || certificate.verdict != Verdict::Certain
    }

    /// The transform under which scores may be computed; the reason if none may.
    pub(crate) fn usable(&self, job: &Job) -> Result<Similarity2, Reason> {
        match self.doubt {
            Some(reason) if !job.aligning.accept_ambiguous => Err(reason),
            _ => self.alignment.truth_from_map.ok_or(Reason::AlignFailed),
        }
    }
}

/// Finds the frame as the job says.
pub(crate) fn find_frame(
    job: &Job,
    truth: &MapInput,
    layout: Option<&LayoutInput>,
    map: &MapInput,
) -> Result<Frame, JobError> {
    let given = |method, pose: Pose2| Frame::new(Alignment::given(method, pose.into()), Vec::new());
    match &job.align {
        AlignBy::None => Ok(given(Method::None, Pose2::IDENTITY)),
        AlignBy::File(path) => Ok(Frame::new(AlignmentFile::read(path)?.alignment, Vec::new())),
        AlignBy::Search(method) => search(job, *method, truth, map, Vec::new()),
        AlignBy::Fiducials => {
            let layout = layout.ok_or(JobError::Incomplete("layout"))?;
            Ok(Frame::new(align_by_fiducials(&layout.layout, &map.grid, job.fiducials), Vec::new()))
        }
        AlignBy::Auto => search(job, SearchMethod::Correlative, truth, map, Vec::new()),
        AlignBy::Georeference => match align::truth_from_map(truth.anchoring, map.anchoring) {
            Some(pose) => Ok(given(Method::Georeference, pose)),
            None => search(job, SearchMethod::Correlative, truth, map, vec![no_origin(truth, map)]),
        },
    }
}

fn search(
    job: &Job,
    method: SearchMethod,
    truth: &MapInput,
    map: &MapInput,
    findings: Vec<Finding>,
) -> Result<Frame, JobError> {
    let alignment = method.aligner(&job.aligning).align(&truth.grid, &map.grid)?;
    Ok(Frame::new(alignment, findings))
}

/// Why a frame was searched though nobody asked for it.
fn no_origin(truth: &MapInput, map: &MapInput) -> Finding {
    let who = match (truth.anchoring, map.anchoring) {
        (Anchoring::Assumed, Anchoring::Assumed) => "neither the map nor the truth has an origin",
        (Anchoring::Given, Anchoring::Assumed) => "the map has no origin",
        (_, Anchoring::Given) => "the truth has no origin",
    };
    let message = format!("{who}, so the frame was searched (--align auto)");
    Finding::warning("FRAME_SEARCHED", message)
        .hint("give both origins, or say with --align none that the lower left corners coincide")
}
