//! Durations (`500ms`, `60s`, `2m`, `1h`) and sizes (`64M`, `1G`) as people type and read them.

use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    #[error("`{0}` is not a duration: write a number and a unit, as in 500ms, 60s, 2m, 1h")]
    Duration(String),
    #[error("`{0}` is not a size: write a number and a unit, as in 512K, 64M, 1G")]
    Size(String),
    #[error("`{0}` is too large")]
    TooLarge(String),
}

/// Largest unit first, so that formatting takes the first that divides.
const DURATION_UNITS: [(&str, u64); 5] =
    [("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)];

const SIZE_UNITS: [(&str, u64); 4] = [("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)];

/// A number with an optional fraction and a unit; a bare number is seconds.
pub fn parse_duration(text: &str) -> Result<Duration, UnitError> {
    let invalid = || UnitError::Duration(text.to_owned());
    let (number, unit) = split(text);
    let scale = match unit {
        "" => 1_000_000_000,
        _ => DURATION_UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(invalid)?.1,
    };
    let nanos = scaled(number, scale).ok_or_else(invalid)?.ok_or_else(|| UnitError::TooLarge(text.to_owned()))?;
    Ok(Duration::from_nanos(nanos))
}

/// A number with an optional fraction and a binary unit (`K`, `M`, `G`, `T`, also as `MB` or `MiB`, in either case); a
/// bare number is bytes.
pub fn parse_size(text: &str) -> Result<u64, UnitError> {
    let invalid = || UnitError::Size(text.to_owned());
    let (number, unit) = split(text);
    let unit = unit.to_ascii_uppercase();
    let scale = match unit.as_str() {
        "" | "B" => 1,
        _ => {
            let letter = unit.strip_suffix("IB").or_else(|| unit.strip_suffix('B')).unwrap_or(&unit);
            SIZE_UNITS.iter().find(|(name, _)| *name == letter).ok_or_else(invalid)?.1
        }
    };
    scaled(number, scale).ok_or_else(invalid)?.ok_or_else(|| UnitError::TooLarge(text.to_owned()))
}

/// The shortest exact form that [`parse_duration`] reads back, down to microseconds.
pub fn format_duration(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    if nanos == 0 {
        return "0s".to_owned();
    }
    match DURATION_UNITS.iter().find(|(_, scale)| nanos.is_multiple_of(u128::from(*scale))) {
        Some((unit, scale)) => format!("{}{unit}", nanos / u128::from(*scale)),
        None => format!("{}us", nanos / 1_000),
    }
}

/// The shortest exact form that [`parse_size`] reads back.
pub fn format_size(bytes: u64) -> String {
    match SIZE_UNITS.iter().find(|(_, scale)| bytes != 0 && bytes.is_multiple_of(*scale)) {
        Some((unit, scale)) => format!("{}{unit}", bytes / scale),
        None => bytes.to_string(),
    }
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    (number, unit.trim_start())
}

/// `None`: not a number; `Some(None)`: does not fit. In integers, so that `format` and `parse` are exact inverses.
fn scaled(number: &str, scale: u64) -> Option<Option<u64>> {
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (number, ""),
    };
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return None;
    }
    let Ok(whole) = whole.parse::<u64>() else { return Some(None) };
    // Twelve digits are finer than any unit here; what lies behind them is rounded down.
    let fraction = fraction
        .bytes()
        .take(12)
        .fold((0u128, 1u128), |(value, unit), digit| (value * 10 + u128::from(digit - b'0'), unit * 10));
    let part = fraction.0 * u128::from(scale) / fraction.1;
    Some(u64::try_from(u128::from(whole) * u128::from(scale) + part).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_as_in_the_manual() {
        for (text, millis) in [("60s", 60_000), ("2m", 120_000), ("500ms", 500), ("1h", 3_600_000), ("1.5s", 1_500)] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        assert_eq!(parse_duration("7"), Ok(Duration::from_secs(7)));
    }

    #[test]
    fn sizes_as_in_the_manual() {
        for (text, bytes) in [("64M", 64 << 20), ("1G", 1 << 30), ("1.5k", 1536), ("2MiB", 2 << 20), ("17", 17)] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "s", "-1s", "1d", "1.s", ".5s", "1..2s", "1 2s", "0x1s", "ms"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
        for text in ["", "M", "-1M", "1Q", "1.M", "1MM"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
        assert_eq!(parse_size("99999999999T"), Err(UnitError::TooLarge("99999999999T".to_owned())));
        assert_eq!(parse_duration("99999999999h"), Err(UnitError::TooLarge("99999999999h".to_owned())));
    }

    proptest! {
        #[test]
        fn duration_round_trip(micros in 0..u64::MAX / 1_000) {
            let duration = Duration::from_micros(micros);
            prop_assert_eq!(parse_duration(&format_duration(duration)), Ok(duration));
        }

        #[test]
        fn size_round_trip(bytes: u64) {
            prop_assert_eq!(parse_size(&format_size(bytes)), Ok(bytes));
        }
    }
}
