//! The process that judges files of strangers, from inside: shut in first, then one task, then the end.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use mapjudge::Figures;
use mapjudge::contest::{Measured, Submission};
use mapjudge::files::contest::{ContestFolder, load_contest};
use mapjudge::files::{ArchiveLimits, unpack_archive};
use mapjudge::overlay::{LayerFrame, vector_layers};

use super::sandbox::{Enclosure, shut_in};
use super::task::{
    ARCHIVE_FILE, CONTEST_FOLDER, ChildLimits, Part, PartHead, TASK_FILE, Task, Work, write_part,
};
use crate::contest::planes::write_planes;

/// What a zip archive of a team may hold.
pub const UPLOADED: ArchiveLimits =
    ArchiveLimits { max_entries: 200, max_unpacked_bytes: 256 << 20, max_ratio: 100, free_bytes: 1 << 20 };
/// A longer task is none of ours.
const MAX_TASK_BYTES: u64 = 64 << 10;
/// A longer archive is none of ours either.
const MAX_ARCHIVE_BYTES: u64 = 256 << 20;

/// Does the task of a scratch folder and writes the parts of its answer. To be called in a process of its own, which has no
/// threads yet.
///
/// # Errors
/// Why there is no answer, in words for the log.
pub fn judge_child(scratch: &Path, limits: &ChildLimits, out: &mut dyn Write) -> Result<Enclosure, String> {
    let enclosure = shut_in(scratch, limits)?;
    let task = read(&scratch.join(TASK_FILE), MAX_TASK_BYTES)?;
    let task: Task = serde_json::from_slice(&task).map_err(|error| error.to_string())?;
    // Its threads begin behind the walls.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(limits.threads.max(1)).build();
    let pool = pool.map_err(|error| error.to_string())?;
    let mut answer = Vec::new();
    pool.install(|| perform(scratch, &task, &mut answer))?;
    for (head, bytes) in answer {
        write_part(out, head, &bytes).map_err(|error| error.to_string())?;
    }
    write_part(out, PartHead::new(Part::End), b"").and_then(|()| out.flush()).map_err(|e| e.to_string())?;
    Ok(enclosure)
}

type Answer = Vec<(PartHead, Vec<u8>)>;

fn perform(scratch: &Path, task: &Task, answer: &mut Answer) -> Result<(), String> {
    let contest = || {
        let file = scratch.join(CONTEST_FOLDER).join(&task.contest);
        ContestFolder::from_file(&file).map_err(|error| error.to_string())
    };
    match task.work {
        Work::Unpack => unpack(&read(&scratch.join(ARCHIVE_FILE), MAX_ARCHIVE_BYTES)?, answer),
        Work::Check => {
            let check = contest()?.check_submission(0, 0);
            answer.push((PartHead::new(Part::Check), json(&check)?));
        }
        Work::Measure => {
            let folder = contest()?;
            let truth = load_contest(&folder).map_err(|error| error.to_string())?;
            let (submission, measured) = folder.measure_submission(&truth, (0, 0), Figures::Draw);
            hand_back_measured(measured, answer)?;
            if let Some(submission) = submission {
                hand_back_map(&submission, answer)?;
            }
        }
    }
    Ok(())
}

fn json(value: &impl serde::Serialize) -> Result<Vec<u8>, String> {
    serde_json::to_vec(value).map_err(|error| error.to_string())
}

fn read(path: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(max_bytes + 1).read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > max_bytes {
        return Err(format!("more than {max_bytes} bytes"));
    }
    Ok(bytes)
}

/// Files out of an archive; an archive that is refused gives no files and one part that says why.
fn unpack(archive: &[u8], answer: &mut Answer) {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let unpacked = unpack_archive(archive, &UPLOADED, &mut |name, content| {
        files.push((name.to_owned(), content));
        Ok(())
    });
    if let Err(why) = unpacked {
        answer.push((PartHead::new(Part::Check), why.into_bytes()));
        return;
    }
    let without = common_folder(files.iter().map(|(name, _)| name.as_str()));
    for (name, content) in files {
        let name = name[without..].to_owned();
        answer.push((PartHead { name, ..PartHead::new(Part::File) }, content));
    }
}

/// Length of the folder that every file of an archive lies in, with its slash.
fn common_folder<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    let tops: BTreeSet<Option<&str>> = names.map(|name| name.split_once('/').map(|(top, _)| top)).collect();
    match tops.iter().next() {
        Some(Some(top)) if tops.len() == 1 => top.len() + 1,
        _ => 0,
    }
}

fn hand_back_measured(mut measured: Measured, answer: &mut Answer) -> Result<(), String> {
    let figures = std::mem::take(&mut measured.figures);
    answer.push((PartHead::new(Part::Measured), json(&measured)?));
    for figure in figures {
        // A figure that cannot be drawn is no reason to have no score.
        let Ok(bytes) = figure.bytes() else { continue };
        let (name, title, words) = (figure.file_name(), figure.title, figure.caption);
        answer.push((PartHead { name, title, words, ..PartHead::new(Part::Figure) }, bytes));
    }
    Ok(())
}

fn hand_back_map(submission: &Submission, answer: &mut Answer) -> Result<(), String> {
    if let Some(map) = &submission.subject.map {
        let failed = |error: std::io::Error| error.to_string();
        let mut bytes = Vec::new();
        write_planes(map, &mut bytes).map_err(failed)?;
        answer.push((PartHead::new(Part::Map), bytes));
    }
    if let Some(annotations) = &submission.subject.annotations {
        let layers = vector_layers(&annotations.value, LayerFrame::Map);
        answer.push((PartHead::new(Part::Layers), json(&layers)?));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_around_everything_is_left_out() {
        for (names, length) in [
            (&["a/map.tif", "a/b/x.csv"][..], 2),
            (&["a/map.tif", "b/x.csv"], 0),
            (&["map.tif", "map/x.csv"], 0),
            (&[], 0),
        ] {
            assert_eq!(common_folder(names.iter().copied()), length, "{names:?}");
        }
    }
}
