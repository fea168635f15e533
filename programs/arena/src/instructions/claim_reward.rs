use crate::{
    accounts::{expect_super_admin, expect_wallet, expect_writable, optional},
    arguments::ArgumentReader,
    errors::{require, ArenaError},
    log::log,
    state::LobbyConfig,
    token::{PoolAccounts, TokenPool},
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

/// sha256("global:claim_reward")
pub const DISCRIMINATOR: [u8; 8] = [149, 95, 181, 242, 94, 90, 158, 162];

struct Args {
    amount: u64,
}

struct Accounts<'a> {
    global_config: &'a AccountView,
    lobby_config: &'a mut AccountView,
    super_admin: &'a AccountView,
    player: &'a mut AccountView,
    /// Absent in a SOL lobby, as are the pool accounts.
    player_token_account: &'a AccountView,
    pool: PoolAccounts<'a>,
}

/// Returns the pool of a token lobby, or None for a SOL lobby.
#[inline(always)]
fn validate<'a>(
    program_id: &Address,
    accounts: &Accounts<'a>,
    args: &Args,
) -> Result<Option<TokenPool<'a>>, ProgramError> {
    expect_super_admin(accounts.global_config, accounts.super_admin, program_id)?;
    let lobby = LobbyConfig::load(accounts.lobby_config, program_id)?;
    require(args.amount > 0, ArenaError::ZeroReward)?;
    expect_wallet(accounts.player, program_id)?;
    match (lobby.is_sol_lobby, optional(accounts.player_token_account, program_id)) {
        (true, None) => {
            accounts.pool.expect_absent(program_id)?;
            expect_writable(accounts.player)?;
            let pool_lamports = lobby.pool_lamports(accounts.lobby_config);
            require(args.amount <= pool_lamports, ArenaError::InsufficientLobbyBalance)?;
            Ok(None)
        }
        (false, Some(player_tokens)) => {
            let pool = TokenPool::load(&lobby, &accounts.pool, program_id)?;
            let player = accounts.player.address();
            pool.expect_token_account(player_tokens, player, ArenaError::InvalidRecipient)?;
            require(args.amount <= pool.amount_before, ArenaError::InsufficientLobbyBalance)?;
            Ok(Some(pool))
        }
        _ => Err(ArenaError::IncorrectLobbyType.into()),
    }
}

/// Pays one player from the pool of the lobby.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: ClaimReward");
    #[rustfmt::skip] // it leaves a long pattern on one line
    let [
        global_config, lobby_config, super_admin, player, player_token_account,
        reward_pool_token_account, token_mint, token_program, ..
    ] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts {
        global_config,
        lobby_config,
        super_admin,
        player,
        player_token_account,
        pool: PoolAccounts { reward_pool_token_account, token_mint, token_program },
    };
    let mut reader = ArgumentReader::new(data);
    let args = Args { amount: reader.u64()? };
    reader.end()?;
    let token_pool = validate(program_id, &accounts, &args)?;

    match token_pool {
        None => LobbyConfig::pay_lamports(accounts.lobby_config, accounts.player, args.amount),
        Some(pool) => pay_tokens(accounts.lobby_config, &pool, accounts.player_token_account, args.amount),
    }
}

#[inline(never)]
fn pay_tokens(
    lobby_config: &AccountView,
    pool: &TokenPool,
    player_tokens: &AccountView,
    amount: u64,
) -> ProgramResult {
    pool.pay(lobby_config, player_tokens, amount)?;

    require(pool.amount_before.checked_sub(pool.amount()?) == Some(amount), ArenaError::BalanceMismatch)
}
