//! The frame of every page: one HTML file that needs nothing else. No network, no font, and no script but its own.
//!
//! `base.html` is the head, with a policy that lets only the page's own script run; `style.css` is the look that all pages
//! share. Everything is escaped by the template engine; what is marked safe is made here from numbers and constants.

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Value, context};
use sha2::{Digest, Sha256};

use crate::RenderError;
use crate::figure::base64;

const BASE: &str = include_str!("base.html");
/// The look that all pages share.
pub(crate) const STYLE: &str = include_str!("style.css");

/// What one kind of page adds to the frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PageKind {
    /// Its blocks: what stands on the page, and in which order.
    pub template: &'static str,
    /// Rules beyond the common look.
    pub style: &'static str,
    /// What the page runs; empty for a page that stands still.
    pub script: &'static str,
    /// The class of the page's main element.
    pub class: &'static str,
}

impl PageKind {
    /// The page with a title for the browser's tab.
    ///
    /// # Errors
    /// The template fails.
    pub(crate) fn render(self, title: &str, content: Value) -> Result<String, RenderError> {
        let mut environment = Environment::new();
        environment.add_filter("prose", |text: &str| Value::from_safe_string(prose(text)));
        environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
        environment.add_template("base.html", BASE)?;
        environment.add_template("page.html", self.template)?;
        let page = context! {
            page_title => format!("{title} \u{2013} mapjudge"),
            page_class => self.class,
            style => format!("{STYLE}{}", self.style),
            script => self.script,
            script_hash => base64(&Sha256::digest(self.script)),
            ..content
        };
        let mut text = environment.get_template("page.html")?.render(page)?;
        text.push('\n');
        Ok(text)
    }
}

/// A text with `code` in backticks, escaped, as HTML.
pub(crate) fn prose(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in text.split('`').enumerate() {
        let part =
            part.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        if index % 2 == 1 {
            out.push_str(&format!("<code>{part}</code>"));
        } else {
            out.push_str(&part);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "var a = 1 < 2;\n";
    const PAGE: PageKind = PageKind {
        template: "{% extends \"base.html\" %}{% block content %}<p>{{ words }}</p>{% endblock %}",
        style: "",
        script: SCRIPT,
        class: "sheet",
    };

    #[test]
    fn only_the_pages_own_script_may_run() {
        let text = PAGE.render("a", context! {}).unwrap();
        // printf 'var a = 1 < 2;\n' | openssl dgst -sha256 -binary | base64
        assert!(text.contains("script-src 'sha256-CbC2It5Q4x7wuNLIuoo3ZTMjWPKYMkyri35e4V/CiIw='"), "{text}");
        assert!(
            text.contains(&format!("<script>{SCRIPT}</script>")),
            "the hash is that of every byte between the tags"
        );
        let still = PageKind { script: "", ..PAGE }.render("a", context! {}).unwrap();
        assert!(!still.contains("script"), "{still}");
    }

    #[test]
    fn titles_and_content_are_escaped() {
        let text = PAGE.render("<b>", context! { words => "</main><script>" }).unwrap();
        assert!(
            text.contains("<title>&lt;b&gt; \u{2013} mapjudge</title>")
                && text.contains("<main class=\"sheet\">")
        );
        assert!(text.contains("<p>&lt;&#x2f;main&gt;&lt;script&gt;</p>"), "{text}");
    }

    #[test]
    fn code_in_prose_is_code_and_nothing_else_is() {
        assert_eq!(prose("a `b<c` & d"), "a <code>b&lt;c</code> &amp; d");
    }
}
