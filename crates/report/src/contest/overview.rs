//! The overview of a contest as one HTML page: ranking, how sure it is, the maps of all teams, Pareto view, findings.

use minijinja::{Value, context};

use super::pareto_chart::pareto_chart;
use super::ranking_table::{RankingDigits, is_neighbour, part_names, rank_words, remark};
use super::value::{ContestFinding, ContestReport, RankedTeam, Rules};
use crate::figure::{OVERLAY_LEGEND, Rgb};
use crate::footer::level_word;
use crate::number::shown;
use crate::page::PageKind;
use crate::printable::{name, printable};
use crate::{Figure, PartRecord, RenderError};

const PAGE: PageKind =
    PageKind { template: include_str!("overview.html"), style: STYLE, script: "", class: "contest" };
/// The look of a contest's pages.
pub(super) const STYLE: &str = include_str!("contest.css");
/// More maps make the page slow; the folders of the teams have them all.
const MAX_OVERLAYS: usize = 48;
/// More findings belong into a program.
const MAX_FINDINGS: usize = 60;
/// More pairs than this are no list to read.
const MAX_STATEMENTS: usize = 30;

/// The map of a team for the overview.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    pub team: String,
    pub mission: String,
    /// Truth and map; none if there is no map to draw.
    pub figure: Option<Figure>,
    /// Why there is none.
    pub reason: Option<String>,
}

/// The overview as one page that needs nothing else.
///
/// # Errors
/// A figure cannot be drawn.
pub fn overview(contest: &ContestReport, overlays: &[Overlay]) -> Result<String, RenderError> {
    let (parts, digits) = (part_names(contest), RankingDigits::of(contest));
    let neighbours = contest.significance.iter().filter(|p| is_neighbour(contest, &p.above, &p.below));
    let flips = contest.sensitivity.iter().filter(|f| f.flips_below.is_some() || f.flips_above.is_some());
    let front = contest.pareto.as_ref().map(|pareto| {
        let names: Vec<String> = pareto.front.iter().map(|team| name(team)).collect();
        format!("On the front: {}.", names.join(", "))
    });
    let statements =
        |all: Vec<&str>| -> Vec<String> { all.into_iter().take(MAX_STATEMENTS).map(printable).collect() };
    let shown_overlays = overlays.iter().take(MAX_OVERLAYS).map(|overlay| overlay_view(contest, overlay));
    let shown_overlays: Vec<Value> = shown_overlays.collect::<Result<_, _>>()?;
    let page = context! {
        title => title(contest),
        stamp => contest.stamp.as_deref().map(printable),
        profile => name(&contest.profile),
        tool => tool(contest),
        rules => rules(&contest.rules),
        weights => weights(&contest.rules),
        missions => contest.missions.iter().map(|mission| name(mission)).collect::<Vec<_>>(),
        parts => parts.iter().map(|part| context! { name => name(part), title => part_title(contest, part) }).collect::<Vec<_>>(),
        teams => contest.ranking.iter().map(|team| team_view(team, &parts, &digits)).collect::<Vec<_>>(),
        pairs => statements(neighbours.map(|pair| pair.statement.as_str()).collect()),
        flips => statements(flips.map(|flip| flip.statement.as_str()).collect()),
        resampling => context! {
            resamples => contest.resampling.resamples,
            seed => contest.resampling.seed,
            resampled => contest.resampling.resampled.iter().map(|w| printable(w)).collect::<Vec<_>>(),
            fixed => contest.resampling.fixed.iter().map(|w| printable(w)).collect::<Vec<_>>(),
        },
        overlays => shown_overlays,
        more_overlays => overlays.len().saturating_sub(MAX_OVERLAYS),
        legend => legend(),
        pareto => pareto_chart(contest),
        front,
        findings => contest.findings.iter().take(MAX_FINDINGS).map(finding_view).collect::<Vec<_>>(),
        more_findings => contest.findings.len().saturating_sub(MAX_FINDINGS),
    };
    PAGE.render(&title(contest), page)
}

pub(super) fn title(contest: &ContestReport) -> String {
    if contest.title.is_empty() { "Contest".to_owned() } else { name(&contest.title) }
}

