//! Sizes and times as people write them, and how much memory there is.

use std::time::Duration;

/// A number of bytes, with K, M, G or T for 2^10, 2^20, 2^30 or 2^40 of them.
pub(crate) fn size(text: &str) -> Result<usize, String> {
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match lower[digits.len()..].trim() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err("a size is a number with K, M, G or T, as in 512M".into()),
    };
    let number: usize = digits.parse().map_err(|_| "a size begins with a whole number, as in 512M".to_owned())?;
    match number.checked_mul(1 << shift) {
        Some(0) | None => Err("that is no size that memory can have".into()),
        Some(bytes) => Ok(bytes),
    }
}

/// A number of seconds, or with m or h of minutes or hours.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &lower[digits.len()..] {
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("a time is a number of seconds, or ends in m or h, as in 30m".into()),
    };
    let number: f64 = digits.parse().map_err(|_| "a time begins with a number, as in 30m".to_owned())?;
    Duration::try_from_secs_f64(number * factor).map_err(|_| "that is no time that can pass".into())
}

/// Three quarters of the memory that this process may have, less if others have taken most of it; no limit if that is not
/// known.
pub(crate) fn default_limit() -> usize {
    let whole = machine().map_or(usize::MAX, |bytes| bytes / 4 * 3);
    available().map_or(whole, |bytes| whole.min(bytes / 10 * 9))
}

/// The memory that can be had without taking it from others.
fn available() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<usize>().ok()?.checked_mul(1024)
}

/// The memory of the machine, or what the process's control group allows of it.
pub(crate) fn machine() -> Option<usize> {
    let read = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    let kilobytes = read("/proc/meminfo").split_whitespace().nth(1).and_then(|n| n.parse::<usize>().ok());
    let total = kilobytes.and_then(|n| n.checked_mul(1024));
    let allowed = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let allowed = allowed.into_iter().filter_map(|file| read(file).trim().parse::<usize>().ok());
    total.into_iter().chain(allowed).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let sizes = [("1", 1), ("10K", 10 << 10), ("512m", 512 << 20), ("2 GiB", 2 << 30), ("1T", 1 << 40)];
        sizes.into_iter().for_each(|(text, bytes)| assert_eq!(size(text), Ok(bytes), "{text}"));
        ["", "K", "0", "-1", "1.5G", "3X", "99999999999T"]
            .iter()
            .for_each(|text| assert!(size(text).is_err(), "{text}"));
    }

    #[test]
    fn times() {
        let times = [("0", 0), ("90", 90), ("30m", 1800), ("1h", 3600), ("2s", 2)];
        times.into_iter().for_each(|(text, seconds)| assert_eq!(duration(text), Ok(Duration::from_secs(seconds))));
        assert_eq!(duration("0.5"), Ok(Duration::from_millis(500)));
        ["", "m", "-1", "3d", "1e400", "nan"].iter().for_each(|text| assert!(duration(text).is_err(), "{text}"));
    }
}
