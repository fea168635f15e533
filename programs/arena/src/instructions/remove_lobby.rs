use crate::{
    accounts::{expect_super_admin, expect_writable, optional},
    arguments::ArgumentReader,
    errors::{require, ArenaError},
    log::log,
    state::LobbyConfig,
    token::{PoolAccounts, TokenPool},
};
use pinocchio::{
    error::ProgramError,
    sysvars::{rent::Rent, Sysvar},
    AccountView, Address, ProgramResult, Resize,
};

/// sha256("global:remove_lobby")
pub const DISCRIMINATOR: [u8; 8] = [174, 116, 154, 24, 122, 160, 196, 116];

struct Args {
    /// What may still be in the pool without being owed to anybody: gifts. Zero if there are none.
    max_surplus_amount: u64,
}

struct Accounts<'a> {
    global_config: &'a AccountView,
    lobby_config: &'a mut AccountView,
    /// Receives the rent.
    super_admin: &'a mut AccountView,
    /// Receives the surplus.
    platform_treasury: &'a mut AccountView,
    /// Absent if no tokens are left in the pool.
    treasury_token_account: &'a AccountView,
    /// Absent in a SOL lobby.
    pool: PoolAccounts<'a>,
}

struct Removal<'a> {
    surplus: u64,
    /// None in a SOL lobby, and in a token lobby nobody ever joined.
    token_pool: Option<TokenPool<'a>>,
}

#[inline(always)]
fn validate<'a>(
    program_id: &Address,
    accounts: &Accounts<'a>,
    args: &Args,
) -> Result<Removal<'a>, ProgramError> {
    let config = expect_super_admin(accounts.global_config, accounts.super_admin, program_id)?;
    expect_writable(accounts.super_admin)?;
    let lobby = LobbyConfig::load(accounts.lobby_config, program_id)?;
    let treasury = accounts.platform_treasury.address();
    require(&config.platform_treasury == treasury, ArenaError::IncorrectTreasury)?;
    expect_writable(accounts.platform_treasury)?;

    let treasury_tokens = optional(accounts.treasury_token_account, program_id);
    let removal = if lobby.is_sol_lobby {
        accounts.pool.expect_absent(program_id)?;
        require(treasury_tokens.is_none(), ArenaError::IncorrectLobbyType)?;
        Removal { surplus: lobby.pool_lamports(accounts.lobby_config), token_pool: None }
    } else {
        let token_pool = TokenPool::load_if_created(&lobby, &accounts.pool, program_id)?;
        Removal { surplus: token_pool.as_ref().map_or(0, |pool| pool.amount_before), token_pool }
    };
    require(removal.surplus <= args.max_surplus_amount, ArenaError::PoolNotEmpty)?;
    if let (Some(pool), 1..) = (&removal.token_pool, removal.surplus) {
        let treasury_tokens = treasury_tokens.ok_or(ArenaError::IncorrectTreasury)?;
        pool.expect_treasury_account(treasury_tokens, treasury)?;
    }
    Ok(removal)
}

/// Closes a lobby whose pool is empty, but for gifts of at most the given amount, which go to the treasury. So nobody can
/// keep a lobby open by sending it something, and what is owed to players is not swept by accident. The rent goes to the
/// super admin, as do lamports sent to a token lobby, which are not part of its pool.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: RemoveLobby");
    #[rustfmt::skip] // it leaves a long pattern on one line
    let [
        global_config, lobby_config, super_admin, reward_pool_token_account, token_program,
        platform_treasury, treasury_token_account, token_mint, ..
    ] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts {
        global_config,
        lobby_config,
        super_admin,
        platform_treasury,
        treasury_token_account,
        pool: PoolAccounts { reward_pool_token_account, token_mint, token_program },
    };
    let mut reader = ArgumentReader::new(data);
    let args = Args { max_surplus_amount: reader.u64()? };
    reader.end()?;
    let Removal { surplus, token_pool } = validate(program_id, &accounts, &args)?;

    let Accounts { lobby_config, super_admin, platform_treasury, treasury_token_account, .. } = accounts;
    match token_pool {
        Some(pool) => {
            if surplus > 0 {
                pool.pay(lobby_config, treasury_token_account, surplus)?;
            }
            pool.close(lobby_config, super_admin)?;
        }
        None => LobbyConfig::pay_lamports(lobby_config, platform_treasury, surplus)?,
    }
    leave_empty_account(lobby_config, super_admin)
}

/// The account stays, without data and with the least rent. Its id cannot be used again: a payout signed for this lobby
/// could otherwise be paid by its successor.
#[inline(never)]
fn leave_empty_account(lobby_config: &mut AccountView, super_admin: &mut AccountView) -> ProgramResult {
    let kept = Rent::get()?.try_minimum_balance(0)?.min(lobby_config.lamports());
    let freed = lobby_config.lamports() - kept;
    LobbyConfig::pay_lamports(lobby_config, super_admin, freed)?;
    lobby_config.resize(0)
}
