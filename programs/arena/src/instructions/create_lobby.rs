use crate::{
    accounts::{expect_accounts, expect_super_admin, expect_system_program, expect_writable, optional},
    arguments::Arguments,
    errors::{require, ArenaError},
    log::log,
    seeds,
    state::LobbyConfig,
    token::{expect_supported_mint, token_program_of},
};
use pinocchio::{cpi::Signer, error::ProgramError, AccountView, Address, ProgramResult};
use pinocchio_system::create_account_with_minimum_balance_signed;

/// sha256("global:create_lobby")
pub const DISCRIMINATOR: [u8; 8] = [116, 55, 74, 48, 40, 51, 135, 155];

/// Creates a lobby that is paid in SOL, or in the token whose mint is given. The token account of the pool need not
/// exist yet: its address follows from the lobby and the mint, and whoever joins first may create it.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], arguments: &[u8]) -> ProgramResult {
    log("Instruction: CreateLobby");
    let (listed, _) = expect_accounts::<5>(accounts)?;
    let [global_config, mut lobby_config, super_admin, token_mint, system_program] = *listed;
    let mut arguments = Arguments::new(arguments);
    let lobby_id = arguments.u64()?;
    let entry_fee_amount = arguments.u64()?;
    let is_sol_lobby = arguments.bool()?;
    arguments.end()?;

    expect_super_admin(&global_config, &super_admin, program_id)?;
    expect_writable(&super_admin)?;
    expect_system_program(&system_program)?;
    require(entry_fee_amount > 0, ArenaError::ZeroEntryFee)?;
    let (address, bump) = seeds::find_lobby_config(lobby_id, program_id);
    require(lobby_config.address() == &address, ArenaError::InvalidAccount)?;
    if !lobby_config.owned_by(&pinocchio_system::ID) {
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    let token_mint = optional(&token_mint, program_id);
    require(token_mint.is_none() == is_sol_lobby, ArenaError::IncorrectLobbyType)?;
    let (token_mint, reward_pool_token_account) = match token_mint {
        None => Default::default(),
        Some(mint) => (*mint.address(), reward_pool_of(&address, mint)?),
    };

    create_account_with_minimum_balance_signed(
        &mut lobby_config,
        LobbyConfig::LEN,
        program_id,
        &super_admin,
        None,
        &[Signer::from(&seeds::lobby_config_signer(&lobby_id.to_le_bytes(), &[bump]))],
    )?;
    LobbyConfig { lobby_id, token_mint, entry_fee_amount, reward_pool_token_account, is_sol_lobby, bump }
        .store(&mut lobby_config)
}

#[inline(never)]
fn reward_pool_of(lobby: &Address, mint: &AccountView) -> Result<Address, ProgramError> {
    let token_program = token_program_of(mint)?;
    expect_supported_mint(mint)?;
    Ok(seeds::find_reward_pool(lobby, mint.address(), token_program))
}
