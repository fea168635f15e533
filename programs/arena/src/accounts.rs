//! Account checks that several instructions share.

use crate::{
    errors::{require, ArenaError},
    state::GlobalConfig,
};
use pinocchio::{
    error::ProgramError,
    sysvars::{rent::Rent, Sysvar},
    AccountView, Address, ProgramResult,
};

/// Anchor's convention: the program's own address stands in for an optional account that is absent.
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

/// Guards every instruction except `join_lobby`, `initialize_global_config` and `claim_by_payout_key`.
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

/// A wallet that can receive any fee. Without its rent, every join with a small fee would fail.
pub fn expect_treasury_wallet(account: &AccountView) -> ProgramResult {
    let rent_lamports = Rent::get()?.try_minimum_balance(0)?;
    require(
        account.owned_by(&pinocchio_system::ID)
            && account.is_data_empty()
            && account.lamports() >= rent_lamports,
        ArenaError::IncorrectTreasury,
    )
}

/// An account of this program is nobody's wallet: a reward sent to the lobby itself would reach no one, and one sent
/// to the global config would be lost.
#[inline(always)]
pub fn expect_wallet(player: &AccountView, program_id: &Address) -> ProgramResult {
    require(!player.owned_by(program_id), ArenaError::InvalidRecipient)
}
