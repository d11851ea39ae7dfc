//! The commands in groups, as `mapjudge --help` lists them.

use std::fmt::Write;

use clap::Command;

use crate::commands::GROUPS;

/// The command with its subcommands listed in groups.
pub fn grouped(command: Command) -> Command {
    let mut listed = String::new();
    let width = command.get_subcommands().map(|sub| sub.get_name().len()).max().unwrap_or(0);
    for (title, names) in groups(&command) {
        let _ = writeln!(listed, "{title}:");
        for name in names {
            let about = command.find_subcommand(&name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(listed, "  {name:width$}  {about}");
        }
        listed.push('\n');
    }
    let rest = "`mapjudge COMMAND --help` describes a command, `mapjudge help` lists the pages of the documentation.";
    command.help_template(format!("{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{listed}Options:\n{{options}}\n\n{rest}{{after-help}}"))
}

/// The groups, and what stands in none of them.
fn groups(command: &Command) -> Vec<(&'static str, Vec<String>)> {
    let exists = |name: &&&str| command.find_subcommand(**name).is_some();
    let of = |names: &[&str]| names.iter().filter(exists).map(|name| (*name).to_owned()).collect();
    let mut groups: Vec<(_, Vec<String>)> = GROUPS.iter().map(|(title, names)| (*title, of(names))).collect();
    let is_listed = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let names = command.get_subcommands().filter(|sub| !sub.is_hide_set()).map(Command::get_name);
    let others: Vec<String> = names.filter(|name| !is_listed(name)).map(str::to_owned).collect();
    if !others.is_empty() {
        groups.push(("Others", others));
    }
    groups
}
