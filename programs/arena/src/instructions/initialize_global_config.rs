use crate::{
    accounts::{expect_signer, expect_system_program, expect_treasury_wallet, expect_writable},
    arguments::ArgumentReader,
    errors::{require, ArenaError},
    log::log,
    seeds,
    state::GlobalConfig,
};
use pinocchio::{cpi::Signer, error::ProgramError, AccountView, Address, ProgramResult};
use pinocchio_system::create_account_with_minimum_balance_signed;

/// sha256("global:initialize_global_config")
pub const DISCRIMINATOR: [u8; 8] = [113, 216, 122, 131, 225, 209, 22, 55];

struct Args {
    platform_fee_basis_points: u16,
}

struct Accounts<'a> {
    global_config: &'a mut AccountView,
    /// Pays the rent.
    upgrade_authority: &'a AccountView,
    super_admin: &'a AccountView,
    platform_treasury: &'a AccountView,
    program_data: &'a AccountView,
    system_program: &'a AccountView,
}

/// Returns the bump of the config's address.
#[inline(always)]
fn validate(program_id: &Address, accounts: &Accounts, args: &Args) -> Result<u8, ProgramError> {
    expect_signer(accounts.upgrade_authority)?;
    expect_writable(accounts.upgrade_authority)?;
    expect_signer(accounts.super_admin)?;
    expect_system_program(accounts.system_program)?;
    expect_upgrade_authority(accounts.upgrade_authority, accounts.program_data, program_id)?;
    expect_treasury_wallet(accounts.platform_treasury)?;
    GlobalConfig::expect_allowed_fee(args.platform_fee_basis_points)?;
    let (address, bump) = seeds::find_global_config(program_id);
    require(accounts.global_config.address() == &address, ArenaError::InvalidAccount)?;
    // Until it exists, the config itself looks like a wallet to which somebody sent lamports.
    require(accounts.platform_treasury.address() != &address, ArenaError::IncorrectTreasury)?;
    if !accounts.global_config.owned_by(&pinocchio_system::ID) {
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    Ok(bump)
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

/// Creates the one global config. Only the upgrade authority may: otherwise whoever saw the deployment first could
/// become super admin.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: InitializeGlobalConfig");
    let [global_config, upgrade_authority, super_admin, platform_treasury, program_data, system_program, ..] =
        accounts
    else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts {
        global_config,
        upgrade_authority,
        super_admin,
        platform_treasury,
        program_data,
        system_program,
    };
    let mut reader = ArgumentReader::new(data);
    let args = Args { platform_fee_basis_points: reader.u16()? };
    reader.end()?;
    let bump = validate(program_id, &accounts, &args)?;

    create_account_with_minimum_balance_signed(
        accounts.global_config,
        GlobalConfig::LEN,
        program_id,
        accounts.upgrade_authority,
        None,
        &[Signer::from(&seeds::global_config_signer(&[bump]))],
    )?;
    GlobalConfig {
        super_admin: *accounts.super_admin.address(),
        platform_treasury: *accounts.platform_treasury.address(),
        platform_fee_basis_points: args.platform_fee_basis_points,
        bump,
    }
    .store(accounts.global_config)
}
