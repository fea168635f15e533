import type { ErrorDefinitions } from './definition.ts';

const title = 'Payment Failed';

export const PAYMENT_ERRORS = {
  WALLET_NOT_CONNECTED: { httpStatus: null, title, text: 'Please connect your wallet first' },
  PAYMENT_CANCELLED: {
    httpStatus: null,
    title: 'Payment Cancelled',
    text: 'Payment was cancelled. You can try again.',
  },
  PAYMENT_FAILED: { httpStatus: null, title, text: 'Payment failed. Please try again.' },
  INSUFFICIENT_FUNDS: { httpStatus: null, title, text: 'Insufficient SOL balance to join this lobby.' },
  SIMULATION_FAILED: {
    httpStatus: null,
    title,
    text: 'Transaction simulation failed. Please check your balance and try again.',
  },
  BLOCKHASH_NOT_FOUND: { httpStatus: null, title, text: 'Network congestion. Please try again.' },
  TRANSACTION_ALREADY_PROCESSED: {
    httpStatus: null,
    title,
    text: 'Transaction already processed. Please wait a moment...',
  },
  UNKNOWN_PAYMENT_ERROR: { httpStatus: null, title, text: 'Unknown error occurred' },
  PAYMENT_SESSION_ID_MISSING: { httpStatus: null, title, text: 'No payment session ID received' },
  UNEXPECTED_STATUS: {
    httpStatus: null,
    title,
    text: ({ status }: { status: string }) => `Unexpected status: ${status}`,
  },
  TRANSACTION_SIGNATURE_MISSING: {
    httpStatus: null,
    title,
    text: 'No transaction signature received from Solana payment',
  },
  PAYMENT_POLLING_TIMEOUT: { httpStatus: null, title, text: 'Payment polling timeout' },
  PAYMENT_TIMEOUT: { httpStatus: 410, title, text: 'Payment session timed out' },
  PAYMENT_VERIFICATION_FAILED: { httpStatus: 422, title, text: 'Payment verification failed' },
  PAYMENT_SESSION_NOT_FOUND: { httpStatus: 404, title, text: 'This payment session does not exist.' },
  REWARD_POOL_ACCOUNT_MISMATCH: {
    httpStatus: null,
    title,
    text: 'Invalid reward pool token account in lobby config',
  },
  TREASURY_MISMATCH: { httpStatus: null, title, text: 'Platform treasury wallet mismatch' },
  SHARE_UPLOAD_FAILED: {
    httpStatus: null,
    title: 'Error',
    text: 'Upload failed. Check console for details.',
  },
} as const satisfies ErrorDefinitions;
