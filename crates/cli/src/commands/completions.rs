//! `mapjudge completions SHELL`: completions for a shell, or the manual pages.

use std::path::PathBuf;

use clap::{Command, CommandFactory, ValueEnum};

use crate::Global;
use crate::failure::Failure;
use crate::flags::OverwriteFlag;
use crate::output::{Answer, finish};

/// Print completions for a shell, or write the manual pages.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge completions bash > ~/.local/share/bash-completion/completions/mapjudge
  mapjudge completions zsh > _mapjudge
  mapjudge completions man --out man1
      one page per command: man1/mapjudge.1, man1/mapjudge-score.1 ..")]
pub struct Completions {
    /// The shell, or man for the manual pages.
    #[arg(value_name = "SHELL")]
    shell: Shell,
    /// Folder of the manual pages; without it the page of mapjudge itself is printed.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteFlag,
}

#[derive(Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
    Man,
}

impl Completions {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        use clap_complete::Shell as Known;
        let shell = match self.shell {
            Shell::Bash => Known::Bash,
            Shell::Elvish => Known::Elvish,
            Shell::Fish => Known::Fish,
            Shell::Powershell => Known::PowerShell,
            Shell::Zsh => Known::Zsh,
            Shell::Man => return self.manual(),
        };
        if self.out.is_some() {
            let failure = Failure::new("--out is for the manual pages");
            return Err(failure.hint("send the completions into a file with >"));
        }
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut crate::Cli::command(), "mapjudge", &mut text);
        Ok(Answer::text(String::from_utf8_lossy(&text)))
    }

    fn manual(&self) -> Result<Answer, Failure> {
        let mut command = crate::Cli::command();
        command.build();
        let Some(out) = &self.out else { return Ok(Answer::text(page(&command, "mapjudge")?)) };
        let folder = self.overwrite.results(out);
        let mut pages = vec![("mapjudge".to_owned(), command)];
        let mut count = 0;
        while let Some((name, command)) = pages.pop() {
            folder.write(&format!("{name}.1"), page(&command, &name)?)?;
            count += 1;
            let subcommands = command.get_subcommands().filter(|sub| sub.get_name() != "help");
            pages.extend(subcommands.map(|sub| (format!("{name}-{}", sub.get_name()), sub.clone())));
        }
        finish(&folder, true)?;
        Ok(Answer::notes(vec![format!("wrote {count} pages into {}", out.display())]))
    }
}

fn page(command: &Command, name: &str) -> Result<String, Failure> {
    let mut text = Vec::new();
    let rendered = clap_mangen::Man::new(command.clone()).title(name).render(&mut text);
    rendered.map_err(|error| Failure::new(format!("{name}.1: {error}")).hint("report this as a bug"))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
