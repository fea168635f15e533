//! What paying one player and paying a batch have in common.

use crate::{
    errors::{require, ArenaError},
    state::LobbyConfig,
};
use pinocchio::{AccountView, Address, ProgramResult};

/// An account of this program is nobody's wallet: a reward sent to the lobby itself would be paid to no one, one sent
/// to the global config would be lost.
#[inline(always)]
pub fn expect_wallet(player: &AccountView, program_id: &Address) -> ProgramResult {
    require(!player.owned_by(program_id), ArenaError::InvalidRecipient)
}

#[inline(always)]
pub fn expect_reward(amount: u64) -> ProgramResult {
    require(amount > 0, ArenaError::ZeroReward)
}

/// Never touches the rent of the lobby.
#[inline(always)]
pub fn pay_lamports(lobby_config: &mut AccountView, player: &mut AccountView, amount: u64) -> ProgramResult {
    require(amount <= LobbyConfig::pool_lamports(lobby_config)?, ArenaError::InsufficientLobbyBalance)?;
    let player_lamports = player.lamports().checked_add(amount);
    player.set_lamports(player_lamports.ok_or(ArenaError::ArithmeticOverflow)?);
    lobby_config.set_lamports(lobby_config.lamports() - amount);
    Ok(())
}
