/** Custom errors in the order of their codes, from 6000. Codes are public: append, never reorder. */
const errorsInOrder: [name: string, msg: string][] = [
  ['Unauthorized', 'Unauthorized: signer is not the super admin.'],
  ['InvalidFeePercentage', 'Invalid fee percentage: must be between 0 and 10000 basis points.'],
  ['IncorrectTokenMint', 'Incorrect token mint for this lobby.'],
  ['IncorrectRewardPool', 'Incorrect reward pool token account provided.'],
  ['IncorrectTreasury', 'Incorrect platform treasury wallet provided.'],
  ['ZeroReward', 'Reward amount must be greater than zero.'],
  ['IncorrectLobbyType', 'Incorrect lobby type: operation not valid for this lobby type.'],
  ['InsufficientLobbyBalance', 'Insufficient balance in lobby for reward claim.'],
  ['ZeroEntryFee', 'Entry fee must be greater than zero.'],
  ['EntryFeeChanged', 'Entry fee differs from the one the player agreed to.'],
  ['PoolNotEmpty', 'Lobby pool is not empty.'],
  ['UnsupportedMint', 'Token mint has an extension that could move or block pool funds.'],
  ['InvalidBatch', 'A batch names 1 to 10 players, with one amount for each.'],
  ['DuplicateRecipient', 'A player appears twice in the batch.'],
  ['InvalidRecipient', 'Recipient cannot be paid from this lobby.'],
  ['InvalidAccount', 'Account is not the one expected: wrong address, owner or type.'],
  ['ArithmeticOverflow', 'Amount does not fit into 64 bits.'],
  ['BalanceMismatch', 'A transfer did not move exactly the amount asked for.'],
];

export const errors = errorsInOrder.map(([name, msg], index) => ({ code: 6000 + index, name, msg }));
