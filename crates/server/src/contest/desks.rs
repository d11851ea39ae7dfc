//! Maps of submissions on the truth, as the overlay page lays them: from the cells that the judging handed back, so that no
//! file of a team is opened here.

use std::collections::VecDeque;
use std::io::BufReader;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use mapjudge::contest::{Contest, Measured};
use mapjudge::files::contest::load_contest;
use mapjudge::overlay::DrawnLayer;
use mapjudge::{AlignmentFile, JobError, Loaded, Map};
use model::Similarity2;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::app::{ContestApp, lost_object};
use super::decisions::{self, Decision, Made};
use super::planes::read_planes;
use super::published_maps;
use super::roles::{Scope, Who};
use super::store::{StoreError, Transaction};
use super::submissions;
use crate::overlay_desk::{OverlayDesk, OverlayMap};
use crate::problem::Problem;
use crate::routes::host::{OverlayHost, TileOf};

/// Desks that are kept prepared; each holds maps and truth.
const MAX_KEPT: usize = 6;
/// Maps side by side.
const MAX_MAPS: usize = 4;
/// A longer list of shapes, or measurement, is none of ours.
const MAX_JSON_BYTES: u64 = 64 << 20;
/// The same of a transform file.
const MAX_FRAME_BYTES: u64 = 4 << 20;

/// Desks of one contest.
#[derive(Default)]
pub struct Desks {
    truth: OnceLock<Result<Arc<Contest>, Problem>>,
    kept: Mutex<VecDeque<(String, Arc<OverlayDesk>)>>,
    /// Of the published ranking.
    pub(super) basis: published_maps::KeptBasis,
}

/// What is known about the map of a submission.
#[derive(Clone, Debug)]
pub struct Known {
    /// Id of the submission.
    pub id: String,
    /// Team and number, for people.
    pub name: String,
    /// The mission.
    pub mission: String,
    /// How it was measured.
    pub measured: Option<Newest>,
    /// The transform file that a judge saved, among the objects.
    pub frame: Option<String>,
    /// Why it is broken.
    pub error: Option<String>,
}

/// A measurement as its row has it.
#[derive(Clone, Debug)]
pub struct Newest {
    /// Its event.
    pub seq: i64,
    /// Hash of what was measured.
    pub measured: String,
    /// `{map?, layers?}`, hashes.
    pub planes: Json,
    /// `[{name, title, words, blake3}]`.
    pub pictures: Json,
}

/// The measurement of a submission that is newest, with its figures and planes.
///
/// # Errors
/// The database fails.
pub fn newest_measurement(t: &mut dyn Transaction, submission: &str) -> Result<Option<Newest>, StoreError> {
    let sql = "SELECT seq, measured, planes, pictures FROM measurement WHERE submission = $1 AND key NOT LIKE '%~%' \
               ORDER BY seq DESC LIMIT 1";
    let row = t.one(sql, &[submission.into()])?;
    let newest = |row: super::store::Row| {
        Ok(Newest { seq: row.int(0)?, measured: row.text(1)?, planes: row.json(2)?, pictures: row.json(3)? })
    };
    row.map(newest).transpose()
}

/// The transform that a judge saved for a submission.
///
/// # Errors
/// The database fails.
pub fn saved_frame(t: &mut dyn Transaction, submission: &str) -> Result<Option<Made>, StoreError> {
    Ok(decisions::of_submission(t, Decision::Frame, submission)?.pop())
}

/// The transform file of a decision.
#[must_use]
pub fn frame_file(app: &ContestApp, made: &Made) -> Option<AlignmentFile> {
    frame_object(app, made.value.as_str()?)
}

/// A transform file among the objects.
fn frame_object(app: &ContestApp, hash: &str) -> Option<AlignmentFile> {
    AlignmentFile::parse(&app.objects.read(hash, MAX_FRAME_BYTES).ok()?).ok()
}

