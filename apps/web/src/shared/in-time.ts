/** Fails with the text if the answer takes longer. What a wallet answers after that is dropped. */
export async function inTime<Answer>(
  answer: Promise<Answer>,
  limitMs: number,
  text: string,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(text)), limitMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
