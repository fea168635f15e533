use crate::{
    accounts::expect_super_admin,
    arguments::ArgumentReader,
    errors::{require, ArenaError},
    log::log,
    state::LobbyConfig,
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

/// sha256("global:edit_lobby_price")
pub const DISCRIMINATOR: [u8; 8] = [214, 246, 143, 99, 174, 156, 109, 10];

struct Args {
    entry_fee_amount: u64,
}

struct Accounts<'a> {
    global_config: &'a AccountView,
    lobby_config: &'a mut AccountView,
    super_admin: &'a AccountView,
}

#[inline(always)]
fn validate(program_id: &Address, accounts: &Accounts, args: &Args) -> Result<LobbyConfig, ProgramError> {
    expect_super_admin(accounts.global_config, accounts.super_admin, program_id)?;
    let lobby = LobbyConfig::load(accounts.lobby_config, program_id)?;
    require(args.entry_fee_amount > 0, ArenaError::ZeroEntryFee)?;
    Ok(lobby)
}

/// Sets the entry fee for later joins. A join that is already signed fails instead of paying the new price, because
/// it names the price the player agreed to.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: EditLobbyPrice");
    let [global_config, lobby_config, super_admin, ..] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts { global_config, lobby_config, super_admin };
    let mut reader = ArgumentReader::new(data);
    let args = Args { entry_fee_amount: reader.u64()? };
    reader.end()?;
    let lobby = validate(program_id, &accounts, &args)?;

    LobbyConfig { entry_fee_amount: args.entry_fee_amount, ..lobby }.store(accounts.lobby_config)
}
