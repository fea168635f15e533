use crate::{
    accounts::{expect_super_admin, expect_wallet, expect_writable},
    arguments::{Amounts, ArgumentReader},
    errors::{require, ArenaError},
    log::log,
    state::LobbyConfig,
    token::{PoolAccounts, TokenPool},
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

/// sha256("global:claim_multiple_rewards")
pub const DISCRIMINATOR: [u8; 8] = [91, 104, 121, 230, 10, 198, 45, 70];

const MAX_PLAYERS: usize = 10;

struct Args<'a> {
    amounts: Amounts<'a>,
}

struct Accounts<'a> {
    global_config: &'a AccountView,
    lobby_config: &'a mut AccountView,
    super_admin: &'a AccountView,
    /// Absent in a SOL lobby.
    pool: PoolAccounts<'a>,
    /// The remaining accounts: a wallet per player in a SOL lobby, pairs of wallet and token account in a token lobby.
    recipients: &'a mut [AccountView],
}

struct Batch<'a> {
    /// None in a SOL lobby.
    token_pool: Option<TokenPool<'a>>,
    total: u64,
}

#[inline(always)]
fn validate<'a>(
    program_id: &Address,
    accounts: &Accounts<'a>,
    args: &Args,
) -> Result<Batch<'a>, ProgramError> {
    expect_super_admin(accounts.global_config, accounts.super_admin, program_id)?;
    let lobby = LobbyConfig::load(accounts.lobby_config, program_id)?;
    let accounts_per_player = if lobby.is_sol_lobby { 1 } else { 2 };
    let players = args.amounts.len();
    require(
        (1..=MAX_PLAYERS).contains(&players) && accounts.recipients.len() == players * accounts_per_player,
        ArenaError::InvalidBatch,
    )?;
    expect_different_wallets(accounts.recipients, accounts_per_player, program_id)?;
    let total = expect_rewards(&args.amounts)?;

    let token_pool = if lobby.is_sol_lobby {
        accounts.pool.expect_absent(program_id)?;
        let pool_lamports = lobby.pool_lamports(accounts.lobby_config);
        require(total <= pool_lamports, ArenaError::InsufficientLobbyBalance)?;
        accounts.recipients.iter().try_for_each(expect_writable)?;
        None
    } else {
        let pool = TokenPool::load(&lobby, &accounts.pool, program_id)?;
        require(total <= pool.amount_before, ArenaError::InsufficientLobbyBalance)?;
        expect_token_accounts(&pool, accounts.recipients)?;
        Some(pool)
    };
    Ok(Batch { token_pool, total })
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

/// Pays 1 to 10 different players from the pool of the lobby, all or none.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: ClaimMultipleRewards");
    #[rustfmt::skip] // it leaves a long pattern on one line
    let [
        global_config, lobby_config, super_admin, reward_pool_token_account, token_mint, token_program,
        recipients @ ..
    ] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts {
        global_config,
        lobby_config,
        super_admin,
        pool: PoolAccounts { reward_pool_token_account, token_mint, token_program },
        recipients,
    };
    let mut reader = ArgumentReader::new(data);
    let args = Args { amounts: reader.amounts()? };
    reader.end()?;
    let Batch { token_pool, total } = validate(program_id, &accounts, &args)?;

    match token_pool {
        None => pay_sol(accounts.lobby_config, accounts.recipients, &args.amounts, total),
        Some(pool) => pay_tokens(accounts.lobby_config, &pool, accounts.recipients, &args.amounts, total),
    }
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
