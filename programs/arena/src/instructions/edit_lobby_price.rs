use crate::{
    accounts::{expect_accounts, expect_super_admin},
    arguments::Arguments,
    errors::{require, ArenaError},
    log::log,
    state::LobbyConfig,
};
use pinocchio::{AccountView, Address, ProgramResult};

/// sha256("global:edit_lobby_price")
pub const DISCRIMINATOR: [u8; 8] = [214, 246, 143, 99, 174, 156, 109, 10];

/// Sets the entry fee for the joins that follow. A join on its way fails instead of paying the new price, because it
/// names the one the player agreed to.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], arguments: &[u8]) -> ProgramResult {
    log("Instruction: EditLobbyPrice");
    let (listed, _) = expect_accounts::<3>(accounts)?;
    let [global_config, mut lobby_config, super_admin] = *listed;
    let mut arguments = Arguments::new(arguments);
    let entry_fee_amount = arguments.u64()?;
    arguments.end()?;

    expect_super_admin(&global_config, &super_admin, program_id)?;
    let lobby = LobbyConfig::load(&lobby_config, program_id)?;
    require(entry_fee_amount > 0, ArenaError::ZeroEntryFee)?;

    LobbyConfig { entry_fee_amount, ..lobby }.store(&mut lobby_config)
}
