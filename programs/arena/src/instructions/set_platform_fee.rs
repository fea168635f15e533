use crate::{
    accounts::{expect_accounts, expect_super_admin, expect_writable},
    arguments::Arguments,
    errors::{require, ArenaError},
    log::log,
    math::BASIS_POINTS,
    state::GlobalConfig,
};
use pinocchio::{AccountView, Address, ProgramResult};

/// sha256("global:set_platform_fee")
pub const DISCRIMINATOR: [u8; 8] = [19, 70, 111, 182, 156, 58, 208, 203];

/// Sets the share of every later entry fee that goes to the treasury.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], arguments: &[u8]) -> ProgramResult {
    log("Instruction: SetPlatformFee");
    let (listed, _) = expect_accounts::<2>(accounts)?;
    let [mut global_config, super_admin] = *listed;
    let mut arguments = Arguments::new(arguments);
    let platform_fee_basis_points = arguments.u16()?;
    arguments.end()?;

    let config = expect_super_admin(&global_config, &super_admin, program_id)?;
    expect_writable(&global_config)?;
    require(u64::from(platform_fee_basis_points) <= BASIS_POINTS, ArenaError::InvalidFeePercentage)?;

    GlobalConfig { platform_fee_basis_points, ..config }.store(&mut global_config)
}
