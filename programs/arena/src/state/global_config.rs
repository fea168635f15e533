use super::{address_at, bytes_at, put, Discriminator};
use crate::{
    errors::{require, ArenaError},
    math::{BASIS_POINTS, MAX_PLATFORM_FEE_BASIS_POINTS},
    seeds,
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

/// Exists once, at ["global_config"].
pub struct GlobalConfig {
    pub super_admin: Address,
    pub platform_treasury: Address,
    pub platform_fee_basis_points: u16,
    pub bump: u8,
}

impl GlobalConfig {
    pub const LEN: usize = 75;
    /// sha256("account:GlobalConfig")
    const DISCRIMINATOR: Discriminator = [149, 8, 156, 202, 160, 252, 176, 217];

    #[inline(never)]
    pub fn load(account: &AccountView, program_id: &Address) -> Result<Self, ProgramError> {
        require(account.owned_by(program_id), ArenaError::InvalidAccount)?;
        let config = Self::decode(&account.try_borrow()?)?;
        let address = seeds::global_config_address(config.bump, program_id)?;
        require(account.address() == &address, ArenaError::InvalidAccount)?;
        Ok(config)
    }

    #[inline(never)]
    pub fn store(&self, account: &mut AccountView) -> ProgramResult {
        let mut data = account.try_borrow_mut()?;
        let record: &mut [u8; Self::LEN] = (&mut *data).try_into().map_err(|_| ArenaError::InvalidAccount)?;
        put(record, 0, &Self::DISCRIMINATOR);
        put(record, 8, self.super_admin.as_ref());
        put(record, 40, self.platform_treasury.as_ref());
        put(record, 72, &self.platform_fee_basis_points.to_le_bytes());
        put(record, 74, &[self.bump]);
        Ok(())
    }

    #[inline(always)]
    pub fn expect_allowed_fee(basis_points: u16) -> ProgramResult {
        let basis_points = u64::from(basis_points);
        require(basis_points <= BASIS_POINTS, ArenaError::InvalidFeePercentage)?;
        require(basis_points <= MAX_PLATFORM_FEE_BASIS_POINTS, ArenaError::FeeAboveCap)
    }

    #[inline(always)]
    fn decode(data: &[u8]) -> Result<Self, ProgramError> {
        let record: &[u8; Self::LEN] = data.try_into().map_err(|_| ArenaError::InvalidAccount)?;
        require(bytes_at(record, 0) == Self::DISCRIMINATOR, ArenaError::InvalidAccount)?;
        Ok(Self {
            super_admin: address_at(record, 8),
            platform_treasury: address_at(record, 40),
            platform_fee_basis_points: u16::from_le_bytes(bytes_at(record, 72)),
            bump: record[74],
        })
    }
}
