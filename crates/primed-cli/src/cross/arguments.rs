//! How the real TLC is asked as well.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use primed_oracle::{Bounds, Tools, Trouble};

use crate::memory;

/// What is put before the real TLC as well.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Choice {
    /// Nothing.
    #[default]
    None,
    /// What is refused, violated, or fails.
    Failures,
    /// A part by chance, from 0 to 1.
    Sample(f64),
    /// Everything.
    All,
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        let wrong = || "none, failures, sample=P with P from 0 to 1, or all".to_owned();
        match text {
            "none" => Ok(Choice::None),
            "failures" => Ok(Choice::Failures),
            "all" => Ok(Choice::All),
            _ => {
                let part: f64 = text.strip_prefix("sample=").and_then(|p| p.parse().ok()).ok_or_else(wrong)?;
                if (0.0..=1.0).contains(&part) { Ok(Choice::Sample(part)) } else { Err(wrong()) }
            }
        }
    }
}

impl Choice {
    /// Whether something is chosen: the one of this number, which failed or did not. The same seed chooses the same ones.
    pub(crate) fn takes(self, seed: u64, number: usize, failed: bool) -> bool {
        match self {
            Choice::None => false,
            Choice::Failures => failed,
            Choice::All => true,
            Choice::Sample(part) => {
                // A stream of its own for each number, so that the choice does not depend on the order.
                let mut random = fastrand::Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number as u64);
                random.f64() < part
            }
        }
    }
}

/// Who decides what Primed does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fallback {
    /// The real TLC.
    Tlc,
}

/// Options of every sub-command whose verdicts can be put before the real TLC.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "The real TLC")]
pub(crate) struct CrossArguments {
    /// Put verdicts before the real TLC as well: none, failures, sample=P (P from 0 to 1) or all. Where it disagrees, its verdict
    /// stands, the exit code is 74, and a folder is written from which anybody can reproduce it.
    #[arg(long, value_name = "WHICH", default_value = "none")]
    pub(crate) cross_check: Choice,
    /// Which sample is taken.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Where disagreements are written down.
    #[arg(long, value_name = "DIR", default_value = "primed-disputes")]
    pub(crate) disputes: PathBuf,
    /// What Primed does not support is decided by the real TLC. TLC asks nobody before it writes files or runs commands, anywhere: it
    /// is not asked about specifications with an operator that does, except where --allow-write or --allow-commands is given.
    #[arg(long, value_enum, value_name = "CHECKER")]
    pub(crate) fallback: Option<Fallback>,
    #[command(flatten)]
    pub(crate) tlc: TlcChoice,
}

/// Which TLC, and what it may use.
#[derive(Clone, Debug, Args)]
pub(crate) struct TlcChoice {
    /// The real TLC; without it the jar that TLA2TOOLS_JAR names, or the one of `primed oracle install`.
    #[arg(long, value_name = "FILE.jar")]
    pub(crate) tlc_jar: Option<PathBuf>,
    /// Longest time for one run of TLC, in seconds, or with s, m or h.
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = memory::duration)]
    pub(crate) tlc_timeout: Duration,
    /// Java's memory for TLC, with K, M, G or T.
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory::size)]
    pub(crate) tlc_memory: usize,
}

impl TlcChoice {
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds { time: self.tlc_timeout, memory: self.tlc_memory }
    }

    /// The Java and the jar.
    pub(crate) fn find(&self) -> Result<Tools, Trouble> {
        let mut tools = Tools::find(self.tlc_jar.as_deref())?;
        tools.learn_version();
        Ok(tools)
    }
}

impl CrossArguments {
    /// Something may have to be asked of TLC.
    pub(crate) fn is_on(&self) -> bool {
        self.cross_check != Choice::None || self.fallback.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_the_same_for_the_same_seed_and_of_about_the_size_asked_for() {
        let choice: Choice = "sample=0.25".parse().unwrap();
        let taken = |seed| (1..=4000).filter(|n| choice.takes(seed, *n, false)).collect::<Vec<_>>();
        assert_eq!(taken(7), taken(7));
        assert_ne!(taken(7), taken(8));
        assert!((800..1200).contains(&taken(7).len()), "{}", taken(7).len());
        assert!("sample=1.5".parse::<Choice>().is_err() && "some".parse::<Choice>().is_err());
        assert!(Choice::Failures.takes(0, 1, true) && !Choice::Failures.takes(0, 1, false));
    }
}
