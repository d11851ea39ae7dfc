//! How one map lies on another, with a certificate: the work of `mapjudge align`.

use align::closed_form::PointPair;
use align::{Alignment, Verdict, align_points};
use metrics::fiducials::FiducialSearch;
use model::{FiducialLayout, Finding};
use report::Figure;

use crate::fiducials::align_by_fiducials;
use crate::illustrate::before_and_after;
use crate::{Aligning, AlignmentFile, JobError, Loaded, Map, SearchMethod};

/// How the transform is found.
#[derive(Clone, Debug, PartialEq)]
pub enum AlignMethod {
    /// From the cells of the two maps.
    Search(SearchMethod),
    /// From pairs of points that a person clicked; the maps are only drawn.
    Points(Vec<PointPair>),
    /// From the barrels of a layout that the map shows; the truth is only drawn.
    Fiducials(FiducialLayout),
}

/// An alignment, and what there is to say about it.
#[derive(Clone, Debug)]
pub struct Aligned {
    /// The transform with its certificate, as a file holds it.
    pub file: AlignmentFile,
    /// What the readers and the search noticed.
    pub findings: Vec<Finding>,
    maps: [Map; 2],
}

impl Aligned {
    /// Both maps before and after the alignment.
    ///
    /// # Errors
    /// An image cannot be encoded.
    pub fn figures(&self) -> Result<Vec<Figure>, JobError> {
        let [truth, map] = &self.maps;
        before_and_after(&truth.grid, &map.grid, self.file.alignment.truth_from_map)
    }
}

/// Finds how a map lies on the truth.
///
/// # Errors
/// Parameters out of their range, or maps too large to search.
pub fn align_maps(
    map: &Loaded<Map>,
    truth: &Loaded<Map>,
    method: &AlignMethod,
    aligning: &Aligning,
) -> Result<Aligned, JobError> {
    let (grid, true_grid) = (&map.value.grid, &truth.value.grid);
    let alignment = match method {
        AlignMethod::Search(method) => method.aligner(aligning).align(true_grid, grid)?,
        AlignMethod::Points(pairs) => align_points(pairs, aligning.motion()),
        AlignMethod::Fiducials(layout) => align_by_fiducials(layout, grid, FiducialSearch::default()),
    };
    let read = [truth.findings_as("truth"), map.findings_as("map")].concat();
    let findings = read.into_iter().chain(doubts(&alignment)).collect();
    let file = AlignmentFile {
        inputs: [truth.inputs("truth"), map.inputs("map")].concat(),
        parameters: Some(aligning.clone()),
        ..AlignmentFile::new(alignment)
    };
    Ok(Aligned { file, findings, maps: [truth.value.clone(), map.value.clone()] })
}

/// What a person should know before trusting an alignment.
pub(crate) fn doubts(alignment: &Alignment) -> Option<Finding> {
    let certificate = &alignment.certificate;
    let number = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), |v| report::fixed(v, 3));
    let finding = match certificate.verdict {
        Verdict::Certain if certificate.is_largest_part => Finding::warning(
            "MAP_IN_PARTS",
            "the map is broken: parts of it are turned against each other, and this is the frame of the largest part",
        )
        .hint("see `brokenness`; the other parts count as a map in the wrong place"),
        Verdict::Certain => return None,
        Verdict::Ambiguous => Finding::warning(
            "ALIGN_AMBIGUOUS",
            format!(
                "another frame fits about as well: score {} against {}{}",
                number(certificate.score),
                number(certificate.second_score),
                sliding(alignment)
            ),
        )
        .hint("give both origins or a transform file, or set accept_ambiguous"),
        Verdict::Failed => Finding::warning("ALIGN_FAILED", "nothing in the map fits the truth")
            .hint("check that both files show the same place at the same scale, or search a scale"),
        Verdict::Mirrored => Finding::warning(
            "MAP_MIRRORED",
            format!(
                "the mirror image of the map fits better: score {} against {}",
                number(certificate.mirror_score),
                number(certificate.score)
            ),
        )
        .hint("export the map again with its y axis the right way up"),
    };
    Some(finding)
}

fn sliding(alignment: &Alignment) -> String {
    let slide = alignment.certificate.slide.filter(|slide| slide.forward_m + slide.backward_m > 0.0);
    slide.map_or_else(String::new, |slide| {
        format!(
            ", and the map may slide {:.2} m and {:.2} m along {} degrees",
            slide.forward_m,
            slide.backward_m,
            report::fixed(slide.direction_rad.to_degrees(), 0)
        )
    })
}
