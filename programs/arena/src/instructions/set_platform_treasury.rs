use crate::{
    accounts::{expect_super_admin, expect_treasury_wallet, expect_writable},
    arguments::ArgumentReader,
    log::log,
    state::GlobalConfig,
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

/// sha256("global:set_platform_treasury")
pub const DISCRIMINATOR: [u8; 8] = [157, 196, 254, 208, 26, 219, 147, 129];

struct Accounts<'a> {
    global_config: &'a mut AccountView,
    super_admin: &'a AccountView,
    platform_treasury: &'a AccountView,
}

#[inline(always)]
fn validate(program_id: &Address, accounts: &Accounts) -> Result<GlobalConfig, ProgramError> {
    let config = expect_super_admin(accounts.global_config, accounts.super_admin, program_id)?;
    expect_writable(accounts.global_config)?;
    expect_treasury_wallet(accounts.platform_treasury)?;
    Ok(config)
}

/// Sets the wallet that receives the platform fee.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: SetPlatformTreasury");
    let [global_config, super_admin, platform_treasury, ..] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts { global_config, super_admin, platform_treasury };
    ArgumentReader::new(data).end()?;
    let config = validate(program_id, &accounts)?;

    GlobalConfig { platform_treasury: *accounts.platform_treasury.address(), ..config }
        .store(accounts.global_config)
}
