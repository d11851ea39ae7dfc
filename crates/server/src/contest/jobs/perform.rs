//! What a worker does for each kind of job.

use std::io::Read;
use std::sync::Arc;

use mapjudge::AlignmentFile;
use mapjudge::contest::Measured;
use mapjudge::files::contest::SubmissionCheck;
use serde_json::{Value as Json, json};

use super::JobsError;
use super::child::run_child;
use super::findings;
use super::materialise::{LoadedContest, copy_all, write_alone};
use super::queue::{self, FOR_REJUDGING, RANK_ALL, Standing};
use super::record::{self, NewMeasurement, OF_REJUDGING};
use super::scratch::Scratch;
use super::task::{
    ARCHIVE_FILE, CONTEST_FOLDER, ChildLimits, Part, PartHead, TASK_FILE, TakePart, Task, Work,
};
use super::worker::Worker;
use crate::contest::basis::{Basis, CountedSubmission, FileRef, folders};
use crate::contest::clock::Time;
use crate::contest::file_names::check as check_name;
use crate::contest::ranking::{Depth, contest_json};
use crate::contest::store::StoreError;
use crate::contest::store::job_table::{Job, JobKind, enqueue};

/// Pieces in which parts are kept.
const PIECE: usize = 1 << 16;
/// A longer transform file is none of ours.
const MAX_FRAME_BYTES: u64 = 4 << 20;

type ShouldStop<'a> = &'a (dyn Fn() -> bool + Sync);

/// The files of a submission as they are judged, and why archives among them were refused.
type Unpacked = (Vec<FileRef>, Vec<(String, String)>);

/// A submission with its place in the contest.
struct Subject {
    id: String,
    place: (usize, usize),
}

impl Worker {
    pub(super) fn perform(&self, job: &Job, should_stop: ShouldStop<'_>) -> Result<(), JobsError> {
        match job.kind {
            JobKind::Lint => self.check(job, should_stop),
            JobKind::Measure => self.measure(job, should_stop),
            JobKind::Rank => self.rank(job),
            // Searches and exports are answered by the server itself, beside the queue.
            JobKind::Align | JobKind::Export => self
                .database
                .finish(job, Time::now(), |_| Ok::<_, StoreError>(()))
                .map(|_| ())
                .map_err(Into::into),
        }
    }

    /// A submission with the contest that it is judged by: one that has its team and mission.
    fn subject(
        &self,
        loaded: Arc<LoadedContest>,
        id: &str,
    ) -> Result<(Arc<LoadedContest>, Subject), JobsError> {
        let sql = "SELECT team, mission FROM submission WHERE id = $1";
        let row = self.database.read(|t| t.one(sql, &[id.into()]))?;
        let row = row.ok_or_else(|| JobsError::content("there is no such submission"))?;
        let (team, mission) = (row.text(0)?, row.text(1)?);
        for loaded in [loaded, self.newest_contest()?] {
            if let Some(place) = loaded.place(&team, &mission) {
                return Ok((loaded, Subject { id: id.to_owned(), place }));
            }
        }
        Err(JobsError::content("its team or mission is no part of the contest"))
    }

    /// A basis with nothing but this submission.
    fn alone(loaded: &LoadedContest, subject: &Subject, entry: CountedSubmission) -> Basis {
        let mut basis = loaded.empty_basis();
        basis.entries[subject.place.0][subject.place.1] = entry;
        basis
    }

    /// Unpacks archives and asks the linter.
    fn check(&self, job: &Job, should_stop: ShouldStop<'_>) -> Result<(), JobsError> {
        let (loaded, subject) = self.subject(self.contest()?, &job.subject)?;
        let files = self.database.read(|t| queue::handed_in_files(t, &subject.id))?;
        let (judged, refused) = self.unpacked(&files, should_stop)?;
        let unpacked = (judged != files).then_some(judged.as_slice());
        let entry = CountedSubmission { files: judged.clone(), ..CountedSubmission::default() };
        let basis = Self::alone(&loaded, &subject, entry);
        let check = self.checked(&loaded, &basis, subject.place, should_stop)?;
        let folder = folder_of(&loaded, subject.place);
        let found = self.keep_json(&json!(findings::of_check(&check, &refused, &folder)))?;
        let now = Time::now();
        self.database.finish(job, now, |t| {
            record::checked(t, now, &subject.id, &found, unpacked)?;
            enqueue(t, now, JobKind::Measure, &subject.id, JobKind::Measure.priority())
        })?;
        Ok(())
    }

