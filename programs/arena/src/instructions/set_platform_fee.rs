use crate::{
    accounts::{expect_super_admin, expect_writable},
    arguments::ArgumentReader,
    log::log,
    state::GlobalConfig,
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

/// sha256("global:set_platform_fee")
pub const DISCRIMINATOR: [u8; 8] = [19, 70, 111, 182, 156, 58, 208, 203];

struct Args {
    platform_fee_basis_points: u16,
}

struct Accounts<'a> {
    global_config: &'a mut AccountView,
    super_admin: &'a AccountView,
}

#[inline(always)]
fn validate(program_id: &Address, accounts: &Accounts, args: &Args) -> Result<GlobalConfig, ProgramError> {
    let config = expect_super_admin(accounts.global_config, accounts.super_admin, program_id)?;
    expect_writable(accounts.global_config)?;
    GlobalConfig::expect_allowed_fee(args.platform_fee_basis_points)?;
    Ok(config)
}

/// Sets the share of every later entry fee that goes to the treasury. A join that is already signed fails if less
/// than the player agreed to would reach the pool.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: SetPlatformFee");
    let [global_config, super_admin, ..] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts { global_config, super_admin };
    let mut reader = ArgumentReader::new(data);
    let args = Args { platform_fee_basis_points: reader.u16()? };
    reader.end()?;
    let config = validate(program_id, &accounts, &args)?;

    let Args { platform_fee_basis_points } = args;
    GlobalConfig { platform_fee_basis_points, ..config }.store(accounts.global_config)
}
