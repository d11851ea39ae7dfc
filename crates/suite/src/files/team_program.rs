//! A team's program: started by its command line, through the door for programs of other people, while this process
//! stands in the folder of the program.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use super::foreign_program::{Door, Ending, Escaped, ForeignProgram, Outputs};
use crate::JobError;

/// How the programs of teams are run: one at a time, with their words on stderr.
const DOOR: Door<'static> = Door { search: &[], outputs: Outputs::PassOn, escaped: Escaped::All };

/// The program while it runs.
pub(crate) struct TeamProgram {
    program: ForeignProgram,
    elsewhere: Option<Elsewhere>,
}

impl TeamProgram {
    /// Starts the program. `{host}`, `{port}` and `{out}` are replaced; words that name existing files become absolute,
    /// since the program runs elsewhere.
    pub fn start(command: &str, address: SocketAddr, folder: &Path, poses: &Path) -> Result<Self, JobError> {
        let unusable = |why: String| JobError::Program { command: command.to_owned(), why };
        let words = words_of(command).ok_or_else(|| unusable("a quote is not closed".to_owned()))?;
        let replaced = words.into_iter().map(|word| {
            let word = word.replace("{host}", &address.ip().to_string());
            let word = word.replace("{port}", &address.port().to_string());
            word.replace("{out}", &poses.display().to_string())
        });
        let absolute = replaced.map(|word| match std::fs::canonicalize(&word) {
            Ok(path) if !word.is_empty() => path.into_os_string(),
            _ => word.into(),
        });
        let words: Vec<OsString> = absolute.collect();
        if words.is_empty() {
            return Err(unusable("it is empty".to_owned()));
        }
        let elsewhere = Some(Elsewhere::go(folder));
        let program =
            ForeignProgram::start(&words, folder, DOOR).map_err(|error| unusable(error.to_string()))?;
        Ok(Self { program, elsewhere })
    }

    /// Waits for the program and ends all that it has left; none if it had to be ended itself.
    pub fn wait(&mut self, timeout: Duration) -> std::io::Result<Option<ExitStatus>> {
        let ending = self.program.wait(timeout)?;
        self.elsewhere = None;
        Ok(match ending {
            Ending::Exited(status) => Some(status),
            Ending::TimedOut | Ending::TooMuchOutput => None,
        })
    }
}

/// The present folder of this process, left for another one until this is dropped: who looks where a process is must not
/// find what lies there.
struct Elsewhere {
    back: Option<PathBuf>,
}

impl Elsewhere {
    fn go(folder: &Path) -> Self {
        let back = std::env::current_dir().ok();
        // If it does not go, the folder is told as before; the relations are not.
        let _ = std::env::set_current_dir(folder);
        Self { back }
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        if let Some(back) = &self.back {
            let _ = std::env::set_current_dir(back);
        }
    }
}

/// Words with blanks between; quotes of both kinds hold blanks together. None if a quote is not closed.
fn words_of(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None::<char>);
    for letter in command.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_os = "linux")]
    use crate::files::adopt_orphans_and_close;

    fn started(command: &str, folder: &Path) -> TeamProgram {
        let address = SocketAddr::from(([127, 0, 0, 1], 3000));
        TeamProgram::start(command, address, folder, &folder.join("poses")).unwrap()
    }

    #[test]
    fn words_are_split_as_a_shell_would() {
        let split = |text: &str| words_of(text);
        assert_eq!(split("a  b\tc").unwrap(), ["a", "b", "c"]);
        assert_eq!(split("sh -c \"a 'b' c\" ''").unwrap(), ["sh", "-c", "a 'b' c", ""]);
        assert_eq!(split(" ").unwrap(), Vec::<String>::new());
        assert_eq!(split("a 'b"), None);
    }

    /// One test: processes that another thread of this one starts would be ended too.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_and_what_it_started_end_when_their_time_is_over() {
        adopt_orphans_and_close().unwrap();
        let folder = tempfile::tempdir().unwrap();
        assert!(started("sleep 60", folder.path()).wait(Duration::from_millis(100)).unwrap().is_none());
        assert!(started("true", folder.path()).wait(Duration::from_secs(60)).unwrap().unwrap().success());
        let script = "(sleep 61 & echo $! >a; setsid sleep 62 & echo $! >b; wait) & sleep 0.3";
        let ends = [(" ; sleep 60", 1500), ("", 60_000)];
        for (end, timeout_ms) in ends {
            let command = format!("sh -c \"{script}{end}\"");
            started(&command, folder.path()).wait(Duration::from_millis(timeout_ms)).unwrap();
            for name in ["a", "b"] {
                let number = std::fs::read_to_string(folder.path().join(name)).unwrap();
                let status = std::fs::read_to_string(format!("/proc/{}/stat", number.trim()));
                assert!(status.is_err(), "{name} of {command} lives: {status:?}");
            }
        }
    }
}
