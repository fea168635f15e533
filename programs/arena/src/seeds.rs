//! Every derived address of the program, in one place.

use pinocchio::{cpi::Seed, error::ProgramError, Address};

const GLOBAL_CONFIG: &[u8] = b"global_config";
const LOBBY: &[u8] = b"lobby";
const CLAIMS: &[u8] = b"claims";
const PAYOUT_KEY: &[u8] = b"payout_key";

const ASSOCIATED_TOKEN_PROGRAM: Address =
    Address::from_str_const("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
pub const UPGRADEABLE_LOADER: Address =
    Address::from_str_const("BPFLoaderUpgradeab1e11111111111111111111111");

pub fn find_global_config(program_id: &Address) -> (Address, u8) {
    find(&[GLOBAL_CONFIG], program_id)
}

pub fn find_lobby_config(lobby_id: u64, program_id: &Address) -> (Address, u8) {
    find(&[LOBBY, &lobby_id.to_le_bytes()], program_id)
}

pub fn find_claim_counter(lobby_id: u64, program_id: &Address) -> (Address, u8) {
    find(&[CLAIMS, &lobby_id.to_le_bytes()], program_id)
}

pub fn find_payout_key(lobby_id: u64, program_id: &Address) -> (Address, u8) {
    find(&[PAYOUT_KEY, &lobby_id.to_le_bytes()], program_id)
}

pub fn find_associated_token_account(owner: &Address, mint: &Address, token_program: &Address) -> Address {
    let seeds = [owner.as_ref(), token_program.as_ref(), mint.as_ref()];
    find(&seeds, &ASSOCIATED_TOKEN_PROGRAM).0
}

/// Where the upgradeable loader keeps the program's code and upgrade authority.
pub fn find_program_data(program_id: &Address) -> Address {
    find(&[program_id.as_ref()], &UPGRADEABLE_LOADER).0
}

pub fn global_config_address(bump: u8, program_id: &Address) -> Result<Address, ProgramError> {
    create(&[GLOBAL_CONFIG, &[bump]], program_id)
}

pub fn lobby_config_address(lobby_id: u64, bump: u8, program_id: &Address) -> Result<Address, ProgramError> {
    create(&[LOBBY, &lobby_id.to_le_bytes(), &[bump]], program_id)
}

pub fn claim_counter_address(lobby_id: u64, bump: u8, program_id: &Address) -> Result<Address, ProgramError> {
    create(&[CLAIMS, &lobby_id.to_le_bytes(), &[bump]], program_id)
}

pub fn payout_key_address(lobby_id: u64, bump: u8, program_id: &Address) -> Result<Address, ProgramError> {
    create(&[PAYOUT_KEY, &lobby_id.to_le_bytes(), &[bump]], program_id)
}

#[inline(always)]
pub fn global_config_signer(bump: &[u8; 1]) -> [Seed<'_>; 2] {
    [Seed::from(GLOBAL_CONFIG), Seed::from(bump)]
}

#[inline(always)]
pub fn lobby_config_signer<'a>(lobby_id: &'a [u8; 8], bump: &'a [u8; 1]) -> [Seed<'a>; 3] {
    [Seed::from(LOBBY), Seed::from(lobby_id), Seed::from(bump)]
}

#[inline(always)]
pub fn claim_counter_signer<'a>(lobby_id: &'a [u8; 8], bump: &'a [u8; 1]) -> [Seed<'a>; 3] {
    [Seed::from(CLAIMS), Seed::from(lobby_id), Seed::from(bump)]
}

#[inline(always)]
pub fn payout_key_signer<'a>(lobby_id: &'a [u8; 8], bump: &'a [u8; 1]) -> [Seed<'a>; 3] {
    [Seed::from(PAYOUT_KEY), Seed::from(lobby_id), Seed::from(bump)]
}

#[cfg(any(target_os = "solana", target_arch = "bpf"))]
fn find(seeds: &[&[u8]], program_id: &Address) -> (Address, u8) {
    Address::find_program_address(seeds, program_id)
}

#[cfg(any(target_os = "solana", target_arch = "bpf"))]
fn create(seeds: &[&[u8]], program_id: &Address) -> Result<Address, ProgramError> {
    use crate::errors::ArenaError::InvalidAccount;
    Address::create_program_address(seeds, program_id).map_err(|_| InvalidAccount.into())
}

// Host tests cover what needs no runtime; deriving an address there would need a curve library.
#[cfg(not(any(target_os = "solana", target_arch = "bpf")))]
fn find(_seeds: &[&[u8]], _program_id: &Address) -> (Address, u8) {
    unreachable!("addresses are derived by a syscall")
}

#[cfg(not(any(target_os = "solana", target_arch = "bpf")))]
fn create(_seeds: &[&[u8]], _program_id: &Address) -> Result<Address, ProgramError> {
    unreachable!("addresses are derived by a syscall")
}