/// The map of a submission as it is now.
fn newest_map(t: &mut dyn Transaction, id: &str) -> Result<Known, Problem> {
    let row = submissions::one(t, &Scope::All, id)?;
    let row = row.ok_or_else(|| Problem::not_found("there is no such submission"))?;
    let measured = newest_measurement(t, id)?;
    let name = format!("{} {}", row.team, row.number);
    Ok(Known {
        frame: saved_frame(t, id)?.and_then(|made| made.value.as_str().map(str::to_owned)),
        id: row.id,
        name,
        mission: row.mission,
        measured,
        error: row.error,
    })
}

impl Desks {
    fn truth(&self, app: &ContestApp) -> Result<Arc<Contest>, Problem> {
        let load = || load_contest(&app.folder).map(Arc::new).map_err(Problem::from);
        self.truth.get_or_init(load).clone()
    }

    /// The desk of some submissions of one mission: for judges as they are now, for others as they were published.
    ///
    /// # Errors
    /// One is not there for whoever asks, or the mission has no true map.
    pub fn of(&self, app: &ContestApp, who: &Who, ids: &[String]) -> Result<Arc<OverlayDesk>, Problem> {
        if ids.len() > MAX_MAPS {
            return Err(Problem::unprocessable("TOO_MANY_MAPS", "expected at most 4 maps"));
        }
        let all = app.db.read(|t| {
            if who.is_judge() {
                return ids.iter().map(|id| newest_map(t, id)).collect::<Result<Vec<_>, Problem>>();
            }
            published_maps::some(app, t, who, ids)
        })?;
        let version = |known: &Known| {
            let measured = known.measured.as_ref().map_or(0, |measured| measured.seq);
            format!("{}.{measured}.{}", known.id, known.frame.as_deref().unwrap_or_default())
        };
        let key = all.iter().map(version).collect::<Vec<_>>().join(" ");
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, desk)) = kept.iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(desk));
        }
        drop(kept);
        let desk = Arc::new(self.made(app, &all)?);
        kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_KEPT {
            kept.pop_front();
        }
        kept.push_back((key, Arc::clone(&desk)));
        Ok(desk)
    }

    fn made(&self, app: &ContestApp, all: &[Known]) -> Result<OverlayDesk, Problem> {
        let contest = self.truth(app)?;
        let mission = match all.first() {
            Some(first) => contest.missions.iter().find(|mission| mission.name == first.mission),
            None => contest.missions.first(),
        };
        let mission = mission.ok_or_else(|| Problem::not_found("the contest has no such mission"))?;
        if all.iter().any(|known| known.mission != mission.name) {
            let detail = "these maps are of different missions";
            return Err(Problem::unprocessable("MISSIONS_DIFFER", detail));
        }
        let truth = mission.truth.map.clone();
        let truth = truth.ok_or_else(|| Problem::not_found("this mission has no true map"))?;
        let maps = all.iter().map(|known| (known.id.clone(), laid(app, known)));
        let annotations = mission.truth.annotations.as_ref().map(|loaded| loaded.value.clone());
        let layout = mission.truth.layout.as_ref().map(|loaded| loaded.value.clone());
        Ok(OverlayDesk::with_ids(("the truth", truth), maps, None).with_truth_layers(annotations, layout))
    }
}

fn laid(app: &ContestApp, known: &Known) -> OverlayMap {
    let planes = known.measured.as_ref().map(|measured| &measured.planes);
    let map = planes.and_then(|planes| planes["map"].as_str()).map_or_else(
        || {
            let why = known.error.clone().unwrap_or_else(|| "it was not measured yet".to_owned());
            Err(no_map(&why))
        },
        |hash| map_of(app, hash),
    );
    let layers = planes.and_then(|planes| planes["layers"].as_str()).and_then(|hash| layers_of(app, hash));
    let saved = known.frame.as_deref().and_then(|hash| frame_object(app, hash));
    let frame = saved.or_else(|| measured_frame(app, &known.measured.as_ref()?.measured));
    OverlayMap { name: known.name.clone(), map, layers: layers.unwrap_or_default(), frame }
}

