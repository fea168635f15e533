use crate::{
    accounts::{expect_accounts, expect_signer, expect_system_program, expect_writable, optional},
    arguments::Arguments,
    errors::{require, ArenaError},
    log::log,
    math::{split_entry_fee, EntryFeeSplit},
    state::{GlobalConfig, LobbyConfig},
    token::{PoolAccounts, TokenPool},
};
use pinocchio::{AccountView, Address, ProgramResult};
use pinocchio_system::instructions::Transfer;

/// sha256("global:join_lobby")
pub const DISCRIMINATOR: [u8; 8] = [127, 102, 119, 190, 215, 223, 212, 159];

/// The player pays the entry fee: the platform fee to the treasury, the rest to the pool of the lobby.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], arguments: &[u8]) -> ProgramResult {
    log("Instruction: JoinLobby");
    let (listed, _) = expect_accounts::<10>(accounts)?;
    #[rustfmt::skip] // it leaves a long pattern on one line
    let [
        global_config, lobby_config, player, platform_treasury, player_token_account,
        treasury_token_account, reward_pool_token_account, token_mint, token_program,
        system_program,
    ] = *listed;
    let mut arguments = Arguments::new(arguments);
    let expected_entry_fee_amount = arguments.u64()?;
    arguments.end()?;

    expect_signer(&player)?;
    expect_writable(&player)?;
    expect_system_program(&system_program)?;
    let config = GlobalConfig::load(&global_config, program_id)?;
    require(&config.platform_treasury == platform_treasury.address(), ArenaError::IncorrectTreasury)?;
    let lobby = LobbyConfig::load(&lobby_config, program_id)?;
    require(lobby.entry_fee_amount == expected_entry_fee_amount, ArenaError::EntryFeeChanged)?;
    let split = split_entry_fee(lobby.entry_fee_amount, config.platform_fee_basis_points)
        .ok_or(ArenaError::InvalidFeePercentage)?;
    let player_token_account = optional(&player_token_account, program_id);
    let treasury_token_account = optional(&treasury_token_account, program_id);
    let pool_accounts = PoolAccounts {
        reward_pool_token_account: &reward_pool_token_account,
        token_mint: &token_mint,
        token_program: &token_program,
    };

    match (lobby.is_sol_lobby, player_token_account, treasury_token_account) {
        (true, None, None) => {
            pool_accounts.expect_absent(program_id)?;
            pay_sol(&player, &platform_treasury, &lobby_config, split)
        }
        (false, Some(player_tokens), Some(treasury_tokens)) => {
            let pool = TokenPool::load(&lobby, &pool_accounts, program_id)?;
            let wrong_treasury = ArenaError::IncorrectTreasury;
            pool.expect_token_account(player_tokens, player.address(), ArenaError::InvalidAccount)?;
            pool.expect_token_account(treasury_tokens, &config.platform_treasury, wrong_treasury)?;
            pay_tokens(&player, player_tokens, treasury_tokens, &pool, split)
        }
        _ => Err(ArenaError::IncorrectLobbyType.into()),
    }
}

#[inline(never)]
fn pay_sol(
    player: &AccountView,
    platform_treasury: &AccountView,
    lobby_config: &AccountView,
    split: EntryFeeSplit,
) -> ProgramResult {
    expect_writable(platform_treasury)?;
    let lamports_before = lobby_config.lamports();

    if split.platform_fee > 0 {
        Transfer { from: player, to: platform_treasury, lamports: split.platform_fee }.invoke()?;
    }
    if split.stake > 0 {
        Transfer { from: player, to: lobby_config, lamports: split.stake }.invoke()?;
    }

    require(
        lobby_config.lamports().checked_sub(lamports_before) == Some(split.stake),
        ArenaError::BalanceMismatch,
    )
}

#[inline(never)]
fn pay_tokens(
    player: &AccountView,
    player_tokens: &AccountView,
    treasury_tokens: &AccountView,
    pool: &TokenPool,
    split: EntryFeeSplit,
) -> ProgramResult {
    let amount_before = pool.amount()?;

    if split.platform_fee > 0 {
        pool.collect(player_tokens, treasury_tokens, player, split.platform_fee)?;
    }
    if split.stake > 0 {
        pool.collect_stake(player_tokens, player, split.stake)?;
    }

    require(pool.amount()?.checked_sub(amount_before) == Some(split.stake), ArenaError::BalanceMismatch)
}
