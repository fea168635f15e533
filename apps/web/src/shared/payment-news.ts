/** News of payments from the menu socket, for code that waits for one. */
export function createPaymentNews() {
  const announced = new Set<string>();
  const waiting = new Map<string, () => void>();
  return {
    /** The payment is decided. */
    announce: (paymentSessionId: string) => {
      announced.add(paymentSessionId);
      waiting.get(paymentSessionId)?.();
    },
    /** Resolves when there is news that nobody has waited for yet, or else after that time. */
    wait: (paymentSessionId: string, ms: number): Promise<void> =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          announced.delete(paymentSessionId);
          waiting.delete(paymentSessionId);
          resolve();
        };
        const timer = setTimeout(end, ms);
        waiting.set(paymentSessionId, end);
        if (announced.has(paymentSessionId)) end();
      }),
  };
}

export const paymentNews = createPaymentNews();