fn no_map(why: &str) -> JobError {
    JobError::File { path: "the map".to_owned(), source: std::io::Error::other(why.to_owned()) }
}

fn map_of(app: &ContestApp, hash: &str) -> Result<Loaded<Map>, JobError> {
    let file = app.objects.open_object(hash).map_err(|_| no_map("its cells are lost"))?;
    read_planes(&mut BufReader::new(file)).map_err(|why| no_map(&why))
}

fn layers_of(app: &ContestApp, hash: &str) -> Option<Vec<DrawnLayer>> {
    serde_json::from_slice(&app.objects.read(hash, MAX_JSON_BYTES).ok()?).ok()
}

/// Where the judging laid the map.
fn measured_frame(app: &ContestApp, hash: &str) -> Option<AlignmentFile> {
    let measured: Measured = serde_json::from_slice(&app.objects.read(hash, MAX_JSON_BYTES).ok()?).ok()?;
    let alignment = measured.cases.iter().find_map(|case| case.alignment.as_ref())?;
    let found = alignment.truth_from_map.as_ref()?;
    Some(AlignmentFile::by_hand(Similarity2::new(found.x_m, found.y_m, found.theta_rad, found.scale)))
}

/// How a map was laid on the truth when it was judged.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FrameOnTruth {
    /// Name of the method; `manual` for a person.
    method: String,
    /// Who laid it by hand.
    by: Option<String>,
    /// Why.
    reason: Option<String>,
    /// What the search says about its transform.
    verdict: Option<String>,
    /// Whether the transform that a judge saved is of an older map.
    of_older_map: bool,
}

/// How a map was laid when it was judged; none if it was not.
///
/// # Errors
/// The database fails, or an object is lost.
pub fn frame_told(
    app: &ContestApp,
    t: &mut dyn Transaction,
    submission: &str,
) -> Result<Option<FrameOnTruth>, Problem> {
    let Some(newest) = newest_measurement(t, submission)? else { return Ok(None) };
    let bytes = app.objects.read(&newest.measured, MAX_JSON_BYTES).map_err(|_| lost_object())?;
    let measured: Measured = serde_json::from_slice(&bytes).map_err(|_| lost_object())?;
    let Some(alignment) = measured.cases.iter().find_map(|case| case.alignment.as_ref()) else {
        return Ok(None);
    };
    let map = |inputs: &[report::Input]| {
        inputs.iter().find(|input| input.role == "map").map(|input| input.blake3.clone())
    };
    let saved = saved_frame(t, submission)?.and_then(|made| frame_file(app, &made));
    let laid = saved.as_ref().and_then(|file| map(&file.inputs));
    let verdict = alignment.certificate.as_ref().and_then(|certificate| certificate.get("verdict"));
    Ok(Some(FrameOnTruth {
        method: alignment.method.clone(),
        by: alignment.by.clone(),
        reason: alignment.reason.clone(),
        verdict: verdict.and_then(Json::as_str).map(str::to_owned),
        of_older_map: laid.is_some() && laid != map(&measured.inputs),
    }))
}

impl OverlayHost for ContestApp {
    async fn on_desk<T: Send + 'static>(
        self: &Arc<Self>,
        who: Who,
        maps: Vec<String>,
        work: impl FnOnce(&OverlayDesk) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let host = Arc::clone(self);
        self.run(move |app| work(&*host.desks.of(app, &who, &maps)?)).await
    }

    async fn tile(
        self: &Arc<Self>,
        who: Who,
        of: TileOf,
        (level, column, row): (usize, usize, usize),
        ink: mapjudge::overlay::Ink,
    ) -> Result<Option<Vec<u8>>, Problem> {
        let maps = crate::routes::overlay::submissions_named(&of.beside, crate::overlay_desk::TRUTH);
        self.on_desk(who, maps, move |desk| Ok(desk.tiles(&of.map)?.tile(level, column, row, ink)?)).await
    }
}
