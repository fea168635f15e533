use super::{bytes_at, put, Discriminator};
use crate::{
    errors::{require, ArenaError},
    seeds,
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

pub type BatchId = [u8; 16];

/// At most one per lobby, at ["claims", lobby_id]: how many claims were made in order, and which was the last.
pub struct ClaimCounter {
    pub lobby_id: u64,
    /// The next claim has to name it.
    pub next_number: u64,
    /// All zeros before the first claim.
    pub last_batch: BatchId,
    pub bump: u8,
}

impl ClaimCounter {
    pub const LEN: usize = 41;
    /// sha256("account:ClaimCounter")
    const DISCRIMINATOR: Discriminator = [7, 204, 84, 7, 227, 56, 52, 216];

    #[inline(never)]
    pub fn load(account: &AccountView, lobby_id: u64, program_id: &Address) -> Result<Self, ProgramError> {
        require(account.owned_by(program_id) && account.is_writable(), ArenaError::InvalidAccount)?;
        let counter = Self::decode(&account.try_borrow()?)?;
        let address = seeds::claim_counter_address(lobby_id, counter.bump, program_id)?;
        require(account.address() == &address, ArenaError::InvalidAccount)?;
        Ok(counter)
    }

    /// The counter after a claim, which has to name the next number.
    #[inline(always)]
    pub fn advance(self, number: u64, batch: BatchId) -> Result<Self, ProgramError> {
        require(number == self.next_number, ArenaError::WrongClaimNumber)?;
        let next_number = self.next_number.checked_add(1).ok_or(ArenaError::ArithmeticOverflow)?;
        Ok(Self { next_number, last_batch: batch, ..self })
    }

    #[inline(never)]
    pub fn store(&self, account: &mut AccountView) -> ProgramResult {
        let mut data = account.try_borrow_mut()?;
        let record: &mut [u8; Self::LEN] = (&mut *data).try_into().map_err(|_| ArenaError::InvalidAccount)?;
        put(record, 0, &Self::DISCRIMINATOR);
        put(record, 8, &self.lobby_id.to_le_bytes());
        put(record, 16, &self.next_number.to_le_bytes());
        put(record, 24, &self.last_batch);
        put(record, 40, &[self.bump]);
        Ok(())
    }

    #[inline(always)]
    fn decode(data: &[u8]) -> Result<Self, ProgramError> {
        let record: &[u8; Self::LEN] = data.try_into().map_err(|_| ArenaError::InvalidAccount)?;
        require(bytes_at(record, 0) == Self::DISCRIMINATOR, ArenaError::InvalidAccount)?;
        Ok(Self {
            lobby_id: u64::from_le_bytes(bytes_at(record, 8)),
            next_number: u64::from_le_bytes(bytes_at(record, 16)),
            last_batch: bytes_at(record, 24),
            bump: record[40],
        })
    }
}
