use crate::{
    accounts::expect_super_admin,
    arguments::{Amounts, ArgumentReader},
    log::log,
    rewards::Rewards,
    state::LobbyConfig,
    token::PoolAccounts,
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

/// sha256("global:claim_multiple_rewards")
pub const DISCRIMINATOR: [u8; 8] = [91, 104, 121, 230, 10, 198, 45, 70];

struct Args<'a> {
    amounts: Amounts<'a>,
}

struct Accounts<'a> {
    global_config: &'a AccountView,
    lobby_config: &'a mut AccountView,
    super_admin: &'a AccountView,
    /// Absent in a SOL lobby.
    pool: PoolAccounts<'a>,
    /// The remaining accounts: a wallet per player in a SOL lobby, pairs of wallet and token account in a token lobby.
    recipients: &'a mut [AccountView],
}

#[inline(always)]
fn validate<'a>(
    program_id: &Address,
    accounts: &Accounts<'a>,
    args: &Args,
) -> Result<Rewards<'a>, ProgramError> {
    expect_super_admin(accounts.global_config, accounts.super_admin, program_id)?;
    let lobby = LobbyConfig::load(accounts.lobby_config, program_id)?;
    Rewards::load(
        &lobby,
        accounts.lobby_config,
        &accounts.pool,
        accounts.recipients,
        &args.amounts,
        program_id,
    )
}

/// Pays 1 to 10 different players from the pool of the lobby, all or none.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: ClaimMultipleRewards");
    #[rustfmt::skip] // it leaves a long pattern on one line
    let [
        global_config, lobby_config, super_admin, reward_pool_token_account, token_mint, token_program,
        recipients @ ..
    ] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts {
        global_config,
        lobby_config,
        super_admin,
        pool: PoolAccounts { reward_pool_token_account, token_mint, token_program },
        recipients,
    };
    let mut reader = ArgumentReader::new(data);
    let args = Args { amounts: reader.amounts()? };
    reader.end()?;
    let rewards = validate(program_id, &accounts, &args)?;

    rewards.pay(accounts.lobby_config, accounts.recipients, &args.amounts)
}
