use pinocchio::Address;

/// The first 8 bytes tell the account types apart.
pub type Discriminator = [u8; 8];

/// The `N` bytes at a constant offset. The length of the record is part of its type, so the compiler drops the check.
#[inline(always)]
pub fn bytes_at<const N: usize>(record: &[u8], offset: usize) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&record[offset..offset + N]);
    bytes
}

#[inline(always)]
pub fn address_at(record: &[u8], offset: usize) -> Address {
    Address::new_from_array(bytes_at(record, offset))
}

#[inline(always)]
pub fn put(record: &mut [u8], offset: usize, bytes: &[u8]) {
    record[offset..offset + bytes.len()].copy_from_slice(bytes);
}
