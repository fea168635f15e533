use crate::{
    accounts::{expect_accounts, expect_super_admin, expect_writable, optional},
    arguments::Arguments,
    errors::{require, ArenaError},
    log::log,
    payout::{expect_reward, expect_wallet, pay_lamports},
    state::LobbyConfig,
    token::{PoolAccounts, TokenPool},
};
use pinocchio::{AccountView, Address, ProgramResult};

/// sha256("global:claim_reward")
pub const DISCRIMINATOR: [u8; 8] = [149, 95, 181, 242, 94, 90, 158, 162];

/// Pays one player from the pool of the lobby.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], arguments: &[u8]) -> ProgramResult {
    log("Instruction: ClaimReward");
    let (listed, _) = expect_accounts::<8>(accounts)?;
    #[rustfmt::skip] // it leaves a long pattern on one line
    let [
        global_config, mut lobby_config, super_admin, mut player, player_token_account,
        reward_pool_token_account, token_mint, token_program,
    ] = *listed;
    let mut arguments = Arguments::new(arguments);
    let amount = arguments.u64()?;
    arguments.end()?;

    expect_super_admin(&global_config, &super_admin, program_id)?;
    let lobby = LobbyConfig::load(&lobby_config, program_id)?;
    expect_reward(amount)?;
    expect_wallet(&player, program_id)?;
    let player_token_account = optional(&player_token_account, program_id);
    let pool_accounts = PoolAccounts {
        reward_pool_token_account: &reward_pool_token_account,
        token_mint: &token_mint,
        token_program: &token_program,
    };

    match (lobby.is_sol_lobby, player_token_account) {
        (true, None) => {
            pool_accounts.expect_absent(program_id)?;
            expect_writable(&player)?;
            pay_lamports(&mut lobby_config, &mut player, amount)
        }
        (false, Some(player_tokens)) => {
            let pool = TokenPool::load(&lobby, &pool_accounts, program_id)?;
            pool.expect_token_account(player_tokens, player.address(), ArenaError::InvalidRecipient)?;
            pay_tokens(&lobby_config, &lobby, &pool, player_tokens, amount)
        }
        _ => Err(ArenaError::IncorrectLobbyType.into()),
    }
}

#[inline(never)]
fn pay_tokens(
    lobby_config: &AccountView,
    lobby: &LobbyConfig,
    pool: &TokenPool,
    player_tokens: &AccountView,
    amount: u64,
) -> ProgramResult {
    let amount_after = pool.amount()?.checked_sub(amount).ok_or(ArenaError::InsufficientLobbyBalance)?;

    pool.pay(lobby_config, lobby, player_tokens, amount)?;

    require(pool.amount()? == amount_after, ArenaError::BalanceMismatch)
}
