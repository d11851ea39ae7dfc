//! Cards for teams: an A4 page with two columns of links, to print and cut.

/// One card.
pub struct Card {
    /// The team.
    pub team: String,
    /// Its log-in link.
    pub link: String,
}

const STYLE: &str = "@page{size:A4;margin:12mm}body{font:11pt sans-serif;margin:0}\
main{display:grid;grid-template-columns:1fr 1fr;gap:0}\
section{border:1px dashed #777;padding:8mm;break-inside:avoid}\
h1{font-size:11pt;font-weight:normal;margin:0;color:#444}h2{font-size:16pt;margin:2mm 0}\
p{margin:2mm 0}code{font-size:10pt;word-break:break-all}";

/// The page; whole in itself.
pub fn sheet(contest: &str, cards: &[Card]) -> String {
    let title = if contest.is_empty() { "Contest" } else { contest };
    let card = |card: &Card| {
        format!(
            "<section><h1>{}</h1><h2>{}</h2><p>Log in once, within a day:</p><p><code>{}</code></p></section>\n",
            escaped(title),
            escaped(&card.team),
            escaped(&card.link)
        )
    };
    let cards: String = cards.iter().map(card).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{}</title><style>{STYLE}</style>\n<main>\n{cards}</main></html>\n",
        escaped(title)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_teams_stay_text() {
        let card = Card { team: "<script>alert(1)</script>".into(), link: "http://x/login#a".into() };
        let page = sheet("A & B", &[card]);
        assert!(!page.contains("<script") && page.contains("&lt;script&gt;") && page.contains("A &amp; B"));
        assert!(page.contains("http://x/login#a"));
    }
}