    fn keep_json(&self, value: &Json) -> Result<String, JobsError> {
        let kept = self.objects.put(value.to_string().as_bytes()).map_err(JobsError::files("findings"))?;
        Ok(kept.hash)
    }

    fn checked(
        &self,
        loaded: &LoadedContest,
        basis: &Basis,
        place: (usize, usize),
        should_stop: ShouldStop<'_>,
    ) -> Result<SubmissionCheck, JobsError> {
        let scratch = self.scratch(loaded, basis, place, Work::Check)?;
        let mut check = None;
        self.child(&scratch, should_stop, &mut |head, body| {
            if head.part == Part::Check {
                check = Some(parsed(body)?);
            }
            Ok(())
        })?;
        check.ok_or_else(|| JobsError::Died("the linter said nothing".to_owned()))
    }

    /// The files of a submission with those of its archives in their place, and why archives were refused.
    fn unpacked(&self, files: &[FileRef], should_stop: ShouldStop<'_>) -> Result<Unpacked, JobsError> {
        let is_archive = |file: &&FileRef| file.name.to_lowercase().ends_with(".zip");
        let mut judged: Vec<FileRef> = files.iter().filter(|file| !is_archive(file)).cloned().collect();
        let mut refused = Vec::new();
        for archive in files.iter().filter(is_archive) {
            match self.unpack(archive, should_stop)? {
                Ok(found) => {
                    let meets = |file: &&FileRef| {
                        judged.iter().any(|other| other.name.eq_ignore_ascii_case(&file.name))
                    };
                    if let Some(twice) = found.iter().find(meets) {
                        let why = format!("'{}' stands in it and beside it", twice.name);
                        refused.push((archive.name.clone(), why));
                        judged.push(archive.clone());
                        continue;
                    }
                    judged.extend(found);
                }
                Err(why) => {
                    refused.push((archive.name.clone(), why));
                    judged.push(archive.clone());
                }
            }
        }
        judged.sort();
        Ok((judged, refused))
    }

    fn unpack(
        &self,
        archive: &FileRef,
        should_stop: ShouldStop<'_>,
    ) -> Result<Result<Vec<FileRef>, String>, JobsError> {
        let scratch = Scratch::new().map_err(JobsError::files("a temporary folder"))?;
        let copied = FileRef { name: ARCHIVE_FILE.to_owned(), ..archive.clone() };
        copy_all([&copied], &self.objects, scratch.path())?;
        write_task(&scratch, Work::Unpack, "")?;
        let (mut files, mut refused) = (Vec::new(), None);
        self.child(&scratch, should_stop, &mut |head, body| {
            match head.part {
                Part::Check => {
                    let mut why = String::new();
                    body.read_to_string(&mut why).map_err(|_| JobsError::Died("gave no words".to_owned()))?;
                    refused = Some(why);
                }
                Part::File => match check_name(&head.name) {
                    Ok(()) => {
                        let blake3 = self.keep(head, body)?;
                        files.push(FileRef { name: head.name.clone(), blake3, bytes: head.bytes });
                    }
                    Err(fault) => refused = Some(format!("'{:.80}': {fault}", head.name)),
                },
                _ => {}
            }
            Ok(())
        })?;
        Ok(refused.map_or(Ok(files), Err))
    }

    /// Keeps a part as an object, piece by piece.
    fn keep(&self, head: &PartHead, body: &mut dyn Read) -> Result<String, JobsError> {
        let failed = || JobsError::files("what a process handed back");
        let mut writing = self.objects.begin().map_err(failed())?;
        let mut piece = vec![0; PIECE];
        loop {
            let read =
                body.read(&mut piece).map_err(|_| JobsError::Died("ended within its answer".to_owned()))?;
            if read == 0 {
                break;
            }
            writing.write(&piece[..read]).map_err(failed())?;
        }
        if writing.bytes() != head.bytes {
            return Err(JobsError::Died("the judging ended within its answer".to_owned()));
        }
        Ok(writing.finish().map_err(failed())?.hash)
    }

