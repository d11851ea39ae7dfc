//! Points in time as RFC 3339 writes them, in UTC. The library reads no clock: its caller tells the time.

const SECONDS_PER_DAY: i64 = 86_400;

/// Whole seconds since 1970 in UTC, for years 0 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp {
    unix_s: i64,
}

impl Timestamp {
    /// A time of the system's clock; none beyond the year 9999.
    #[must_use]
    pub fn from_unix_s(unix_s: u64) -> Option<Self> {
        Self::new(i64::try_from(unix_s).ok()?)
    }

    /// Four digits of a year keep the order of the texts the order in time.
    fn new(unix_s: i64) -> Option<Self> {
        let [first, end] = [0, 10_000].map(|year| days_from_civil(year, 1, 1) * SECONDS_PER_DAY);
        (first..end).contains(&unix_s).then_some(Self { unix_s })
    }

    /// Reads `2026-11-16T02:00:00Z`, with any offset such as `+01:00`; fractions of a second are left out. A date alone
    /// is its midnight in UTC.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (date, time) = match text.split_once(['T', 't', ' ']) {
            Some((date, time)) => (date, Some(time)),
            None => (text, None),
        };
        let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
        if !(1..=12).contains(&month) || !(1..=days_in_month(year, month)).contains(&day) {
            return None;
        }
        let seconds = time.map_or(Some(0), seconds_of_day)?;
        Self::new(days_from_civil(year, month, day) * SECONDS_PER_DAY + seconds)
    }

    /// As `2026-11-16T02:00:00Z`.
    #[must_use]
    pub fn text(self) -> String {
        let (year, month, day) = civil_from_days(self.unix_s.div_euclid(SECONDS_PER_DAY));
        let second = self.unix_s.rem_euclid(SECONDS_PER_DAY);
        let (hour, minute) = (second / 3600, second / 60 % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z", second % 60)
    }
}

/// Seconds from midnight in UTC; negative where the offset leads into the day before.
fn seconds_of_day(text: &str) -> Option<i64> {
    let at = text.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = text.split_at(at);
    let clock = clock.split_once('.').map_or(Some(clock), |(whole, fraction)| {
        (!fraction.is_empty() && fraction.bytes().all(|digit| digit.is_ascii_digit())).then_some(whole)
    })?;
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
    let offset = match zone {
        "Z" | "z" => 0,
        _ => {
            let [hours, minutes] = numbers(&zone[1..], ':', [2, 2])?;
            let size = (hours < 24 && minutes < 60).then_some(hours * 3600 + minutes * 60)?;
            if zone.starts_with('-') { -size } else { size }
        }
    };
    // A leap second counts as the first of the next minute.
    let is_clock = hour < 24 && minute < 60 && second <= 60;
    is_clock.then_some(hour * 3600 + minute * 60 + second - offset)
}

/// Numbers of so many digits each, between separators.
fn numbers<const N: usize>(text: &str, separator: char, digits: [usize; N]) -> Option<[i64; N]> {
    let mut parts = text.split(separator);
    let mut found = [0; N];
    for (slot, digits) in found.iter_mut().zip(digits) {
        let part = parts.next()?;
        let is_number = part.len() == digits && part.bytes().all(|digit| digit.is_ascii_digit());
        *slot = is_number.then(|| part.parse().ok())??;
    }
    parts.next().is_none().then_some(found)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    let next = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    days_from_civil(next.0, next.1, 1) - days_from_civil(year, month, 1)
}

/// Days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March (Hinnant 2013).
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The reverse: year, month and day.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(given: &str) -> Option<String> {
        Timestamp::parse(given).map(Timestamp::text)
    }

    #[test]
    fn every_offset_becomes_utc() {
        assert_eq!(text("2026-11-16T02:00:00Z").unwrap(), "2026-11-16T02:00:00Z");
        assert_eq!(text("2026-11-16T00:30:00.25+01:00").unwrap(), "2026-11-15T23:30:00Z");
        assert_eq!(text("2024-02-29t23:59:60-00:00").unwrap(), "2024-03-01T00:00:00Z");
        assert_eq!(text("2026-11-16").unwrap(), "2026-11-16T00:00:00Z");
        // `date --utc --date=@1000000000`
        assert_eq!(Timestamp::from_unix_s(1_000_000_000).unwrap().text(), "2001-09-09T01:46:40Z");
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for wrong in [
            "",
            "yesterday",
            "2026-13-01",
            "2026-02-29",
            "2026-11-16T02:00:00",
            "2026-11-16T25:00:00Z",
            "2026-11-16T",
            "2026-1-1",
            "2026-11-16T02:00:00.Z",
            "2026-11-16T02:00:00+1",
            "+026-11-16",
            "0000-01-01T00:00:00+01:00",
            "2026-11-16T02:00:00é",
        ] {
            assert_eq!(text(wrong), None, "{wrong}");
        }
        assert_eq!(Timestamp::from_unix_s(u64::MAX), None);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(unix_s in 0..253_402_300_800_u64) {
            let time = Timestamp::from_unix_s(unix_s).unwrap();
            prop_assert_eq!(Timestamp::parse(&time.text()), Some(time));
        }

        #[test]
        fn any_text_is_a_time_or_refused(given in any::<String>()) {
            let _ = Timestamp::parse(&given);
        }
    }
}
