//! The secret of this user, with which stored measurements are signed.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// 32 random bytes that only this user can read: `mapjudge/cache-secret` in the folder for states of programs
/// (`XDG_STATE_HOME`, else `.local/state` of the home folder; `LOCALAPPDATA` on Windows).
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Secret(..)")
    }
}

impl Secret {
    /// A secret of given bytes.
    #[must_use]
    pub const fn of_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The secret of this user, made at the first use. Where it cannot be kept it is random for this run alone, and no
    /// run believes what another one stored.
    #[must_use]
    pub fn of_user() -> Self {
        let kept = state_folder().and_then(|folder| read_secret(&folder.join("mapjudge")));
        Self(kept.unwrap_or_else(random))
    }

    /// The keyed hash of an entry, in hexadecimal digits.
    pub(super) fn hash(&self, name: &str, bytes: &[u8]) -> String {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
        hasher.update(bytes);
        hasher.finalize().to_hex().to_string()
    }
}

fn state_folder() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    of("XDG_STATE_HOME").or_else(|| of("LOCALAPPDATA")).or_else(|| Some(of("HOME")?.join(".local/state")))
}

/// The secret in a folder, made if there is none. Of two that are made at the same time, the first counts.
fn read_secret(folder: &Path) -> Option<[u8; 32]> {
    let path = folder.join("cache-secret");
    if let Some(found) = read(&path) {
        return Some(found);
    }
    std::fs::create_dir_all(folder).ok()?;
    let part = folder.join(format!("cache-secret.{}.part", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written =
        options.open(&part).and_then(|mut file| file.write_all(&random()).and_then(|()| file.sync_all()));
    // Unlike a renamed file, a linked one never takes the place of another.
    let _ = written.and_then(|()| std::fs::hard_link(&part, &path));
    let _ = std::fs::remove_file(&part);
    read(&path)
}

/// The secret of a file; none if others could read it, or it has another length.
fn read(path: &Path) -> Option<[u8; 32]> {
    let file = std::fs::File::open(path).ok()?;
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&file.metadata().ok()?.permissions()) & 0o077 != 0 {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(33).read_to_end(&mut bytes).ok()?;
    bytes.try_into().ok()
}

/// Bytes that nobody can guess. The keys of the standard library's hash maps are random, 128 bits of the system.
fn random() -> [u8; 32] {
    use std::hash::{BuildHasher, RandomState};
    let mut hasher = blake3::Hasher::new();
    let mut of_system = [0; 32];
    let read = std::fs::File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut of_system));
    if read.is_ok() {
        hasher.update(&of_system);
    }
    for number in 0..4_u64 {
        hasher.update(&RandomState::new().hash_one(number).to_le_bytes());
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_made_once_and_kept_from_others() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("mapjudge");
        let made = read_secret(&place).unwrap();
        assert_eq!(read_secret(&place), Some(made));
        assert_eq!(std::fs::read_dir(&place).unwrap().count(), 1);
        assert_ne!(read_secret(&folder.path().join("other")), Some(made));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let path = place.join("cache-secret");
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
            assert_eq!(read_secret(&place), None, "one that others can read is none");
        }
        assert_ne!(random(), random());
    }
}
