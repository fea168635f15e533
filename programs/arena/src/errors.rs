use crate::log::log;
use pinocchio::error::ProgramError;

macro_rules! arena_errors {
    ($($code:literal $name:ident $text:literal)*) => {
        #[repr(u32)]
        #[derive(Clone, Copy)]
        pub enum ArenaError {
            $($name = $code,)*
        }

        /// Writes the line from which Anchor's clients take the name and the text of an error.
        #[inline(never)]
        pub fn log_error(code: u32) {
            match code {
                $($code => log(concat!(
                    "AnchorError occurred. Error Code: ", stringify!($name),
                    ". Error Number: ", $code,
                    ". Error Message: ", $text, ".",
                )),)*
                _ => {}
            }
        }
    };
}

// Codes are public: append, never reorder. A test compares codes, names and texts with the IDL.
arena_errors! {
    6000 Unauthorized "Unauthorized: signer is not the super admin."
    6001 InvalidFeePercentage "Invalid fee percentage: must be between 0 and 10000 basis points."
    6002 IncorrectTokenMint "Incorrect token mint for this lobby."
    6003 IncorrectRewardPool "Incorrect reward pool token account provided."
    6004 IncorrectTreasury "Incorrect platform treasury wallet provided."
    6005 ZeroReward "Reward amount must be greater than zero."
    6006 IncorrectLobbyType "Incorrect lobby type: operation not valid for this lobby type."
    6007 InsufficientLobbyBalance "Insufficient balance in lobby for reward claim."
    6008 ZeroEntryFee "Entry fee must be greater than zero."
    6009 EntryFeeChanged "Entry fee differs from the one the player agreed to."
    6010 PoolNotEmpty "Lobby pool is not empty."
    6011 UnsupportedMint "Token mint has an extension that could move or block pool funds."
    6012 InvalidBatch "A batch names 1 to 10 players, with one amount for each."
    6013 DuplicateRecipient "A player appears twice in the batch."
    6014 InvalidRecipient "Recipient cannot be paid from this lobby."
    6015 InvalidAccount "Account is not the one expected: wrong address, owner or type."
    6016 ArithmeticOverflow "Amount does not fit into 64 bits."
    6017 BalanceMismatch "A transfer did not move exactly the amount asked for."
    6018 StakeTooSmall "Less would reach the pool than the player agreed to."
    6019 FeeAboveCap "Platform fee is above the cap of 2000 basis points."
    6020 LobbyIdUsed "A lobby with this id was removed; its id cannot be used again."
    6021 WrongClaimNumber "Claim does not name the next number of this lobby."
    6022 NotPayoutKey "Signer is not the payout key that the super admin has set for this lobby."
    6023 ClaimAboveLimit "Claim is larger than the payout key may make."
    6024 WindowExhausted "Payout key has less left in this window."
    6025 InvalidPayoutLimits "Limits of a payout key must be greater than zero, and a claim within the window."
}

impl From<ArenaError> for ProgramError {
    #[inline(always)]
    fn from(error: ArenaError) -> Self {
        ProgramError::Custom(error as u32)
    }
}

#[inline(always)]
pub fn require(condition: bool, error: ArenaError) -> Result<(), ProgramError> {
    if condition {
        Ok(())
    } else {
        Err(error.into())
    }
}
