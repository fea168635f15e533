//! What the claims that pay several players have in common.

use crate::{
    accounts::{expect_wallet, expect_writable},
    arguments::Amounts,
    errors::{require, ArenaError},
    state::LobbyConfig,
    token::{PoolAccounts, TokenPool},
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

const MAX_PLAYERS: usize = 10;

/// Rewards that were checked against the pool.
pub struct Rewards<'a> {
    /// None in a SOL lobby.
    token_pool: Option<TokenPool<'a>>,
    total: u64,
}

impl<'a> Rewards<'a> {
    /// `recipients` are a wallet per player in a SOL lobby, pairs of wallet and token account in a token lobby.
    #[inline(always)]
    pub fn load(
        lobby: &LobbyConfig,
        lobby_config: &AccountView,
        pool: &PoolAccounts<'a>,
        recipients: &[AccountView],
        amounts: &Amounts,
        program_id: &Address,
    ) -> Result<Self, ProgramError> {
        let accounts_per_player = if lobby.is_sol_lobby { 1 } else { 2 };
        let players = amounts.len();
        require(
            (1..=MAX_PLAYERS).contains(&players) && recipients.len() == players * accounts_per_player,
            ArenaError::InvalidBatch,
        )?;
        expect_different_wallets(recipients, accounts_per_player, program_id)?;
        let total = expect_rewards(amounts)?;

        let token_pool = if lobby.is_sol_lobby {
            pool.expect_absent(program_id)?;
            require(total <= lobby.pool_lamports(lobby_config), ArenaError::InsufficientLobbyBalance)?;
            recipients.iter().try_for_each(expect_writable)?;
            None
        } else {
            let pool = TokenPool::load(lobby, pool, program_id)?;
            require(total <= pool.amount_before, ArenaError::InsufficientLobbyBalance)?;
            expect_token_accounts(&pool, recipients)?;
            Some(pool)
        };
        Ok(Self { token_pool, total })
    }

    #[inline(always)]
    pub fn total(&self) -> u64 {
        self.total
    }

    #[inline(always)]
    pub fn pay(
        &self,
        lobby_config: &mut AccountView,
        recipients: &mut [AccountView],
        amounts: &Amounts,
    ) -> ProgramResult {
        match &self.token_pool {
            None => pay_sol(lobby_config, recipients, amounts, self.total),
            Some(pool) => pay_tokens(lobby_config, pool, recipients, amounts, self.total),
        }
    }
}

/// A batch that names a player twice is refused: the caller counted someone twice, or should have added the two
/// amounts up.
#[inline(never)]
fn expect_different_wallets(
    recipients: &[AccountView],
    accounts_per_player: usize,
    program_id: &Address,
) -> ProgramResult {
    for (index, wallet) in recipients.iter().step_by(accounts_per_player).enumerate() {
        expect_wallet(wallet, program_id)?;
        let mut before = recipients.iter().step_by(accounts_per_player).take(index);
        require(before.all(|other| other.address() != wallet.address()), ArenaError::DuplicateRecipient)?;
    }
    Ok(())
}

/// Returns the sum.
#[inline(never)]
fn expect_rewards(amounts: &Amounts) -> Result<u64, ProgramError> {
    let mut total = 0_u64;
    for amount in amounts.iter() {
        require(amount > 0, ArenaError::ZeroReward)?;
        total = total.checked_add(amount).ok_or(ArenaError::ArithmeticOverflow)?;
    }
    Ok(total)
}

#[inline(never)]
fn expect_token_accounts(pool: &TokenPool, recipients: &[AccountView]) -> ProgramResult {
    for pair in recipients.chunks_exact(2) {
        let (wallet, tokens) = (&pair[0], &pair[1]);
        pool.expect_token_account(tokens, wallet.address(), ArenaError::InvalidRecipient)?;
    }
    Ok(())
}

#[inline(never)]
fn pay_sol(
    lobby_config: &mut AccountView,
    players: &mut [AccountView],
    amounts: &Amounts,
    total: u64,
) -> ProgramResult {
    let lamports_before = lobby_config.lamports();

    for (player, amount) in players.iter_mut().zip(amounts.iter()) {
        LobbyConfig::pay_lamports(lobby_config, player, amount)?;
    }

    require(lamports_before.checked_sub(lobby_config.lamports()) == Some(total), ArenaError::BalanceMismatch)
}

#[inline(never)]
fn pay_tokens(
    lobby_config: &AccountView,
    pool: &TokenPool,
    recipients: &[AccountView],
    amounts: &Amounts,
    total: u64,
) -> ProgramResult {
    for (pair, amount) in recipients.chunks_exact(2).zip(amounts.iter()) {
        pool.pay(lobby_config, &pair[1], amount)?;
    }

    require(pool.amount_before.checked_sub(pool.amount()?) == Some(total), ArenaError::BalanceMismatch)
}
