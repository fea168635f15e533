use crate::{
    accounts::expect_super_admin,
    arguments::{Amounts, ArgumentReader},
    log::log,
    rewards::Rewards,
    state::{BatchId, ClaimCounter, LobbyConfig},
    token::PoolAccounts,
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

/// sha256("global:claim_in_order")
pub const DISCRIMINATOR: [u8; 8] = [233, 171, 106, 183, 60, 249, 62, 67];

struct Args<'a> {
    number: u64,
    batch: BatchId,
    amounts: Amounts<'a>,
}

struct Accounts<'a> {
    global_config: &'a AccountView,
    lobby_config: &'a mut AccountView,
    super_admin: &'a AccountView,
    claim_counter: &'a mut AccountView,
    /// Absent in a SOL lobby.
    pool: PoolAccounts<'a>,
    /// As for `claim_multiple_rewards`.
    recipients: &'a mut [AccountView],
}

struct Claim<'a> {
    rewards: Rewards<'a>,
    /// As it is after the claim.
    counter: ClaimCounter,
}

#[inline(always)]
fn validate<'a>(
    program_id: &Address,
    accounts: &Accounts<'a>,
    args: &Args,
) -> Result<Claim<'a>, ProgramError> {
    expect_super_admin(accounts.global_config, accounts.super_admin, program_id)?;
    let lobby = LobbyConfig::load(accounts.lobby_config, program_id)?;
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
    Ok(Claim { rewards, counter })
}

/// Pays like `claim_multiple_rewards`, if the claim names the next number of the lobby. So of all claims that were signed
/// for a number one is paid, however many of them reach the chain.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: ClaimInOrder");
    #[rustfmt::skip] // it leaves a long pattern on one line
    let [
        global_config, lobby_config, super_admin, claim_counter, reward_pool_token_account, token_mint,
        token_program, recipients @ ..
    ] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts {
        global_config,
        lobby_config,
        super_admin,
        claim_counter,
        pool: PoolAccounts { reward_pool_token_account, token_mint, token_program },
        recipients,
    };
    let mut reader = ArgumentReader::new(data);
    let args = Args { number: reader.u64()?, batch: reader.bytes()?, amounts: reader.amounts()? };
    reader.end()?;
    let Claim { rewards, counter } = validate(program_id, &accounts, &args)?;

    counter.store(accounts.claim_counter)?;
    rewards.pay(accounts.lobby_config, accounts.recipients, &args.amounts)
}
