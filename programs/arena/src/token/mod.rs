//! SPL Token and Token-2022. Both have the same layout up to the extensions, and take the same instructions.

mod account;
mod mint;
mod pool;

pub use account::TokenAccount;
pub use mint::{expect_supported_mint, token_program_of};
pub use pool::{PoolAccounts, TokenPool};

/// Both token programs pad a mint with extensions to the length of an account, and put the type of the record there.
const TYPE_OFFSET: usize = 165;
