import { createHash, randomBytes } from 'node:crypto';

export type LocalAccount = { readonly id: string; readonly username: string };
export type LocalAction = 'like' | 'retweet' | 'follow';

type Grant = {
  readonly account: LocalAccount;
  readonly codeChallenge: string;
  readonly redirectUri: string;
  readonly clientId: string;
};

/** The memory of the X that developers get. It ends with the process. */
export type LocalXStore = ReturnType<typeof createLocalXStore>;

export function createLocalXStore() {
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, LocalAccount>();
  const done = new Map<string, Set<string>>();
  const key = (xId: string, action: LocalAction) => `${action} ${xId}`;
  return {
    grant: (grant: Grant): string => {
      const code = randomBytes(24).toString('base64url');
      grants.set(code, grant);
      return code;
    },
    /** A code is good once, for the client that asked and knows the verifier. */
    redeem: (code: string, asked: { codeVerifier: string; redirectUri: string; clientId: string }) => {
      const grant = grants.get(code);
      grants.delete(code);
      const challenge = createHash('sha256').update(asked.codeVerifier).digest('base64url');
      const isRight =
        grant?.codeChallenge === challenge &&
        grant.redirectUri === asked.redirectUri &&
        grant.clientId === asked.clientId;
      if (!isRight) return undefined;
      const token = randomBytes(24).toString('base64url');
      tokens.set(token, grant.account);
      return token;
    },
    accountOf: (token: string) => tokens.get(token),
    press: (xId: string, action: LocalAction, target: string) => {
      const targets = done.get(key(xId, action)) ?? new Set();
      done.set(key(xId, action), targets.add(target));
    },
    pressed: (xId: string, action: LocalAction) => [...(done.get(key(xId, action)) ?? [])],
  };
}

/** The same name is the same account, also after a restart. */
export function accountNamed(username: string): LocalAccount {
  const hash = createHash('sha256').update(username.toLowerCase()).digest();
  return { id: hash.readBigUInt64BE().toString(), username };
}
