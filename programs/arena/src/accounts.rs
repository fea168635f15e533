//! Checks that several instructions make on the accounts they are given.

use crate::{
    errors::{require, ArenaError},
    state::GlobalConfig,
};
use pinocchio::{
    error::ProgramError,
    sysvars::{rent::Rent, Sysvar},
    AccountView, Address, ProgramResult,
};

/// The accounts an instruction lists by position; what comes after them is left over.
#[inline(always)]
pub fn expect_accounts<const N: usize>(
    accounts: &mut [AccountView],
) -> Result<(&mut [AccountView; N], &mut [AccountView]), ProgramError> {
    accounts.split_first_chunk_mut::<N>().ok_or(ProgramError::NotEnoughAccountKeys)
}

/// Anchor's convention: the program's own address stands in the place of an optional account that is absent.
#[inline(always)]
pub fn optional<'a>(account: &'a AccountView, program_id: &Address) -> Option<&'a AccountView> {
    (account.address() != program_id).then_some(account)
}

#[inline(always)]
pub fn expect_signer(account: &AccountView) -> ProgramResult {
    if account.is_signer() {
        Ok(())
    } else {
        Err(ProgramError::MissingRequiredSignature)
    }
}

#[inline(always)]
pub fn expect_writable(account: &AccountView) -> ProgramResult {
    require(account.is_writable(), ArenaError::InvalidAccount)
}

#[inline(always)]
pub fn expect_system_program(account: &AccountView) -> ProgramResult {
    require(account.address() == &pinocchio_system::ID, ArenaError::InvalidAccount)
}

/// The gate of every instruction that is not for players.
#[inline(always)]
pub fn expect_super_admin(
    global_config: &AccountView,
    super_admin: &AccountView,
    program_id: &Address,
) -> Result<GlobalConfig, ProgramError> {
    expect_signer(super_admin)?;
    let config = GlobalConfig::load(global_config, program_id)?;
    require(&config.super_admin == super_admin.address(), ArenaError::Unauthorized)?;
    Ok(config)
}

/// A wallet that can receive any fee: one that did not hold its rent would make every join with a small fee fail.
pub fn expect_treasury_wallet(account: &AccountView) -> ProgramResult {
    let rent_lamports = Rent::get()?.try_minimum_balance(0)?;
    require(
        account.owned_by(&pinocchio_system::ID)
            && account.is_data_empty()
            && account.lamports() >= rent_lamports,
        ArenaError::IncorrectTreasury,
    )
}
