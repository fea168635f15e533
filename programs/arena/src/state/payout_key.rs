use super::{address_at, bytes_at, put, Discriminator};
use crate::{
    errors::{require, ArenaError},
    seeds,
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

/// What a payout key may pay out of its lobby, in base units.
pub struct PayoutLimits {
    /// By one claim.
    pub max_claim: u64,
    /// By all claims of a window.
    pub max_window: u64,
    /// How long a window is. One begins with the first claim after the end of the last.
    pub window_slots: u64,
}

/// At most one per lobby, at ["payout_key", lobby_id]: a key that may claim in order within limits.
pub struct PayoutKey {
    pub lobby_id: u64,
    /// All zeros if it was revoked.
    pub key: Address,
    /// Who set it. It ends with the role of this super admin.
    pub set_by: Address,
    pub limits: PayoutLimits,
    pub window_start_slot: u64,
    /// Paid since then.
    pub spent: u64,
    pub bump: u8,
}

impl PayoutKey {
    pub const LEN: usize = 121;
    /// sha256("account:PayoutKey")
    const DISCRIMINATOR: Discriminator = [31, 50, 225, 63, 41, 234, 164, 149];

    #[inline(never)]
    pub fn load(account: &AccountView, lobby_id: u64, program_id: &Address) -> Result<Self, ProgramError> {
        require(account.owned_by(program_id) && account.is_writable(), ArenaError::InvalidAccount)?;
        let payout_key = Self::decode(&account.try_borrow()?)?;
        let address = seeds::payout_key_address(lobby_id, payout_key.bump, program_id)?;
        require(account.address() == &address, ArenaError::InvalidAccount)?;
        Ok(payout_key)
    }

    #[inline(never)]
    pub fn store(&self, account: &mut AccountView) -> ProgramResult {
        let mut data = account.try_borrow_mut()?;
        let record: &mut [u8; Self::LEN] = (&mut *data).try_into().map_err(|_| ArenaError::InvalidAccount)?;
        put(record, 0, &Self::DISCRIMINATOR);
        put(record, 8, &self.lobby_id.to_le_bytes());
        put(record, 16, self.key.as_ref());
        put(record, 48, self.set_by.as_ref());
        put(record, 80, &self.limits.max_claim.to_le_bytes());
        put(record, 88, &self.limits.max_window.to_le_bytes());
        put(record, 96, &self.limits.window_slots.to_le_bytes());
        put(record, 104, &self.window_start_slot.to_le_bytes());
        put(record, 112, &self.spent.to_le_bytes());
        put(record, 120, &[self.bump]);
        Ok(())
    }

    /// Counts a claim against the limits.
    #[inline(always)]
    pub fn spend(&mut self, amount: u64, slot: u64) -> ProgramResult {
        let PayoutLimits { max_claim, max_window, window_slots } = self.limits;
        require(amount <= max_claim, ArenaError::ClaimAboveLimit)?;
        if slot.saturating_sub(self.window_start_slot) >= window_slots {
            (self.window_start_slot, self.spent) = (slot, 0);
        }
        let spent = self.spent.checked_add(amount).ok_or(ArenaError::ArithmeticOverflow)?;
        require(spent <= max_window, ArenaError::WindowExhausted)?;
        self.spent = spent;
        Ok(())
    }

    #[inline(always)]
    fn decode(data: &[u8]) -> Result<Self, ProgramError> {
        let record: &[u8; Self::LEN] = data.try_into().map_err(|_| ArenaError::InvalidAccount)?;
        require(bytes_at(record, 0) == Self::DISCRIMINATOR, ArenaError::InvalidAccount)?;
        let u64_at = |offset| u64::from_le_bytes(bytes_at(record, offset));
        Ok(Self {
            lobby_id: u64_at(8),
            key: address_at(record, 16),
            set_by: address_at(record, 48),
            limits: PayoutLimits { max_claim: u64_at(80), max_window: u64_at(88), window_slots: u64_at(96) },
            window_start_slot: u64_at(104),
            spent: u64_at(112),
            bump: record[120],
        })
    }
}
