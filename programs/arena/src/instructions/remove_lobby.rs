use crate::{
    accounts::{expect_super_admin, expect_writable, optional},
    arguments::ArgumentReader,
    errors::{require, ArenaError},
    log::log,
    seeds,
    state::LobbyConfig,
    token::TokenAccount,
};
use pinocchio::{cpi::Signer, error::ProgramError, AccountView, Address, ProgramResult};
use pinocchio_token_2022::instructions::CloseAccount;

/// sha256("global:remove_lobby")
pub const DISCRIMINATOR: [u8; 8] = [174, 116, 154, 24, 122, 160, 196, 116];

struct Accounts<'a> {
    global_config: &'a AccountView,
    lobby_config: &'a mut AccountView,
    /// Receives the rent.
    super_admin: &'a mut AccountView,
    /// Absent in a SOL lobby, as is the token program.
    reward_pool_token_account: &'a AccountView,
    token_program: &'a AccountView,
}

/// Returns the lobby, and whether it has a token account to close.
#[inline(always)]
fn validate(program_id: &Address, accounts: &Accounts) -> Result<(LobbyConfig, bool), ProgramError> {
    expect_super_admin(accounts.global_config, accounts.super_admin, program_id)?;
    expect_writable(accounts.super_admin)?;
    let lobby = LobbyConfig::load(accounts.lobby_config, program_id)?;
    let reward_pool = optional(accounts.reward_pool_token_account, program_id);
    let token_program = optional(accounts.token_program, program_id);
    let has_token_account = match (lobby.is_sol_lobby, reward_pool, token_program) {
        (true, None, None) => {
            require(LobbyConfig::pool_lamports(accounts.lobby_config)? == 0, ArenaError::PoolNotEmpty)?;
            false
        }
        (false, Some(pool), Some(program)) => expect_empty_token_pool(&lobby, pool, program)?,
        _ => return Err(ArenaError::IncorrectLobbyType.into()),
    };
    Ok((lobby, has_token_account))
}

/// The token account does not exist before the first join: false in that case.
#[inline(never)]
fn expect_empty_token_pool(
    lobby: &LobbyConfig,
    reward_pool: &AccountView,
    token_program: &AccountView,
) -> Result<bool, ProgramError> {
    require(reward_pool.address() == &lobby.reward_pool_token_account, ArenaError::IncorrectRewardPool)?;
    require(
        token_program.address() == &pinocchio_token::ID
            || token_program.address() == &pinocchio_token_2022::ID,
        ArenaError::InvalidAccount,
    )?;
    if reward_pool.owned_by(&pinocchio_system::ID) {
        return Ok(false);
    }
    let pool = TokenAccount::load(reward_pool, token_program.address())?;
    require(pool.amount == 0, ArenaError::PoolNotEmpty)?;
    Ok(true)
}

/// Closes a lobby whose pool is empty; the rent of the lobby and of its token account goes to the super admin. Dust
/// sent to a pool cannot keep it open: the super admin pays it out first. Lamports sent to a token lobby are not part
/// of its pool and leave with the rent.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: RemoveLobby");
    let [global_config, lobby_config, super_admin, reward_pool_token_account, token_program, ..] = accounts
    else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts =
        Accounts { global_config, lobby_config, super_admin, reward_pool_token_account, token_program };
    ArgumentReader::new(data).end()?;
    let (lobby, has_token_account) = validate(program_id, &accounts)?;

    if has_token_account {
        close_token_account(&accounts, &lobby)?;
    }
    let Accounts { lobby_config, super_admin, .. } = accounts;
    let lamports = super_admin.lamports().checked_add(lobby_config.lamports());
    super_admin.set_lamports(lamports.ok_or(ArenaError::ArithmeticOverflow)?);
    lobby_config.set_lamports(0);
    // Returns the account to the system program at once: lamports that arrive later in the same transaction make it
    // an empty wallet, not a lobby.
    lobby_config.close()
}

#[inline(never)]
fn close_token_account(accounts: &Accounts, lobby: &LobbyConfig) -> ProgramResult {
    let (lobby_id, bump) = (lobby.lobby_id.to_le_bytes(), [lobby.bump]);
    CloseAccount {
        account: accounts.reward_pool_token_account,
        destination: accounts.super_admin,
        authority: accounts.lobby_config,
        token_program: accounts.token_program.address(),
    }
    .invoke_signed(&[Signer::from(&seeds::lobby_config_signer(&lobby_id, &bump))])
}
