use super::{address_at, bytes_at, put, Discriminator};
use crate::{
    errors::{require, ArenaError},
    seeds,
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

/// One per lobby, at ["lobby", lobby_id]. In a SOL lobby it also holds the pool: its lamports above the reserve.
pub struct LobbyConfig {
    pub lobby_id: u64,
    /// All zeros in a SOL lobby.
    pub token_mint: Address,
    pub entry_fee_amount: u64,
    /// The associated token account of this account; all zeros in a SOL lobby.
    pub reward_pool_token_account: Address,
    pub is_sol_lobby: bool,
    pub bump: u8,
    /// What the account held when the lobby was created: its rent, and whatever had been sent there before. Rent
    /// changes over time; a pool measured against today's rent would change with it.
    pub reserve_lamports: u64,
}

impl LobbyConfig {
    pub const LEN: usize = 98;
    /// sha256("account:LobbyConfig")
    const DISCRIMINATOR: Discriminator = [104, 10, 252, 59, 75, 85, 242, 250];

    #[inline(never)]
    pub fn load(account: &AccountView, program_id: &Address) -> Result<Self, ProgramError> {
        require(account.owned_by(program_id) && account.is_writable(), ArenaError::InvalidAccount)?;
        let config = Self::decode(&account.try_borrow()?)?;
        let address = seeds::lobby_config_address(config.lobby_id, config.bump, program_id)?;
        require(account.address() == &address, ArenaError::InvalidAccount)?;
        Ok(config)
    }

    #[inline(never)]
    pub fn store(&self, account: &mut AccountView) -> ProgramResult {
        let mut data = account.try_borrow_mut()?;
        let record: &mut [u8; Self::LEN] = (&mut *data).try_into().map_err(|_| ArenaError::InvalidAccount)?;
        put(record, 0, &Self::DISCRIMINATOR);
        put(record, 8, &self.lobby_id.to_le_bytes());
        put(record, 16, self.token_mint.as_ref());
        put(record, 48, &self.entry_fee_amount.to_le_bytes());
        put(record, 56, self.reward_pool_token_account.as_ref());
        put(record, 88, &[u8::from(self.is_sol_lobby)]);
        put(record, 89, &[self.bump]);
        put(record, 90, &self.reserve_lamports.to_le_bytes());
        Ok(())
    }

    /// What a SOL lobby can pay.
    #[inline(always)]
    pub fn pool_lamports(&self, account: &AccountView) -> u64 {
        account.lamports().saturating_sub(self.reserve_lamports)
    }

    /// Pays from the pool of a SOL lobby. The caller has checked that it holds the amount.
    #[inline(always)]
    pub fn pay_lamports(account: &mut AccountView, player: &mut AccountView, amount: u64) -> ProgramResult {
        let player_lamports = player.lamports().checked_add(amount);
        player.set_lamports(player_lamports.ok_or(ArenaError::ArithmeticOverflow)?);
        account.set_lamports(account.lamports() - amount);
        Ok(())
    }

    #[inline(always)]
    fn decode(data: &[u8]) -> Result<Self, ProgramError> {
        let record: &[u8; Self::LEN] = data.try_into().map_err(|_| ArenaError::InvalidAccount)?;
        require(bytes_at(record, 0) == Self::DISCRIMINATOR, ArenaError::InvalidAccount)?;
        Ok(Self {
            lobby_id: u64::from_le_bytes(bytes_at(record, 8)),
            token_mint: address_at(record, 16),
            entry_fee_amount: u64::from_le_bytes(bytes_at(record, 48)),
            reward_pool_token_account: address_at(record, 56),
            is_sol_lobby: record[88] == 1,
            bump: record[89],
            reserve_lamports: u64::from_le_bytes(bytes_at(record, 90)),
        })
    }
}
