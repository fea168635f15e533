use crate::{
    accounts::{expect_accounts, expect_signer, expect_super_admin, expect_writable},
    arguments::Arguments,
    log::log,
    state::GlobalConfig,
};
use pinocchio::{AccountView, Address, ProgramResult};

/// sha256("global:set_super_admin")
pub const DISCRIMINATOR: [u8; 8] = [187, 223, 246, 195, 90, 71, 138, 214];

/// Hands the role over. The new super admin signs as well, so that it cannot go to a key nobody holds.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], arguments: &[u8]) -> ProgramResult {
    log("Instruction: SetSuperAdmin");
    let (listed, _) = expect_accounts::<3>(accounts)?;
    let [mut global_config, super_admin, new_super_admin] = *listed;
    Arguments::new(arguments).end()?;

    let config = expect_super_admin(&global_config, &super_admin, program_id)?;
    expect_writable(&global_config)?;
    expect_signer(&new_super_admin)?;

    GlobalConfig { super_admin: *new_super_admin.address(), ..config }.store(&mut global_config)
}
