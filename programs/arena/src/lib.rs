//! Entry fees and reward pools of Engulf lobbies.
//!
//! Anchor's conventions on the outside (discriminators, Borsh layout, error numbers, program id in place of an absent
//! optional account), Pinocchio inside. One file per instruction, each in the same order: arguments, accounts,
//! `validate` (every check, before anything moves), `process` (the effect), and what must hold afterwards.
#![no_std]

mod accounts;
mod arguments;
mod entrypoint;
mod errors;
mod instructions;
mod log;
mod math;
mod rewards;
mod security;
mod seeds;
mod state;
mod token;
