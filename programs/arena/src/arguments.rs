use pinocchio::error::ProgramError;

/// Reads Borsh-encoded arguments from the front. Every instruction calls `end`, which refuses trailing bytes.
pub struct ArgumentReader<'a>(&'a [u8]);

impl<'a> ArgumentReader<'a> {
    #[inline(always)]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    #[inline(always)]
    pub fn bool(&mut self) -> Result<bool, ProgramError> {
        match self.take::<1>()? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(ProgramError::InvalidInstructionData),
        }
    }

    #[inline(always)]
    pub fn u16(&mut self) -> Result<u16, ProgramError> {
        Ok(u16::from_le_bytes(*self.take()?))
    }

    #[inline(always)]
    pub fn u64(&mut self) -> Result<u64, ProgramError> {
        Ok(u64::from_le_bytes(*self.take()?))
    }

    #[inline(always)]
    pub fn bytes<const N: usize>(&mut self) -> Result<[u8; N], ProgramError> {
        Ok(*self.take()?)
    }

    /// A Vec<u64>, read in place.
    #[inline(always)]
    pub fn amounts(&mut self) -> Result<Amounts<'a>, ProgramError> {
        let count = u32::from_le_bytes(*self.take()?) as usize;
        let len = count.checked_mul(8).filter(|len| *len <= self.0.len());
        let (amounts, rest) = self.0.split_at(len.ok_or(ProgramError::InvalidInstructionData)?);
        self.0 = rest;
        Ok(Amounts(amounts))
    }

    #[inline(always)]
    pub fn end(self) -> Result<(), ProgramError> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(ProgramError::InvalidInstructionData)
        }
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self) -> Result<&'a [u8; N], ProgramError> {
        let (head, rest) = self.0.split_first_chunk::<N>().ok_or(ProgramError::InvalidInstructionData)?;
        self.0 = rest;
        Ok(head)
    }
}

pub struct Amounts<'a>(&'a [u8]);

impl Amounts<'_> {
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.0.len() / 8
    }

    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.chunks_exact(8).map(|bytes| {
            let mut amount = [0; 8];
            amount.copy_from_slice(bytes);
            u64::from_le_bytes(amount)
        })
    }
}
