//! Under which addresses a contest is reached, and what that asks for.

use std::net::{IpAddr, SocketAddr};

/// Where the server is, and who gets in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Where it listens.
    pub address: SocketAddr,
    /// Under which a reverse proxy shows it.
    pub public_url: Option<PublicUrl>,
    /// Whether everybody is the admin, without log-in.
    pub is_free: bool,
    /// Whether the organiser accepts that others on the network read along.
    pub is_plain_http_accepted: bool,
}

/// A URL of a scheme and a host, without a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    /// Whether it is https.
    pub is_https: bool,
    /// Host, with a port where there is one.
    pub host: String,
}

/// Why a contest is not served so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nobody could log in.
    #[error("other machines can reach this address, and the contest has no user")]
    NoUser,
    /// Codes and cookies would be read by others.
    #[error("other machines can reach this address in plain http")]
    PlainHttp,
    /// Anybody would be the admin.
    #[error("without log-in, only this machine may reach the contest")]
    Free,
}

impl PublicUrl {
    /// A URL such as `https://maps.example.org`.
    #[must_use]
    pub fn parse(url: &str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let host = rest.strip_suffix('/').unwrap_or(rest).to_ascii_lowercase();
        let is_host = !host.is_empty()
            && host
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':' | b'[' | b']'));
        let is_https = match scheme {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        is_host.then_some(Self { is_https, host })
    }

    /// As text.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}://{}", if self.is_https { "https" } else { "http" }, self.host)
    }
}

impl Reach {
    /// This machine alone, with log-in.
    #[must_use]
    pub const fn near(address: SocketAddr) -> Self {
        Self { address, public_url: None, is_free: false, is_plain_http_accepted: false }
    }

    /// Whether the contest may be served so.
    ///
    /// # Errors
    /// Strangers would get in, or read along.
    pub fn check(&self, users: i64) -> Result<(), Refusal> {
        if self.address.ip().is_loopback() && self.public_url.is_none() {
            return Ok(());
        }
        if self.is_free {
            return Err(Refusal::Free);
        }
        if users == 0 && !self.address.ip().is_loopback() {
            return Err(Refusal::NoUser);
        }
        let is_https = self.public_url.as_ref().is_some_and(|url| url.is_https);
        if is_https || self.is_plain_http_accepted || self.address.ip().is_loopback() {
            Ok(())
        } else {
            Err(Refusal::PlainHttp)
        }
    }

    /// The beginning of links.
    #[must_use]
    pub fn base(&self) -> String {
        self.public_url.as_ref().map_or_else(|| format!("http://{}", self.address), PublicUrl::text)
    }

    /// Whether a request may name this host: a page of another name that leads here is refused.
    #[must_use]
    pub fn knows_host(&self, host: &str) -> bool {
        let port = self.address.port();
        let host = host.to_ascii_lowercase();
        if self.public_url.as_ref().is_some_and(|url| url.host == host) {
            return true;
        }
        if host == self.address.to_string() || host == format!("localhost:{port}") {
            return true;
        }
        // Numbers cannot be led elsewhere by a name server.
        let number: Option<SocketAddr> = host.parse().ok();
        let is_any = self.address.ip().is_unspecified();
        let is_default =
            port == 80 && (host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback()));
        number.is_some_and(|number| number.port() == port && (is_any || number.ip().is_loopback()))
            || is_default
    }

    /// Whether an `Origin` is the server's own.
    #[must_use]
    pub fn is_own_origin(&self, origin: &str, host: &str) -> bool {
        let public = self.public_url.as_ref().is_some_and(|url| url.text() == origin.to_ascii_lowercase());
        public || origin.strip_prefix("http://").is_some_and(|of| of.eq_ignore_ascii_case(host))
    }

    /// Name of the cookie. Cookies do not know ports: two contests on one machine must not take each other's.
    #[must_use]
    pub fn cookie_name(&self) -> String {
        match &self.public_url {
            Some(url) if url.is_https => "__Host-mapjudge".to_owned(),
            _ => format!("mapjudge-{}", self.address.port()),
        }
    }

    /// Whether cookies go over https alone.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.is_https)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str) -> Reach {
        Reach::near(address.parse().unwrap())
    }

    #[test]
    fn other_machines_need_users_and_https() {
        let far = at("0.0.0.0:80");
        assert_eq!(at("127.0.0.1:8080").check(0), Ok(()));
        assert_eq!(far.check(0), Err(Refusal::NoUser));
        assert_eq!(far.check(1), Err(Refusal::PlainHttp));
        assert_eq!(Reach { is_plain_http_accepted: true, ..far.clone() }.check(1), Ok(()));
        let public_url = PublicUrl::parse("https://maps.example.org/");
        assert_eq!(Reach { public_url: public_url.clone(), ..far.clone() }.check(1), Ok(()));
        assert_eq!(Reach { is_free: true, ..far }.check(1), Err(Refusal::Free));
        assert_eq!(Reach { is_free: true, ..at("127.0.0.1:1") }.check(0), Ok(()));
        let behind = Reach { is_free: true, public_url, ..at("127.0.0.1:1") };
        assert_eq!(behind.check(1), Err(Refusal::Free), "a proxy lets everybody in");
    }

    #[test]
    fn only_own_names_are_hosts() {
        let near = at("127.0.0.1:4000");
        for host in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000", "[::1]:4000"] {
            assert!(near.knows_host(host), "{host}");
        }
        for host in
            ["evil.example", "127.0.0.1:1", "127.0.0.1", "", "10.0.0.1:4000", "localhost:4000.evil.example"]
        {
            assert!(!near.knows_host(host), "{host}");
        }
        let public = Reach { public_url: PublicUrl::parse("https://maps.example.org"), ..near };
        assert!(public.knows_host("maps.example.org") && !public.knows_host("x.maps.example.org"));
        assert!(public.is_own_origin("https://maps.example.org", "maps.example.org"));
        assert!(!public.is_own_origin("http://maps.example.org.evil", "maps.example.org"));
        assert!(at("0.0.0.0:4000").knows_host("10.0.0.1:4000"));
        assert_eq!(PublicUrl::parse("https://a/b"), None);
        assert_eq!(PublicUrl::parse("ftp://a"), None);
    }
}
