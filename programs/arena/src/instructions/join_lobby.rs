use crate::{
    accounts::{expect_signer, expect_system_program, expect_writable, optional},
    arguments::ArgumentReader,
    errors::{require, ArenaError},
    log::log,
    math::{split_entry_fee, EntryFeeSplit},
    state::{GlobalConfig, LobbyConfig},
    token::{PoolAccounts, TokenPool},
};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};
use pinocchio_system::instructions::Transfer;

/// sha256("global:join_lobby")
pub const DISCRIMINATOR: [u8; 8] = [127, 102, 119, 190, 215, 223, 212, 159];

struct Args {
    /// The price the player agreed to.
    expected_entry_fee_amount: u64,
    /// The least that must reach the pool. Without it, a fee raised in front of the join would take the difference.
    min_stake_amount: u64,
}

struct Accounts<'a> {
    global_config: &'a AccountView,
    lobby_config: &'a AccountView,
    player: &'a AccountView,
    platform_treasury: &'a AccountView,
    /// Absent in a SOL lobby, as are all other token accounts.
    player_token_account: &'a AccountView,
    treasury_token_account: &'a AccountView,
    pool: PoolAccounts<'a>,
    system_program: &'a AccountView,
}

struct Payment<'a> {
    split: EntryFeeSplit,
    /// None in a SOL lobby.
    token_pool: Option<TokenPool<'a>>,
}

#[inline(always)]
fn validate<'a>(
    program_id: &Address,
    accounts: &Accounts<'a>,
    args: &Args,
) -> Result<Payment<'a>, ProgramError> {
    expect_signer(accounts.player)?;
    expect_writable(accounts.player)?;
    expect_system_program(accounts.system_program)?;
    let config = GlobalConfig::load(accounts.global_config, program_id)?;
    let treasury = accounts.platform_treasury.address();
    require(&config.platform_treasury == treasury, ArenaError::IncorrectTreasury)?;
    let lobby = LobbyConfig::load(accounts.lobby_config, program_id)?;
    require(lobby.entry_fee_amount == args.expected_entry_fee_amount, ArenaError::EntryFeeChanged)?;
    let split = split_entry_fee(lobby.entry_fee_amount, config.platform_fee_basis_points)
        .ok_or(ArenaError::InvalidFeePercentage)?;
    require(split.stake >= args.min_stake_amount, ArenaError::StakeTooSmall)?;

    let player_token_account = optional(accounts.player_token_account, program_id);
    let treasury_token_account = optional(accounts.treasury_token_account, program_id);
    let token_pool = match (lobby.is_sol_lobby, player_token_account, treasury_token_account) {
        (true, None, None) => {
            accounts.pool.expect_absent(program_id)?;
            expect_writable(accounts.platform_treasury)?;
            None
        }
        (false, Some(player_tokens), Some(treasury_tokens)) => {
            let pool = TokenPool::load(&lobby, &accounts.pool, program_id)?;
            let player = accounts.player.address();
            pool.expect_token_account(player_tokens, player, ArenaError::InvalidAccount)?;
            pool.expect_treasury_account(treasury_tokens, treasury)?;
            Some(pool)
        }
        _ => return Err(ArenaError::IncorrectLobbyType.into()),
    };
    Ok(Payment { split, token_pool })
}

/// The player pays the entry fee: the platform fee to the treasury, the rest to the pool of the lobby.
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    log("Instruction: JoinLobby");
    #[rustfmt::skip] // it leaves a long pattern on one line
    let [
        global_config, lobby_config, player, platform_treasury, player_token_account,
        treasury_token_account, reward_pool_token_account, token_mint, token_program,
        system_program, ..
    ] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let accounts = Accounts {
        global_config,
        lobby_config,
        player,
        platform_treasury,
        player_token_account,
        treasury_token_account,
        pool: PoolAccounts { reward_pool_token_account, token_mint, token_program },
        system_program,
    };
    let mut reader = ArgumentReader::new(data);
    let args = Args { expected_entry_fee_amount: reader.u64()?, min_stake_amount: reader.u64()? };
    reader.end()?;
    let Payment { split, token_pool } = validate(program_id, &accounts, &args)?;

    match token_pool {
        None => pay_sol(accounts.player, accounts.platform_treasury, accounts.lobby_config, split),
        Some(pool) => pay_tokens(
            accounts.player,
            accounts.player_token_account,
            accounts.treasury_token_account,
            &pool,
            split,
        ),
    }
}

#[inline(never)]
fn pay_sol(
    player: &AccountView,
    platform_treasury: &AccountView,
    lobby_config: &AccountView,
    split: EntryFeeSplit,
) -> ProgramResult {
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
    if split.platform_fee > 0 {
        pool.collect(player_tokens, treasury_tokens, player, split.platform_fee)?;
    }
    if split.stake > 0 {
        pool.collect_stake(player_tokens, player, split.stake)?;
    }

    require(pool.amount()?.checked_sub(pool.amount_before) == Some(split.stake), ArenaError::BalanceMismatch)
}
