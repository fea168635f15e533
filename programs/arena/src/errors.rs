use pinocchio::error::ProgramError;

/// Codes are public: append, never reorder. The texts are in the IDL.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum ArenaError {
    Unauthorized = 6000,
    InvalidFeePercentage,
    IncorrectTokenMint,
    IncorrectRewardPool,
    IncorrectTreasury,
    ZeroReward,
    IncorrectLobbyType,
    InsufficientLobbyBalance,
    ZeroEntryFee,
    EntryFeeChanged,
    PoolNotEmpty,
    UnsupportedMint,
    InvalidBatch,
    DuplicateRecipient,
    InvalidRecipient,
    InvalidAccount,
    ArithmeticOverflow,
    BalanceMismatch,
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
