//! Pure integer arithmetic on amounts. Tested on the host against u128, and as bytecode against bigint.

pub const BASIS_POINTS: u64 = 10_000;
/// What the super admin can take of an entry fee at most.
pub const MAX_PLATFORM_FEE_BASIS_POINTS: u64 = 2_000;

/// The two parts always add up to the entry fee.
#[derive(Debug, PartialEq)]
pub struct EntryFeeSplit {
    pub platform_fee: u64,
    pub stake: u64,
}

/// The platform gets ⌊entry_fee · basis_points / 10000⌋, the pool the rest. None if basis_points exceeds 10000.
///
/// The product may need 77 bits, so the fee is split at 10000 first: with entry_fee = 10000·q + r, the quotient is
/// q·basis_points + ⌊r·basis_points / 10000⌋, and neither term can overflow.
pub fn split_entry_fee(entry_fee: u64, basis_points: u16) -> Option<EntryFeeSplit> {
    let basis_points = u64::from(basis_points);
    if basis_points > BASIS_POINTS {
        return None;
    }
    let (whole, rest) = (entry_fee / BASIS_POINTS, entry_fee % BASIS_POINTS);
    let platform_fee = whole * basis_points + rest * basis_points / BASIS_POINTS;
    Some(EntryFeeSplit { platform_fee, stake: entry_fee - platform_fee })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_u128(entry_fee: u64, basis_points: u16) -> EntryFeeSplit {
        let platform_fee = (u128::from(entry_fee) * u128::from(basis_points) / 10_000) as u64;
        EntryFeeSplit { platform_fee, stake: entry_fee - platform_fee }
    }

    #[test]
    fn agrees_with_u128_at_the_edges() {
        let fees = [0, 1, 2, 9_999, 10_000, 10_001, u64::MAX / 10_000, u64::MAX - 1, u64::MAX];
        for entry_fee in fees {
            for basis_points in [0, 1, 2, 499, 500, 5_000, 9_999, 10_000] {
                assert_eq!(split_entry_fee(entry_fee, basis_points), Some(by_u128(entry_fee, basis_points)));
            }
        }
    }

    #[test]
    fn agrees_with_u128_on_random_fees() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state >> (state & 63)
        };
        for _ in 0..200_000 {
            let (entry_fee, basis_points) = (next(), (next() % 10_001) as u16);
            assert_eq!(split_entry_fee(entry_fee, basis_points), Some(by_u128(entry_fee, basis_points)));
        }
    }

    #[test]
    fn refuses_more_than_10000_basis_points() {
        assert_eq!(split_entry_fee(1, 10_001), None);
        assert_eq!(split_entry_fee(1, u16::MAX), None);
    }
}
