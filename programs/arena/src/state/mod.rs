//! The account types, in Anchor's layout: discriminator, then the fields in Borsh order.

mod claim_counter;
mod global_config;
mod lobby_config;
mod payout_key;

pub use claim_counter::{BatchId, ClaimCounter};
pub use global_config::GlobalConfig;
pub use lobby_config::LobbyConfig;
pub use payout_key::{PayoutKey, PayoutLimits};

use pinocchio::Address;

/// The first 8 bytes of an account, which tell the types apart.
type Discriminator = [u8; 8];

/// The `N` bytes at a constant offset. The length of the record is part of its type, so the compiler drops the check.
#[inline(always)]
fn bytes_at<const N: usize>(record: &[u8], offset: usize) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&record[offset..offset + N]);
    bytes
}

#[inline(always)]
fn address_at(record: &[u8], offset: usize) -> Address {
    Address::new_from_array(bytes_at(record, offset))
}

#[inline(always)]
fn put(record: &mut [u8], offset: usize, bytes: &[u8]) {
    record[offset..offset + bytes.len()].copy_from_slice(bytes);
}
