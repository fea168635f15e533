use super::{
    mint::{decimals_of, token_program_of},
    TokenAccount,
};
use crate::{
    accounts::{expect_writable, optional},
    errors::{require, ArenaError},
    seeds,
    state::LobbyConfig,
};
use pinocchio::{cpi::Signer, error::ProgramError, AccountView, Address, ProgramResult};
use pinocchio_token_2022::instructions::{CloseAccount, TransferChecked};

/// The accounts that name the pool of a token lobby, unchecked. All are absent in a SOL lobby.
pub struct PoolAccounts<'a> {
    pub reward_pool_token_account: &'a AccountView,
    pub token_mint: &'a AccountView,
    pub token_program: &'a AccountView,
}

impl<'a> PoolAccounts<'a> {
    /// Passing a token account to a SOL lobby means the caller expects another kind of lobby.
    #[inline(always)]
    pub fn expect_absent(&self, program_id: &Address) -> ProgramResult {
        require(
            optional(self.reward_pool_token_account, program_id).is_none()
                && optional(self.token_mint, program_id).is_none()
                && optional(self.token_program, program_id).is_none(),
            ArenaError::IncorrectLobbyType,
        )
    }
}

/// The pool of a token lobby whose accounts were checked against the lobby.
pub struct TokenPool<'a> {
    /// What the pool held when it was loaded.
    pub amount_before: u64,
    token_program: &'static Address,
    pool: &'a AccountView,
    mint: &'a AccountView,
    decimals: u8,
    lobby_id: u64,
    lobby_bump: u8,
}

impl<'a> TokenPool<'a> {
    #[inline(always)]
    pub fn load(
        lobby: &LobbyConfig,
        accounts: &PoolAccounts<'a>,
        program_id: &Address,
    ) -> Result<Self, ProgramError> {
        Self::load_if_created(lobby, accounts, program_id)?.ok_or(ArenaError::InvalidAccount.into())
    }

    /// None if the token account does not exist yet: the first player to join may create it.
    #[inline(never)]
    pub fn load_if_created(
        lobby: &LobbyConfig,
        accounts: &PoolAccounts<'a>,
        program_id: &Address,
    ) -> Result<Option<Self>, ProgramError> {
        let wrong_type = ArenaError::IncorrectLobbyType;
        let pool = optional(accounts.reward_pool_token_account, program_id).ok_or(wrong_type)?;
        let mint = optional(accounts.token_mint, program_id).ok_or(wrong_type)?;
        let program = optional(accounts.token_program, program_id).ok_or(wrong_type)?;
        require(mint.address() == &lobby.token_mint, ArenaError::IncorrectTokenMint)?;
        require(pool.address() == &lobby.reward_pool_token_account, ArenaError::IncorrectRewardPool)?;
        expect_writable(pool)?;
        let token_program = token_program_of(mint)?;
        require(program.address() == token_program, ArenaError::InvalidAccount)?;
        let decimals = decimals_of(mint)?;
        if pool.owned_by(&pinocchio_system::ID) {
            return Ok(None);
        }
        let amount_before = TokenAccount::load(pool, token_program)?.amount;
        let LobbyConfig { lobby_id, bump: lobby_bump, .. } = *lobby;
        Ok(Some(Self { amount_before, token_program, pool, mint, decimals, lobby_id, lobby_bump }))
    }

    /// What the pool holds now.
    #[inline(always)]
    pub fn amount(&self) -> Result<u64, ProgramError> {
        TokenAccount::load(self.pool, self.token_program).map(|pool| pool.amount)
    }

    /// A token account of the right mint that belongs to `owner`.
    #[inline(never)]
    pub fn expect_token_account(
        &self,
        account: &AccountView,
        owner: &Address,
        wrong_owner: ArenaError,
    ) -> ProgramResult {
        expect_writable(account)?;
        let token_account = TokenAccount::load(account, self.token_program)?;
        require(token_account.mint == *self.mint.address(), ArenaError::IncorrectTokenMint)?;
        require(token_account.owner == *owner, wrong_owner)
    }

    /// The associated token account of the treasury: whoever calls could otherwise scatter fees over accounts that the
    /// treasury does not watch.
    #[inline(never)]
    pub fn expect_treasury_account(&self, account: &AccountView, treasury: &Address) -> ProgramResult {
        self.expect_token_account(account, treasury, ArenaError::IncorrectTreasury)?;
        let associated =
            seeds::find_associated_token_account(treasury, self.mint.address(), self.token_program);
        require(account.address() == &associated, ArenaError::IncorrectTreasury)
    }

    /// Closes the token account, which must be empty. Its rent goes to `rent_receiver`.
    #[inline(never)]
    pub fn close(&self, lobby_config: &AccountView, rent_receiver: &AccountView) -> ProgramResult {
        let (lobby_id, bump) = (self.lobby_id.to_le_bytes(), [self.lobby_bump]);
        CloseAccount {
            account: self.pool,
            destination: rent_receiver,
            authority: lobby_config,
            token_program: self.token_program,
        }
        .invoke_signed(&[Signer::from(&seeds::lobby_config_signer(&lobby_id, &bump))])
    }

    /// The player pays into the pool or to the treasury.
    #[inline(never)]
    pub fn collect(
        &self,
        from: &AccountView,
        to: &AccountView,
        player: &AccountView,
        amount: u64,
    ) -> ProgramResult {
        self.transfer(from, to, player, amount, &[])
    }

    #[inline(always)]
    pub fn collect_stake(&self, from: &AccountView, player: &AccountView, amount: u64) -> ProgramResult {
        self.collect(from, self.pool, player, amount)
    }

    /// The lobby pays from the pool.
    #[inline(never)]
    pub fn pay(&self, lobby_config: &AccountView, to: &AccountView, amount: u64) -> ProgramResult {
        let (lobby_id, bump) = (self.lobby_id.to_le_bytes(), [self.lobby_bump]);
        let seeds = seeds::lobby_config_signer(&lobby_id, &bump);
        self.transfer(self.pool, to, lobby_config, amount, &[Signer::from(&seeds)])
    }

    #[inline(always)]
    fn transfer(
        &self,
        from: &AccountView,
        to: &AccountView,
        authority: &AccountView,
        amount: u64,
        signers: &[Signer],
    ) -> ProgramResult {
        TransferChecked {
            from,
            mint: self.mint,
            to,
            authority,
            amount,
            decimals: self.decimals,
            token_program: self.token_program,
        }
        .invoke_signed(signers)
    }
}
