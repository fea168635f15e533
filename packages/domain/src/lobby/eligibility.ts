/** Who may play while the beta is gated. */
export function isEligible(user: {
  readonly referralCodeVerified: boolean;
  readonly isRaffleWinner: boolean;
}): boolean {
  return user.referralCodeVerified || user.isRaffleWinner;
}
