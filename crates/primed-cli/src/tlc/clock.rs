//! Times and numbers as TLC writes them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Now as `2026-11-30 00:20:36`, in UTC: the standard library does not know the machine's time zone.
pub(super) fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    timestamp(seconds)
}

/// Now as the name of a folder, as TLC gives it: `26-11-30-00-20-36.123`.
pub(super) fn for_folder() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let stamp = timestamp(now.as_secs()).replace([' ', ':'], "-");
    format!("{}.{:03}", stamp.get(2..).unwrap_or(&stamp), now.subsec_millis())
}

fn timestamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// Year, month and day of a number of days since 1970-01-01, by eras of 400 years that begin in March.
fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

/// A duration for people: `02s`, `03min 12s`, `01h 05min`, `2d 01h`.
pub(super) fn for_people(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match seconds {
        86_401.. => format!("{days}d {hours:02}h"),
        3601.. => format!("{hours:02}h {minutes:02}min"),
        61.. => format!("{minutes:02}min {:02}s", seconds % 60),
        _ => format!("{seconds:02}s"),
    }
}

/// A number with a comma between groups of three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let folder = for_folder();
        assert_eq!(folder.len(), "26-11-30-00-20-36.123".len(), "{folder}");
        assert!(folder.chars().all(|c| c.is_ascii_digit() || "-.".contains(c)), "{folder}");
        assert_eq!(timestamp(0), "1970-01-01 00:00:00");
        assert_eq!(timestamp(951_782_399), "2000-02-28 23:59:59");
        assert_eq!(timestamp(951_782_400), "2000-02-29 00:00:00");
        assert_eq!(timestamp(1_795_997_436), "2026-11-30 00:10:36");
        assert_eq!(timestamp(1_798_761_599), "2026-12-31 23:59:59");
    }

    #[test]
    fn durations_and_numbers() {
        let people = |s| for_people(Duration::from_secs(s));
        assert_eq!([people(0), people(60), people(61), people(3700)], ["00s", "60s", "01min 01s", "01h 01min"]);
        assert_eq!(people(90_000), "1d 01h");
        assert_eq!([grouped(0), grouped(999), grouped(1000), grouped(1_234_567)], ["0", "999", "1,000", "1,234,567"]);
    }
}
