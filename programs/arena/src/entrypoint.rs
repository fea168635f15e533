use crate::{errors::log_error, instructions::*};
use pinocchio::{
    error::ProgramError, no_allocator, nostd_panic_handler, program_entrypoint, AccountView, Address,
    ProgramResult,
};

// The largest instruction, a token batch for 10 players by a payout key, has 28 accounts. The array lives in the 4096-byte stack frame
// of the entrypoint.
program_entrypoint!(process_instruction, 32);
no_allocator!();
nostd_panic_handler!();

fn process_instruction(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    let result = dispatch(program_id, accounts, data);
    // A failed call of another program ends the transaction there, so every custom error that gets here is our own.
    if let Err(ProgramError::Custom(code)) = result {
        log_error(code);
    }
    result
}

#[inline(always)]
fn dispatch(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    let (name, arguments) = data.split_first_chunk::<8>().ok_or(ProgramError::InvalidInstructionData)?;
    match *name {
        initialize_global_config::DISCRIMINATOR => {
            initialize_global_config::process(program_id, accounts, arguments)
        }
        create_lobby::DISCRIMINATOR => create_lobby::process(program_id, accounts, arguments),
        remove_lobby::DISCRIMINATOR => remove_lobby::process(program_id, accounts, arguments),
        edit_lobby_price::DISCRIMINATOR => edit_lobby_price::process(program_id, accounts, arguments),
        join_lobby::DISCRIMINATOR => join_lobby::process(program_id, accounts, arguments),
        claim_reward::DISCRIMINATOR => claim_reward::process(program_id, accounts, arguments),
        claim_multiple_rewards::DISCRIMINATOR => {
            claim_multiple_rewards::process(program_id, accounts, arguments)
        }
        set_platform_fee::DISCRIMINATOR => set_platform_fee::process(program_id, accounts, arguments),
        set_platform_treasury::DISCRIMINATOR => {
            set_platform_treasury::process(program_id, accounts, arguments)
        }
        set_super_admin::DISCRIMINATOR => set_super_admin::process(program_id, accounts, arguments),
        create_claim_counter::DISCRIMINATOR => create_claim_counter::process(program_id, accounts, arguments),
        claim_in_order::DISCRIMINATOR => claim_in_order::process(program_id, accounts, arguments),
        set_payout_key::DISCRIMINATOR => set_payout_key::process(program_id, accounts, arguments),
        claim_by_payout_key::DISCRIMINATOR => claim_by_payout_key::process(program_id, accounts, arguments),
        _ => Err(ProgramError::InvalidInstructionData),
    }
}
