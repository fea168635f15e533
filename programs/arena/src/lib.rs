//! Entry fees and reward pools of Engulf lobbies.
//!
//! Anchor's conventions on the outside (discriminators, Borsh layout, error numbers, program id in place of an absent
//! optional account), Pinocchio inside. One file per instruction, each in the same order: accounts, checks, effect,
//! invariant.
#![no_std]

mod accounts;
mod arguments;
mod entrypoint;
mod errors;
mod instructions;
mod log;
mod math;
mod payout;
mod security;
mod seeds;
mod state;
mod token;
