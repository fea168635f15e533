use crate::{
    accounts::{expect_accounts, expect_super_admin, expect_treasury_wallet, expect_writable},
    arguments::Arguments,
    log::log,
    state::GlobalConfig,
};
use pinocchio::{AccountView, Address, ProgramResult};

/// sha256("global:set_platform_treasury")
pub const DISCRIMINATOR: [u8; 8] = [157, 196, 254, 208, 26, 219, 147, 129];

/// Sets the wallet that receives the platform fee.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], arguments: &[u8]) -> ProgramResult {
    log("Instruction: SetPlatformTreasury");
    let (listed, _) = expect_accounts::<3>(accounts)?;
    let [mut global_config, super_admin, platform_treasury] = *listed;
    Arguments::new(arguments).end()?;

    let config = expect_super_admin(&global_config, &super_admin, program_id)?;
    expect_writable(&global_config)?;
    expect_treasury_wallet(&platform_treasury)?;

    GlobalConfig { platform_treasury: *platform_treasury.address(), ..config }.store(&mut global_config)
}
