use crate::{
    accounts::{expect_accounts, expect_super_admin, expect_writable},
    arguments::{Amounts, Arguments},
    errors::{require, ArenaError},
    log::log,
    payout::{expect_reward, expect_wallet, pay_lamports},
    state::LobbyConfig,
    token::{PoolAccounts, TokenPool},
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

/// sha256("global:claim_multiple_rewards")
pub const DISCRIMINATOR: [u8; 8] = [91, 104, 121, 230, 10, 198, 45, 70];

const MAX_PLAYERS: usize = 10;

/// Pays 1 to 10 different players from the pool of the lobby, all or none. After the listed accounts come the wallets
/// in a SOL lobby, or pairs of wallet and token account in a token lobby.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], arguments: &[u8]) -> ProgramResult {
    log("Instruction: ClaimMultipleRewards");
    let (listed, recipients) = expect_accounts::<6>(accounts)?;
    let [global_config, mut lobby_config, super_admin, reward_pool_token_account, token_mint, token_program] =
        *listed;
    let mut arguments = Arguments::new(arguments);
    let amounts = arguments.amounts()?;
    arguments.end()?;

    expect_super_admin(&global_config, &super_admin, program_id)?;
    let lobby = LobbyConfig::load(&lobby_config, program_id)?;
    let accounts_per_player = if lobby.is_sol_lobby { 1 } else { 2 };
    require(
        (1..=MAX_PLAYERS).contains(&amounts.len()) && recipients.len() == amounts.len() * accounts_per_player,
        ArenaError::InvalidBatch,
    )?;
    expect_different_wallets(recipients, accounts_per_player, program_id)?;
    let total = expect_rewards(&amounts)?;
    let pool_accounts = PoolAccounts {
        reward_pool_token_account: &reward_pool_token_account,
        token_mint: &token_mint,
        token_program: &token_program,
    };

    if lobby.is_sol_lobby {
        pool_accounts.expect_absent(program_id)?;
        pay_sol(&mut lobby_config, recipients, &amounts, total)
    } else {
        let pool = TokenPool::load(&lobby, &pool_accounts, program_id)?;
        pay_tokens(&lobby_config, &lobby, &pool, recipients, &amounts, total)
    }
}

/// A batch that names a player twice is refused whole: the caller has counted someone twice, or should have added the
/// two amounts up.
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

#[inline(never)]
fn expect_rewards(amounts: &Amounts) -> Result<u64, ProgramError> {
    let mut total = 0_u64;
    for amount in amounts.iter() {
        expect_reward(amount)?;
        total = total.checked_add(amount).ok_or(ArenaError::ArithmeticOverflow)?;
    }
    Ok(total)
}

#[inline(never)]
fn pay_sol(
    lobby_config: &mut AccountView,
    players: &mut [AccountView],
    amounts: &Amounts,
    total: u64,
) -> ProgramResult {
    let lamports_after = lobby_config.lamports().checked_sub(total);
    let lamports_after = lamports_after.ok_or(ArenaError::InsufficientLobbyBalance)?;

    for (player, amount) in players.iter_mut().zip(amounts.iter()) {
        expect_writable(player)?;
        pay_lamports(lobby_config, player, amount)?;
    }

    require(lobby_config.lamports() == lamports_after, ArenaError::BalanceMismatch)
}

#[inline(never)]
fn pay_tokens(
    lobby_config: &AccountView,
    lobby: &LobbyConfig,
    pool: &TokenPool,
    recipients: &[AccountView],
    amounts: &Amounts,
    total: u64,
) -> ProgramResult {
    let amount_after = pool.amount()?.checked_sub(total);
    let amount_after = amount_after.ok_or(ArenaError::InsufficientLobbyBalance)?;

    for (pair, amount) in recipients.chunks_exact(2).zip(amounts.iter()) {
        let (wallet, tokens) = (&pair[0], &pair[1]);
        pool.expect_token_account(tokens, wallet.address(), ArenaError::InvalidRecipient)?;
        pool.pay(lobby_config, lobby, tokens, amount)?;
    }

    require(pool.amount()? == amount_after, ArenaError::BalanceMismatch)
}
