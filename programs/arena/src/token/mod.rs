//! SPL Token and Token-2022. Both have the same layout up to the extensions, and take the same instructions.

mod account;
mod mint;
mod pool;

pub use account::TokenAccount;
pub use mint::{expect_supported_mint, token_program_of};
pub use pool::{PoolAccounts, TokenPool};

const MULTISIG_LEN: usize = 355;
/// A record with extensions is padded to the length of a token account, and says there what it is.
const TYPE_OFFSET: usize = 165;

/// Mints, accounts and multisigs are all owned by the token program, and must not be taken for one another. A plain
/// record is known by its length, one with extensions by its type. A multisig has neither, only a length of its own.
#[inline(always)]
fn is_record(data: &[u8], plain_len: usize, kind: u8) -> bool {
    let is_extended = data.len() > TYPE_OFFSET && data.len() != MULTISIG_LEN;
    data.len() == plain_len || (is_extended && data[TYPE_OFFSET] == kind)
}
