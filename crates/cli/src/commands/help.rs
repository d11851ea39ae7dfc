//! `mapjudge help [TOPIC]`: the pages of the documentation, which are part of the program.

use clap::CommandFactory;

use crate::Global;
use crate::failure::Failure;
use crate::output::Answer;

/// Print a page of the documentation, or list them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge help                 lists the pages
  mapjudge help contest         the page about contests
  mapjudge help score           the page about what `mapjudge score` writes
  mapjudge help contest init    the flags of a command, as `mapjudge contest init --help`")]
pub struct Help {
    /// A page or a command.
    #[arg(value_name = "TOPIC")]
    topic: Vec<String>,
}

/// Every page of the documentation.
const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// Commands whose page has another name.
const PAGES_OF_COMMANDS: &[(&str, &str)] = &[
    ("arena", "simulation"),
    ("challenge", "replay"),
    ("convert", "formats"),
    ("damage", "lab"),
    ("explore", "exploration"),
    ("info", "formats"),
    ("map", "mapping"),
    ("merge", "scale"),
    ("optimize", "mapping"),
    ("plan", "exploration"),
    ("portals", "paths"),
    ("graph", "paths"),
    ("record", "replay"),
    ("schema", "report"),
    ("score", "report"),
    ("simulate", "simulation"),
    ("traj", "trajectories"),
    ("truth", "ground-truth"),
];

impl Help {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        match self.topic.as_slice() {
            [] => Ok(Answer::text(list())),
            [topic] => page(topic).map(Answer::text).or_else(|| self.flags()).ok_or_else(|| self.unknown()),
            _ => self.flags().ok_or_else(|| self.unknown()),
        }
    }

    /// The flags of a command or of one below it.
    fn flags(&self) -> Option<Answer> {
        let mut command = crate::Cli::command();
        command.build();
        let found =
            self.topic.iter().try_fold(&mut command, |command, word| command.find_subcommand_mut(word))?;
        Some(Answer::text(found.render_long_help().to_string()))
    }

    fn unknown(&self) -> Failure {
        let topic = self.topic.join(" ");
        let commands = crate::Cli::command();
        let commands = commands.get_subcommands().map(|command| command.get_name().to_owned());
        let known: Vec<String> = PAGES.iter().map(|(name, _)| (*name).to_owned()).chain(commands).collect();
        let hint = match report::nearest(&topic, known.iter().map(String::as_str)) {
            Some(name) => format!("did you mean `mapjudge help {name}`?"),
            None => "`mapjudge help` lists the pages".to_owned(),
        };
        Failure::new(format!("no page and no command '{topic}'")).hint(hint)
    }
}

/// The page of a topic or of a command.
fn page(topic: &str) -> Option<String> {
    let topic = topic.strip_prefix("docs/").unwrap_or(topic);
    let topic = topic.strip_suffix(".md").unwrap_or(topic);
    let of_command = PAGES_OF_COMMANDS.iter().find(|(command, _)| *command == topic);
    let name = of_command.map_or(topic, |(_, page)| page);
    let (_, text) = PAGES.iter().find(|(known, _)| *known == name)?;
    let is_command = crate::Cli::command().find_subcommand(topic).is_some();
    let flags =
        if is_command { format!("\n`mapjudge {topic} --help` lists the flags.\n") } else { String::new() };
    Some(format!("{text}{flags}"))
}

fn list() -> String {
    let title = |text: &str| text.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
    let line = |(name, text): &(&str, &str)| format!("{name:<14} {}\n", title(text));
    let pages: String = PAGES.iter().map(line).collect();
    format!("{pages}\n`mapjudge help PAGE` prints a page, `mapjudge --help` lists the commands.\n")
}