    fn scratch(
        &self,
        loaded: &LoadedContest,
        basis: &Basis,
        place: (usize, usize),
        work: Work,
    ) -> Result<Scratch, JobsError> {
        let scratch = Scratch::new().map_err(JobsError::files("a temporary folder"))?;
        let folder = scratch.path().join(CONTEST_FOLDER);
        std::fs::create_dir(&folder).map_err(JobsError::files("a temporary folder"))?;
        write_alone(loaded, basis, place, &self.objects, &folder)?;
        write_task(&scratch, work, &loaded.sources.contest)?;
        Ok(scratch)
    }

    fn child(
        &self,
        scratch: &Scratch,
        should_stop: ShouldStop<'_>,
        take: TakePart<'_, JobsError>,
    ) -> Result<(), JobsError> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let threads = (cores / self.settings.jobs.max(1)).max(1);
        let (max_memory_bytes, max_time) = (self.settings.max_memory_bytes, self.settings.max_time);
        let limits = ChildLimits { max_memory_bytes, max_time, threads };
        let mut command = (self.program)().map_err(JobsError::files("this program"))?;
        command.current_dir(scratch.path());
        command.arg("judge-child").arg(scratch.path());
        command.args(["--cores", &threads.to_string(), "--seconds", &max_time.as_secs().max(1).to_string()]);
        command.args(["--max-memory", &max_memory_bytes.to_string()]);
        run_child(command, &limits, should_stop, take)
    }

    /// Measures a submission, for itself or for a rejudging.
    fn measure(&self, job: &Job, should_stop: ShouldStop<'_>) -> Result<(), JobsError> {
        let (id, rejudging) = match job.subject.split_once(FOR_REJUDGING) {
            Some((id, rejudging)) => (id, Some(rejudging)),
            None => (job.subject.as_str(), None),
        };
        let loaded = rejudging.map_or_else(|| self.contest(), |draft| self.contest_of_draft(draft))?;
        let (loaded, subject) = self.subject(loaded, id)?;
        let entry = self.database.read(|t| queue::entry_of(t, id))?;
        let saved = entry.frame.as_deref().and_then(|hash| self.frame(hash));
        let basis = Self::alone(&loaded, &subject, entry);
        let plain = loaded.key(&loaded.with(&basis), &basis, subject.place);
        let plain = plain.ok_or_else(|| JobsError::content("the truth has no files behind it"))?;
        let known = self.database.read(|t| queue::is_measured(t, id, &plain, rejudging))?;
        let key = rejudging.map_or_else(|| plain.clone(), |draft| format!("{plain}{OF_REJUDGING}{draft}"));
        let now = Time::now();
        if known {
            self.database.finish(job, now, |_| Ok::<_, StoreError>(()))?;
            return Ok(());
        }
        let scratch = self.scratch(&loaded, &basis, subject.place, Work::Measure)?;
        let new =
            self.measured(&scratch, should_stop, key, saved.as_ref(), &folder_of(&loaded, subject.place))?;
        let now = Time::now();
        self.database.finish(job, now, |t| record::measured(t, now, &subject.id, &new).map(|_| ()))?;
        Ok(())
    }

    fn frame(&self, hash: &str) -> Option<AlignmentFile> {
        AlignmentFile::parse(&self.objects.read(hash, MAX_FRAME_BYTES).ok()?).ok()
    }

    fn measured(
        &self,
        scratch: &Scratch,
        should_stop: ShouldStop<'_>,
        key: String,
        saved: Option<&AlignmentFile>,
        folder: &str,
    ) -> Result<NewMeasurement, JobsError> {
        let mut measured: Option<Measured> = None;
        let (mut pictures, mut planes) = (Vec::new(), json!({}));
        self.child(scratch, should_stop, &mut |head, body| {
            match head.part {
                Part::Measured => measured = Some(parsed(body)?),
                Part::Figure => pictures.push(self.picture(head, body)?),
                Part::Map => planes["map"] = json!(self.keep(head, body)?),
                Part::Layers => planes["layers"] = json!(self.keep(head, body)?),
                _ => {}
            }
            Ok(())
        })?;
        let measured = measured.ok_or_else(|| JobsError::Died("the judging gave no numbers".to_owned()))?;
        let bytes = serde_json::to_vec(&measured).map_err(|error| JobsError::content(error.to_string()))?;
        let object = self.objects.put(&bytes).map_err(JobsError::files("a measurement"))?;
        Ok(NewMeasurement {
            key,
            measured: object.hash,
            pictures: pictures.into(),
            planes,
            signs: findings::signs(&measured, saved),
            findings: self.keep_json(&json!(findings::of_measured(&measured, folder)))?,
            broken: measured.broken,
        })
    }

    fn picture(&self, head: &PartHead, body: &mut dyn Read) -> Result<Json, JobsError> {
        let is_plain = |name: &str| {
            let stem = name.strip_suffix(".png").or_else(|| name.strip_suffix(".svg"));
            stem.is_some_and(|stem| stem.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'))
        };
        if !is_plain(&head.name) {
            return Err(JobsError::Died("the judging named a figure badly".to_owned()));
        }
        let blake3 = self.keep(head, body)?;
        Ok(json!({ "name": head.name, "title": head.title, "words": head.words, "blake3": blake3 }))
    }

    /// Makes a ranking, if everything that counts was measured; else sees to that.
    fn rank(&self, job: &Job) -> Result<(), JobsError> {
        let rejudging = job.subject.strip_prefix(FOR_REJUDGING);
        let loaded = rejudging.map_or_else(|| self.contest(), |draft| self.contest_of_draft(draft))?;
        if rejudging.is_none() && job.subject != RANK_ALL {
            return Err(JobsError::content("there is no such ranking"));
        }
        let standing = self.database.read(|t| queue::standing(t, &loaded, rejudging))?;
        let now = Time::now();
        if !standing.missing.is_empty() {
            self.database.finish(job, now, |t| {
                standing.missing.iter().try_for_each(|submission| {
                    let of_draft = rejudging.map(|draft| format!("{submission}{FOR_REJUDGING}{draft}"));
                    let subject = of_draft.as_ref().unwrap_or(submission);
                    enqueue(t, now, JobKind::Measure, subject, JobKind::Measure.priority())
                })
            })?;
            return Ok(());
        }
        let body = self.ranking(&loaded, &standing, rejudging)?;
        let now = Time::now();
        self.database.finish(job, now, |t| {
            if rejudging.is_none() && record::is_newest_ranking(t, &body)? {
                return Ok::<_, StoreError>(());
            }
            record::ranking_made(t, now, body.clone()).map(|_| ())
        })?;
        Ok(())
    }

    fn ranking(
        &self,
        loaded: &LoadedContest,
        standing: &Standing,
        rejudging: Option<&str>,
    ) -> Result<Json, JobsError> {
        let result = self.rankings.rank(loaded, &standing.basis, Depth::Whole)?;
        let shown = self.objects.put(&contest_json(&result)?).map_err(JobsError::files("a ranking"))?;
        let basis =
            serde_json::to_vec(&standing.basis).map_err(|error| JobsError::content(error.to_string()))?;
        let basis = self.objects.put(&basis).map_err(JobsError::files("the basis of a ranking"))?;
        let mut scores = serde_json::Map::new();
        for team in &result.report.ranking {
            for mission in &team.missions {
                let place = loaded.place(&team.team, &mission.mission);
                let entry = place.and_then(|(team, mission)| standing.basis.entries[team].get(mission));
                if let Some(submission) = entry.and_then(|entry| entry.submission.clone()) {
                    scores.insert(submission, json!(mission.score));
                }
            }
        }
        Ok(json!({
            "contest_json": shown.hash, "basis": basis.hash, "upto_seq": standing.upto_seq, "draft_of": rejudging,
            "scores": scores,
        }))
    }
}

fn folder_of(loaded: &LoadedContest, (team, mission): (usize, usize)) -> String {
    let folders = folders(&loaded.folder.file, &loaded.sources);
    folders[team][mission].to_string_lossy().into_owned()
}

fn write_task(scratch: &Scratch, work: Work, contest: &str) -> Result<(), JobsError> {
    let task = Task { work, contest: contest.to_owned() };
    let bytes = serde_json::to_vec(&task).map_err(|error| JobsError::content(error.to_string()))?;
    scratch.write(TASK_FILE, &bytes).map_err(JobsError::files("a temporary folder"))
}

fn parsed<T: serde::de::DeserializeOwned>(body: &mut dyn Read) -> Result<T, JobsError> {
    let mut bytes = Vec::new();
    body.read_to_end(&mut bytes).map_err(|_| JobsError::Died("ended within its answer".to_owned()))?;
    serde_json::from_slice(&bytes)
        .map_err(|error| JobsError::Died(format!("the judging gave no answer: {error}")))
}
