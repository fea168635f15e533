use crate::{
    accounts::{expect_super_admin, expect_system_program, expect_writable},
    arguments::ArgumentReader,
    errors::{require, ArenaError},
    log::log,
    seeds,
    state::{LobbyConfig, PayoutKey, PayoutLimits},
};
use pinocchio::{cpi::Signer, error::ProgramError, AccountView, Address, ProgramResult};
use pinocchio_system::create_account_with_minimum_balance_signed;

/// sha256("global:set_payout_key")
pub const DISCRIMINATOR: [u8; 8] = [39, 159, 156, 160, 142, 61, 13, 122];

struct Args {
    /// All zeros to revoke the key.
    key: Address,
    limits: PayoutLimits,
}

struct Accounts<'a> {
    global_config: &'a AccountView,
    lobby_config: &'a AccountView,
    /// Pays the rent.
    super_admin: &'a AccountView,
    payout_key: &'a mut AccountView,
    system_program: &'a AccountView,
}

struct Setting {
    payout_key: PayoutKey,
    is_new: bool,
}

#[inline(always)]
fn validate(program_id: &Address, accounts: &Accounts, args: Args) -> Result<Setting, ProgramError> {
    let config = expect_super_admin(accounts.global_config, accounts.super_admin, program_id)?;
    expect_writable(accounts.super_admin)?;
    expect_system_program(accounts.system_program)?;
    let LobbyConfig { lobby_id, .. } = LobbyConfig::load(accounts.lobby_config, program_id)?;
    let Args { key, limits } = args;
    let PayoutLimits { max_claim, max_window, window_slots } = limits;
    let is_limited = max_claim > 0 && max_claim <= max_window && window_slots > 0;
    let is_revoked = key == Address::default() && max_claim == 0 && max_window == 0 && window_slots == 0;
    require(is_revoked || (key != Address::default() && is_limited), ArenaError::InvalidPayoutLimits)?;
    let set_by = *accounts.super_admin.address();

    if !accounts.payout_key.owned_by(&pinocchio_system::ID) {
        // What was spent still counts, whatever the key and the limits are from now on.
        let before = PayoutKey::load(accounts.payout_key, lobby_id, program_id)?;
        return Ok(Setting { payout_key: PayoutKey { key, set_by, limits, ..before }, is_new: false });
    }
    let (address, bump) = seeds::find_payout_key(lobby_id, program_id);
    require(accounts.payout_key.address() == &address, ArenaError::InvalidAccount)?;
    // Until now the address looked like a wallet, so the treasury could have been set to it.
    require(config.platform_treasury != address, ArenaError::IncorrectTreasury)?;
    let payout_key = PayoutKey { lobby_id, key, set_by, limits, window_start_slot: 0, spent: 0, bump };
    Ok(Setting { payout_key, is_new: true })
}

/// Sets the key that may claim in order from a lobby within limits, changes its limits, or revokes it.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: SetPayoutKey");
    let [global_config, lobby_config, super_admin, payout_key, system_program, ..] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts { global_config, lobby_config, super_admin, payout_key, system_program };
    let mut reader = ArgumentReader::new(data);
    let key = Address::new_from_array(reader.bytes()?);
    let limits =
        PayoutLimits { max_claim: reader.u64()?, max_window: reader.u64()?, window_slots: reader.u64()? };
    reader.end()?;
    let Setting { payout_key, is_new } = validate(program_id, &accounts, Args { key, limits })?;

    if is_new {
        let (lobby_id, bump) = (payout_key.lobby_id.to_le_bytes(), [payout_key.bump]);
        create_account_with_minimum_balance_signed(
            accounts.payout_key,
            PayoutKey::LEN,
            program_id,
            accounts.super_admin,
            None,
            &[Signer::from(&seeds::payout_key_signer(&lobby_id, &bump))],
        )?;
    }
    payout_key.store(accounts.payout_key)
}