pub(super) fn tool(contest: &ContestReport) -> String {
    format!("{} {}", printable(&contest.tool.name), printable(&contest.tool.version))
}

pub(super) fn rules(rules: &Rules) -> Value {
    context! {
        title => printable(&rules.title),
        source => printable(&rules.source),
        formula => printable(&rules.formula),
        notes => rules.notes.iter().map(|note| sentence(&printable(note))).collect::<Vec<_>>(),
        combine => printable(&rules.combine),
    }
}

/// Words that begin with a capital letter.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

pub(super) fn weights(rules: &Rules) -> Vec<Value> {
    let all = rules.weights.iter().chain(&rules.constants);
    all.map(|(name, value)| context! { name => printable(name), value => shown(Some(*value)) }).collect()
}

pub(super) fn finding_view(finding: &ContestFinding) -> Value {
    context! {
        team => name(&finding.team),
        mission => name(&finding.mission),
        file => finding.file.as_deref().map(printable),
        level => level_word(finding.level),
        code => printable(&finding.code),
        message => printable(&finding.message),
    }
}

pub(super) fn legend() -> Vec<Value> {
    let colour = |[red, green, blue]: Rgb| format!("#{red:02x}{green:02x}{blue:02x}");
    let rows = OVERLAY_LEGEND.iter().rev();
    rows.map(|(rgb, meaning)| context! { colour => colour(*rgb), meaning => *meaning }).collect()
}

fn part_title(contest: &ContestReport, part: &str) -> String {
    let all = contest.ranking.iter().flat_map(|team| &team.missions).flat_map(|mission| &mission.parts);
    let found: Option<&PartRecord> = all.into_iter().find(|record| record.name == part);
    found.map_or_else(String::new, |record| name(&record.title))
}

fn team_view(team: &RankedTeam, parts: &[&str], digits: &RankingDigits) -> Value {
    let missions: Vec<Value> = team
        .missions
        .iter()
        .map(|mission| {
            context! { name => name(&mission.mission), sheet => mission.sheet.clone(), score => shown(mission.score) }
        })
        .collect();
    context! {
        rank => rank_words(team),
        name => name(&team.team),
        score => digits.score(team),
        interval => digits.interval(team),
        remark => remark(team),
        parts => parts.iter().map(|part| digits.part(team, part)).collect::<Vec<_>>(),
        missions,
    }
}

fn overlay_view(contest: &ContestReport, overlay: &Overlay) -> Result<Value, RenderError> {
    let team = contest.ranking.iter().find(|team| team.team == overlay.team);
    Ok(context! {
        rank => team.map(rank_words),
        team => name(&overlay.team),
        mission => name(&overlay.mission),
        uri => overlay.figure.as_ref().map(Figure::data_uri).transpose()?,
        reason => overlay.reason.as_deref().map(printable),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::example;

    #[test]
    fn the_page_shows_ranking_certainty_maps_and_findings() {
        let overlay = |team: &str, figure: Option<Figure>| Overlay {
            team: team.into(),
            mission: String::new(),
            figure,
            reason: Some("cut off".into()),
        };
        let overlays = [overlay("Alpha", crate::example::figures().pop()), overlay("Beta", None)];
        let text = overview(&example::contest(), &overlays).unwrap();
        for words in ["97 % of 1000", "flips if w_E &lt; 41", "data:image/png;base64,", "CANNOT_READ", "<svg"]
        {
            assert!(text.contains(words), "{words}");
        }
        let outside = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!outside.contains("http:") && !outside.contains("https:") && !outside.contains("<script"));
    }

    #[test]
    fn a_note_of_the_rules_begins_with_a_capital() {
        assert!(overview(&example::contest(), &[]).unwrap().contains("<p>A note. Made by"));
        assert_eq!(sentence(""), "");
    }

    #[test]
    fn strangers_write_no_tags() {
        let mut contest = example::contest();
        contest.title = "<b>".into();
        contest.findings[0].message = "<b>".into();
        contest.ranking[0].missions[0].parts[0].title = "<b>".into();
        assert!(!overview(&contest, &[]).unwrap().contains("<b>"));
    }
}
