use crate::{
    accounts::{expect_super_admin, expect_system_program, expect_writable},
    arguments::ArgumentReader,
    errors::{require, ArenaError},
    log::log,
    seeds,
    state::{ClaimCounter, LobbyConfig},
};
use pinocchio::{cpi::Signer, error::ProgramError, AccountView, Address, ProgramResult};
use pinocchio_system::create_account_with_minimum_balance_signed;

/// sha256("global:create_claim_counter")
pub const DISCRIMINATOR: [u8; 8] = [117, 137, 172, 83, 71, 115, 134, 36];

struct Accounts<'a> {
    global_config: &'a AccountView,
    lobby_config: &'a AccountView,
    /// Pays the rent.
    super_admin: &'a AccountView,
    claim_counter: &'a mut AccountView,
    system_program: &'a AccountView,
}

/// Returns the counter to store.
#[inline(always)]
fn validate(program_id: &Address, accounts: &Accounts) -> Result<ClaimCounter, ProgramError> {
    let config = expect_super_admin(accounts.global_config, accounts.super_admin, program_id)?;
    expect_writable(accounts.super_admin)?;
    expect_system_program(accounts.system_program)?;
    let LobbyConfig { lobby_id, .. } = LobbyConfig::load(accounts.lobby_config, program_id)?;
    let (address, bump) = seeds::find_claim_counter(lobby_id, program_id);
    require(accounts.claim_counter.address() == &address, ArenaError::InvalidAccount)?;
    if !accounts.claim_counter.owned_by(&pinocchio_system::ID) {
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    // Until now the address looked like a wallet, so the treasury could have been set to it.
    require(config.platform_treasury != address, ArenaError::IncorrectTreasury)?;
    Ok(ClaimCounter { lobby_id, next_number: 0, last_batch: Default::default(), bump })
}

/// Creates the counter of a lobby, which `claim_in_order` needs. It is never closed or set back: a claim that was signed
/// for a number could be paid again.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: CreateClaimCounter");
    let [global_config, lobby_config, super_admin, claim_counter, system_program, ..] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts { global_config, lobby_config, super_admin, claim_counter, system_program };
    ArgumentReader::new(data).end()?;
    let counter = validate(program_id, &accounts)?;

    create_account_with_minimum_balance_signed(
        accounts.claim_counter,
        ClaimCounter::LEN,
        program_id,
        accounts.super_admin,
        None,
        &[Signer::from(&seeds::claim_counter_signer(&counter.lobby_id.to_le_bytes(), &[counter.bump]))],
    )?;
    counter.store(accounts.claim_counter)
}
