use crate::{
    accounts::{expect_accounts, expect_super_admin, expect_writable, optional},
    arguments::Arguments,
    errors::{require, ArenaError},
    log::log,
    seeds,
    state::LobbyConfig,
    token::TokenAccount,
};
use pinocchio::{cpi::Signer, AccountView, Address, ProgramResult};
use pinocchio_token_2022::instructions::CloseAccount;

/// sha256("global:remove_lobby")
pub const DISCRIMINATOR: [u8; 8] = [174, 116, 154, 24, 122, 160, 196, 116];

/// Closes a lobby whose pool is empty; the rent of the lobby and of its token account goes to the super admin. Whoever
/// sends dust to a pool cannot keep it open: the super admin pays the dust out first. Lamports on a token lobby are no
/// pool, and go with its rent.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], arguments: &[u8]) -> ProgramResult {
    log("Instruction: RemoveLobby");
    let (listed, _) = expect_accounts::<5>(accounts)?;
    let [global_config, mut lobby_config, mut super_admin, reward_pool_token_account, token_program] =
        *listed;
    Arguments::new(arguments).end()?;

    expect_super_admin(&global_config, &super_admin, program_id)?;
    expect_writable(&super_admin)?;
    let lobby = LobbyConfig::load(&lobby_config, program_id)?;
    let reward_pool = optional(&reward_pool_token_account, program_id);
    let token_program = optional(&token_program, program_id);
    match (lobby.is_sol_lobby, reward_pool, token_program) {
        (true, None, None) => {
            require(LobbyConfig::pool_lamports(&lobby_config)? == 0, ArenaError::PoolNotEmpty)?
        }
        (false, Some(pool), Some(program)) => {
            close_token_pool(&lobby_config, &lobby, pool, program, &super_admin)?
        }
        _ => return Err(ArenaError::IncorrectLobbyType.into()),
    }

    let lamports = super_admin.lamports().checked_add(lobby_config.lamports());
    super_admin.set_lamports(lamports.ok_or(ArenaError::ArithmeticOverflow)?);
    lobby_config.set_lamports(0);
    // Gives the account back to the system program at once: lamports that arrive later in the same transaction bring
    // back an empty wallet, not a lobby.
    lobby_config.close()
}

/// A pool that no one has joined yet may not exist.
#[inline(never)]
fn close_token_pool(
    lobby_config: &AccountView,
    lobby: &LobbyConfig,
    reward_pool: &AccountView,
    token_program: &AccountView,
    super_admin: &AccountView,
) -> ProgramResult {
    require(reward_pool.address() == &lobby.reward_pool_token_account, ArenaError::IncorrectRewardPool)?;
    require(
        token_program.address() == &pinocchio_token::ID
            || token_program.address() == &pinocchio_token_2022::ID,
        ArenaError::InvalidAccount,
    )?;
    if reward_pool.owned_by(&pinocchio_system::ID) {
        return Ok(());
    }
    let pool = TokenAccount::load(reward_pool, token_program.address())?;
    require(pool.amount == 0, ArenaError::PoolNotEmpty)?;
    let (lobby_id, bump) = (lobby.lobby_id.to_le_bytes(), [lobby.bump]);
    CloseAccount {
        account: reward_pool,
        destination: super_admin,
        authority: lobby_config,
        token_program: token_program.address(),
    }
    .invoke_signed(&[Signer::from(&seeds::lobby_config_signer(&lobby_id, &bump))])
}
