use crate::{
    accounts::{expect_signer, expect_super_admin, expect_writable},
    arguments::ArgumentReader,
    log::log,
    state::GlobalConfig,
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

/// sha256("global:set_super_admin")
pub const DISCRIMINATOR: [u8; 8] = [187, 223, 246, 195, 90, 71, 138, 214];

struct Accounts<'a> {
    global_config: &'a mut AccountView,
    super_admin: &'a AccountView,
    /// Signs as well, so the role cannot go to a key nobody holds.
    new_super_admin: &'a AccountView,
}

#[inline(always)]
fn validate(program_id: &Address, accounts: &Accounts) -> Result<GlobalConfig, ProgramError> {
    let config = expect_super_admin(accounts.global_config, accounts.super_admin, program_id)?;
    expect_writable(accounts.global_config)?;
    expect_signer(accounts.new_super_admin)?;
    Ok(config)
}

/// Hands the role of super admin to another key.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: SetSuperAdmin");
    let [global_config, super_admin, new_super_admin, ..] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts { global_config, super_admin, new_super_admin };
    ArgumentReader::new(data).end()?;
    let config = validate(program_id, &accounts)?;

    GlobalConfig { super_admin: *accounts.new_super_admin.address(), ..config }.store(accounts.global_config)
}
