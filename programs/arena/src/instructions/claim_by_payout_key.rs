use crate::{
    accounts::expect_signer,
    arguments::{Amounts, ArgumentReader},
    errors::{require, ArenaError},
    log::log,
    rewards::Rewards,
    state::{BatchId, ClaimCounter, GlobalConfig, LobbyConfig, PayoutKey},
    token::PoolAccounts,
};
use pinocchio::{
    error::ProgramError,
    sysvars::{clock::Clock, Sysvar},
    AccountView, Address, ProgramResult,
};

/// sha256("global:claim_by_payout_key")
pub const DISCRIMINATOR: [u8; 8] = [165, 101, 247, 66, 154, 219, 67, 140];

struct Args<'a> {
    number: u64,
    batch: BatchId,
    amounts: Amounts<'a>,
}

struct Accounts<'a> {
    global_config: &'a AccountView,
    lobby_config: &'a mut AccountView,
    payout_signer: &'a AccountView,
    payout_key: &'a mut AccountView,
    claim_counter: &'a mut AccountView,
    /// Absent in a SOL lobby.
    pool: PoolAccounts<'a>,
    /// As for `claim_multiple_rewards`.
    recipients: &'a mut [AccountView],
}

struct Claim<'a> {
    rewards: Rewards<'a>,
    /// Both as they are after the claim.
    counter: ClaimCounter,
    payout_key: PayoutKey,
}

#[inline(always)]
fn validate<'a>(
    program_id: &Address,
    accounts: &Accounts<'a>,
    args: &Args,
) -> Result<Claim<'a>, ProgramError> {
    expect_signer(accounts.payout_signer)?;
    let config = GlobalConfig::load(accounts.global_config, program_id)?;
    let lobby = LobbyConfig::load(accounts.lobby_config, program_id)?;
    let mut payout_key = PayoutKey::load(accounts.payout_key, lobby.lobby_id, program_id)?;
    require(
        &payout_key.key == accounts.payout_signer.address() && payout_key.set_by == config.super_admin,
        ArenaError::NotPayoutKey,
    )?;
    let counter = ClaimCounter::load(accounts.claim_counter, lobby.lobby_id, program_id)?
        .advance(args.number, args.batch)?;
    let rewards = Rewards::load(
        &lobby,
        accounts.lobby_config,
        &accounts.pool,
        accounts.recipients,
        &args.amounts,
        program_id,
    )?;
    payout_key.spend(rewards.total(), Clock::get()?.slot)?;
    Ok(Claim { rewards, counter, payout_key })
}

/// Pays like `claim_in_order`, within the limits of the payout key, which signs instead of the super admin.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: ClaimByPayoutKey");
    #[rustfmt::skip] // it leaves a long pattern on one line
    let [
        global_config, lobby_config, payout_signer, payout_key, claim_counter, reward_pool_token_account,
        token_mint, token_program, recipients @ ..
    ] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts {
        global_config,
        lobby_config,
        payout_signer,
        payout_key,
        claim_counter,
        pool: PoolAccounts { reward_pool_token_account, token_mint, token_program },
        recipients,
    };
    let mut reader = ArgumentReader::new(data);
    let args = Args { number: reader.u64()?, batch: reader.bytes()?, amounts: reader.amounts()? };
    reader.end()?;
    let Claim { rewards, counter, payout_key } = validate(program_id, &accounts, &args)?;

    payout_key.store(accounts.payout_key)?;
    counter.store(accounts.claim_counter)?;
    rewards.pay(accounts.lobby_config, accounts.recipients, &args.amounts)
}
