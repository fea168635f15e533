use crate::{
    accounts::{expect_super_admin, expect_system_program, expect_writable, optional},
    arguments::ArgumentReader,
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

struct Args {
    lobby_id: u64,
    entry_fee_amount: u64,
    is_sol_lobby: bool,
}

struct Accounts<'a> {
    global_config: &'a AccountView,
    lobby_config: &'a mut AccountView,
    /// Pays the rent.
    super_admin: &'a AccountView,
    /// Absent in a SOL lobby.
    token_mint: &'a AccountView,
    system_program: &'a AccountView,
}

/// Returns the lobby to store.
#[inline(always)]
fn validate(program_id: &Address, accounts: &Accounts, args: &Args) -> Result<LobbyConfig, ProgramError> {
    let &Args { lobby_id, entry_fee_amount, is_sol_lobby } = args;
    let config = expect_super_admin(accounts.global_config, accounts.super_admin, program_id)?;
    expect_writable(accounts.super_admin)?;
    expect_system_program(accounts.system_program)?;
    require(entry_fee_amount > 0, ArenaError::ZeroEntryFee)?;
    let (address, bump) = seeds::find_lobby_config(lobby_id, program_id);
    require(accounts.lobby_config.address() == &address, ArenaError::InvalidAccount)?;
    if !accounts.lobby_config.owned_by(&pinocchio_system::ID) {
        require(!accounts.lobby_config.is_data_empty(), ArenaError::LobbyIdUsed)?;
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    let token_mint = optional(accounts.token_mint, program_id);
    require(token_mint.is_none() == is_sol_lobby, ArenaError::IncorrectLobbyType)?;
    let (token_mint, reward_pool_token_account) = match token_mint {
        None => Default::default(),
        Some(mint) => (*mint.address(), reward_pool_of(&address, mint)?),
    };
    // Before the lobby exists, its addresses look like wallets to which somebody sent lamports, and the treasury could
    // have been set to one of them.
    let treasury = config.platform_treasury;
    require(treasury != address && treasury != reward_pool_token_account, ArenaError::IncorrectTreasury)?;
    let reserve_lamports = 0; // known when the account is there
    Ok(LobbyConfig {
        lobby_id,
        token_mint,
        entry_fee_amount,
        reward_pool_token_account,
        is_sol_lobby,
        bump,
        reserve_lamports,
    })
}

#[inline(never)]
fn reward_pool_of(lobby: &Address, mint: &AccountView) -> Result<Address, ProgramError> {
    let token_program = token_program_of(mint)?;
    expect_supported_mint(mint)?;
    Ok(seeds::find_associated_token_account(lobby, mint.address(), token_program))
}

/// Creates a lobby that is paid in SOL, or in the token whose mint is given. The token account of the pool need not
/// exist yet: its address follows from the lobby and the mint, and the first player to join may create it.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: CreateLobby");
    let [global_config, lobby_config, super_admin, token_mint, system_program, ..] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts { global_config, lobby_config, super_admin, token_mint, system_program };
    let mut reader = ArgumentReader::new(data);
    let args =
        Args { lobby_id: reader.u64()?, entry_fee_amount: reader.u64()?, is_sol_lobby: reader.bool()? };
    reader.end()?;
    let lobby = validate(program_id, &accounts, &args)?;

    create_account_with_minimum_balance_signed(
        accounts.lobby_config,
        LobbyConfig::LEN,
        program_id,
        accounts.super_admin,
        None,
        &[Signer::from(&seeds::lobby_config_signer(&lobby.lobby_id.to_le_bytes(), &[lobby.bump]))],
    )?;
    let reserve_lamports = accounts.lobby_config.lamports();
    LobbyConfig { reserve_lamports, ..lobby }.store(accounts.lobby_config)
}
