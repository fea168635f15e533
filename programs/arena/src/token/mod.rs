//! SPL Token and Token-2022. Both have the same layout up to the extensions and take the same instructions.

mod mint;
mod pool;

pub use mint::{expect_supported_mint, token_program_of};
pub use pool::{PoolAccounts, TokenPool};

use crate::errors::{require, ArenaError};
use pinocchio::{error::ProgramError, AccountView, Address};

const ACCOUNT_LEN: usize = 165;
const MULTISIG_LEN: usize = 355;
const STATE_OFFSET: usize = 108;
const STATE_UNINITIALIZED: u8 = 0;
/// A record with extensions is padded to the length of a token account and gives its type there.
const TYPE_OFFSET: usize = 165;
const TYPE_ACCOUNT: u8 = 2;

pub struct TokenAccount {
    pub mint: Address,
    pub owner: Address,
    pub amount: u64,
}

impl TokenAccount {
    #[inline(never)]
    pub fn load(account: &AccountView, token_program: &Address) -> Result<Self, ProgramError> {
        require(account.owned_by(token_program), ArenaError::InvalidAccount)?;
        let data = account.try_borrow()?;
        require(
            is_record(&data, ACCOUNT_LEN, TYPE_ACCOUNT) && data[STATE_OFFSET] != STATE_UNINITIALIZED,
            ArenaError::InvalidAccount,
        )?;
        let (mut mint, mut owner, mut amount) = ([0; 32], [0; 32], [0; 8]);
        mint.copy_from_slice(&data[..32]);
        owner.copy_from_slice(&data[32..64]);
        amount.copy_from_slice(&data[64..72]);
        Ok(Self {
            mint: Address::new_from_array(mint),
            owner: Address::new_from_array(owner),
            amount: u64::from_le_bytes(amount),
        })
    }
}

/// Mints, accounts and multisigs are all owned by the token program and must not be mistaken for one another. A plain
/// record is recognized by its length, one with extensions by its type, a multisig only by its length.
#[inline(always)]
fn is_record(data: &[u8], plain_len: usize, kind: u8) -> bool {
    let is_extended = data.len() > TYPE_OFFSET && data.len() != MULTISIG_LEN;
    data.len() == plain_len || (is_extended && data[TYPE_OFFSET] == kind)
}
