//! Receiving an upload: each file goes to the disk while it is hashed and counted.

use std::sync::Arc;

use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError};
use axum::http::StatusCode;
use mapjudge::files::contest::ServeLimits;

use super::app::ContestApp;
use super::file_names;
use super::objects::{Object, Writing};
use crate::problem::Problem;

/// Bytes of a field that is no file.
const MAX_FIELD: usize = 1000;
/// Bytes that are handed to the disk at once.
const BLOCK: usize = 256 << 10;

/// What a form brought.
#[derive(Debug, Default)]
pub struct Form {
    /// The mission.
    pub mission: Option<String>,
    /// The team, where a judge hands in for it.
    pub team: Option<String>,
    /// A submission whose other files are kept.
    pub keep: Option<String>,
    /// The files, on the disk.
    pub files: Vec<(String, Object)>,
}

/// A refused upload.
pub fn refused(status: StatusCode, kind: &str, detail: impl Into<String>) -> Problem {
    Problem::new(status, kind, "The upload was not taken", detail)
}

/// More bytes than are taken.
pub fn too_large(what: &str, most_mib: u64) -> Problem {
    let detail = format!("{what}: expected at most {most_mib} MiB");
    refused(StatusCode::PAYLOAD_TOO_LARGE, "TOO_LARGE", detail)
}

impl From<MultipartError> for Problem {
    fn from(error: MultipartError) -> Self {
        let detail = format!("the form ended early or is none: {}", error.body_text());
        refused(StatusCode::BAD_REQUEST, "FORM_INVALID", detail)
    }
}

/// Reads a form; files go to the disk as they come.
///
/// # Errors
/// It is no form, or larger than what is taken.
pub async fn form(app: &Arc<ContestApp>, mut multipart: Multipart) -> Result<Form, Problem> {
    let limits = &app.rules.settings.limits;
    let mut form = Form::default();
    let mut bytes = 0;
    while let Some(field) = multipart.next_field().await? {
        match field.name().unwrap_or_default() {
            "mission" => form.mission = Some(words(field).await?),
            "team" => form.team = Some(words(field).await?),
            "keep" => form.keep = Some(words(field).await?).filter(|keep| !keep.is_empty()),
            "file" => {
                let name = field.file_name().unwrap_or_default().to_owned();
                file_names::check(&name).map_err(|fault| {
                    refused(
                        StatusCode::UNPROCESSABLE_ENTITY,
                        "NAME_REFUSED",
                        format!("'{name:.200}': {fault}"),
                    )
                })?;
                if form.files.len() >= limits.files as usize {
                    let detail = format!("more than {} files", limits.files);
                    return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, "TOO_MANY_FILES", detail));
                }
                let object = file(app, field, limits, bytes).await?;
                bytes += object.bytes;
                form.files.push((name, object));
            }
            other => {
                let detail = format!("a field '{other:.40}': expected mission, team, keep and file");
                return Err(refused(StatusCode::UNPROCESSABLE_ENTITY, "FORM_INVALID", detail));
            }
        }
    }
    Ok(form)
}

async fn words(mut field: Field<'_>) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > MAX_FIELD {
            return Err(refused(
                StatusCode::PAYLOAD_TOO_LARGE,
                "TOO_LARGE",
                "a field of more than 1000 bytes",
            ));
        }
    }
    String::from_utf8(bytes)
        .map_err(|_| refused(StatusCode::UNPROCESSABLE_ENTITY, "FORM_INVALID", "a field that is no text"))
}

/// Writes one file to the disk while it comes in.
async fn file(
    app: &Arc<ContestApp>,
    mut field: Field<'_>,
    limits: &ServeLimits,
    before: u64,
) -> Result<Object, Problem> {
    let mut writing = app.run(|app| app.objects.begin().map_err(|error| of_disk(&error))).await?;
    let mut block: Vec<u8> = Vec::new();
    loop {
        let chunk = field.chunk().await?;
        let bytes = writing.bytes() + (block.len() + chunk.as_ref().map_or(0, |chunk| chunk.len())) as u64;
        if bytes > limits.file_mib << 20 {
            return Err(too_large("a file", limits.file_mib));
        }
        if before + bytes > limits.submission_mib << 20 {
            return Err(too_large("the submission", limits.submission_mib));
        }
        let is_end = chunk.is_none();
        block.extend_from_slice(&chunk.unwrap_or_default());
        if block.len() >= BLOCK || (is_end && !block.is_empty()) {
            let full = std::mem::take(&mut block);
            writing = app.run(move |_| written(writing, &full)).await?;
        }
        if is_end {
            return app.run(move |_| writing.finish().map_err(|error| of_disk(&error))).await;
        }
    }
}

fn written(mut writing: Writing, bytes: &[u8]) -> Result<Writing, Problem> {
    writing.write(bytes).map_err(|error| of_disk(&error))?;
    Ok(writing)
}

fn of_disk(error: &std::io::Error) -> Problem {
    let (kind, detail) = match error.kind() {
        std::io::ErrorKind::StorageFull => ("DISK_FULL", "the disk is full".to_owned()),
        kind => ("DISK_FAILED", format!("the disk refuses: {kind}")),
    };
    refused(StatusCode::INSUFFICIENT_STORAGE, kind, detail).hint("tell the organiser; nothing was lost")
}

/// Refuses uploads when the disk is nearly full.
///
/// # Errors
/// It is.
pub fn check_disk(app: &ContestApp) -> Result<(), Problem> {
    let least = app.rules.settings.limits.free_mib << 20;
    let free = app.objects.free_bytes().map_err(|error| of_disk(&error))?;
    if free >= least {
        return Ok(());
    }
    Err(refused(StatusCode::INSUFFICIENT_STORAGE, "DISK_FULL", "the disk of the server is nearly full")
        .hint("tell the organiser; what was handed in before is safe"))
}
