use super::{is_record, TYPE_OFFSET};
use crate::errors::{require, ArenaError};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

const LEN: usize = 82;
const DECIMALS_OFFSET: usize = 44;
const IS_INITIALIZED_OFFSET: usize = 45;
const TYPE_MINT: u8 = 1;

/// Token-2022 extensions that only describe a token. All others are refused, known or not: a transfer fee or a hook
/// changes what a transfer does, a permanent delegate or a burn permission can take from the pool, a default state, a
/// pause or non-transferability can lock it, and a close authority lets the mint come back with any of these.
const HARMLESS_EXTENSIONS: [u16; 6] = [
    18, // MetadataPointer
    19, // TokenMetadata
    20, // GroupPointer
    21, // TokenGroup
    22, // GroupMemberPointer
    23, // TokenGroupMember
];

/// The program that owns the mint, if it is one of the two token programs.
pub fn token_program_of(mint: &AccountView) -> Result<&'static Address, ProgramError> {
    if mint.owned_by(&pinocchio_token::ID) {
        Ok(&pinocchio_token::ID)
    } else if mint.owned_by(&pinocchio_token_2022::ID) {
        Ok(&pinocchio_token_2022::ID)
    } else {
        Err(ArenaError::IncorrectTokenMint.into())
    }
}

/// For accounts owned by a token program. Extensions are fixed before a mint is initialized, so checking them once,
/// when the lobby is created, is enough.
pub fn expect_supported_mint(mint: &AccountView) -> ProgramResult {
    let data = mint.try_borrow()?;
    require(is_mint(&data), ArenaError::IncorrectTokenMint)?;
    if data.len() == LEN {
        return Ok(());
    }
    require(has_only_harmless_extensions(&data[TYPE_OFFSET + 1..]), ArenaError::UnsupportedMint)
}

/// The mint was checked in full when the lobby was created.
#[inline(always)]
pub fn decimals_of(mint: &AccountView) -> Result<u8, ProgramError> {
    let data = mint.try_borrow()?;
    require(is_mint(&data), ArenaError::IncorrectTokenMint)?;
    Ok(data[DECIMALS_OFFSET])
}

#[inline(always)]
fn is_mint(data: &[u8]) -> bool {
    is_record(data, LEN, TYPE_MINT) && data[IS_INITIALIZED_OFFSET] == 1
}

/// Entries of type u16, length u16, value. A type of 0 ends the list.
fn has_only_harmless_extensions(mut entries: &[u8]) -> bool {
    while let Some((&[t0, t1, l0, l1], rest)) = entries.split_first_chunk::<4>() {
        let (kind, len) = (u16::from_le_bytes([t0, t1]), u16::from_le_bytes([l0, l1]));
        if kind == 0 {
            return true;
        }
        if !HARMLESS_EXTENSIONS.contains(&kind) || rest.len() < usize::from(len) {
            return false;
        }
        entries = &rest[usize::from(len)..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::has_only_harmless_extensions;

    #[test]
    fn accepts_no_extensions_and_describing_ones() {
        assert!(has_only_harmless_extensions(&[]));
        assert!(has_only_harmless_extensions(&[0, 0, 0, 0]));
        assert!(has_only_harmless_extensions(&[18, 0, 1, 0, 7, 19, 0, 2, 0, 7, 7]));
    }

    #[test]
    fn refuses_every_other_kind_at_any_position() {
        for kind in (1..18).chain(24..600) {
            let [k0, k1] = u16::to_le_bytes(kind);
            assert!(!has_only_harmless_extensions(&[k0, k1, 0, 0]));
            assert!(!has_only_harmless_extensions(&[18, 0, 1, 0, 7, k0, k1, 0, 0]));
        }
    }

    #[test]
    fn refuses_an_entry_that_runs_past_the_end() {
        assert!(!has_only_harmless_extensions(&[18, 0, 2, 0, 7]));
    }
}
