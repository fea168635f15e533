use crate::{
    accounts::{
        expect_accounts, expect_signer, expect_system_program, expect_treasury_wallet, expect_writable,
    },
    arguments::Arguments,
    errors::{require, ArenaError},
    log::log,
    math::BASIS_POINTS,
    seeds,
    state::GlobalConfig,
};
use pinocchio::{cpi::Signer, error::ProgramError, AccountView, Address, ProgramResult};
use pinocchio_system::create_account_with_minimum_balance_signed;

/// sha256("global:initialize_global_config")
pub const DISCRIMINATOR: [u8; 8] = [113, 216, 122, 131, 225, 209, 22, 55];

/// Creates the one global config. Only the upgrade authority may, or whoever saw the deployment first could make
/// themselves super admin.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], arguments: &[u8]) -> ProgramResult {
    log("Instruction: InitializeGlobalConfig");
    let (listed, _) = expect_accounts::<6>(accounts)?;
    let [mut global_config, upgrade_authority, super_admin, platform_treasury, program_data, system_program] =
        *listed;
    let mut arguments = Arguments::new(arguments);
    let platform_fee_basis_points = arguments.u16()?;
    arguments.end()?;

    expect_signer(&upgrade_authority)?;
    expect_writable(&upgrade_authority)?;
    expect_signer(&super_admin)?;
    expect_system_program(&system_program)?;
    expect_upgrade_authority(&upgrade_authority, &program_data, program_id)?;
    expect_treasury_wallet(&platform_treasury)?;
    require(u64::from(platform_fee_basis_points) <= BASIS_POINTS, ArenaError::InvalidFeePercentage)?;
    let (address, bump) = seeds::find_global_config(program_id);
    require(global_config.address() == &address, ArenaError::InvalidAccount)?;
    if !global_config.owned_by(&pinocchio_system::ID) {
        return Err(ProgramError::AccountAlreadyInitialized);
    }

    create_account_with_minimum_balance_signed(
        &mut global_config,
        GlobalConfig::LEN,
        program_id,
        &upgrade_authority,
        None,
        &[Signer::from(&seeds::global_config_signer(&[bump]))],
    )?;
    GlobalConfig {
        super_admin: *super_admin.address(),
        platform_treasury: *platform_treasury.address(),
        platform_fee_basis_points,
        bump,
    }
    .store(&mut global_config)
}

/// ProgramData of the upgradeable loader: tag u32 = 3, slot u64, authority as one byte and, if that is 1, 32 bytes.
#[inline(never)]
fn expect_upgrade_authority(
    authority: &AccountView,
    program_data: &AccountView,
    program_id: &Address,
) -> ProgramResult {
    require(
        program_data.owned_by(&seeds::UPGRADEABLE_LOADER)
            && program_data.address() == &seeds::find_program_data(program_id),
        ArenaError::InvalidAccount,
    )?;
    let data = program_data.try_borrow()?;
    let header = data.get(..45).ok_or(ArenaError::InvalidAccount)?;
    require(header[..4] == [3, 0, 0, 0], ArenaError::InvalidAccount)?;
    require(header[12] == 1 && header[13..] == *authority.address().as_ref(), ArenaError::Unauthorized)
}
