use super::is_record;
use crate::errors::{require, ArenaError};
use pinocchio::{error::ProgramError, AccountView, Address};

const LEN: usize = 165;
const TYPE_ACCOUNT: u8 = 2;
const STATE_OFFSET: usize = 108;
const STATE_UNINITIALIZED: u8 = 0;

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
            is_record(&data, LEN, TYPE_ACCOUNT) && data[STATE_OFFSET] != STATE_UNINITIALIZED,
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
