import { createHash } from 'node:crypto';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { RECORDING_VERSION } from '@engulf/sim/recording/frames';
import { rulesText } from '@engulf/sim/recording/header';
import type { Rules } from '@engulf/sim/rules';

/** What two processes must have in common to continue the same match. */
export function matchVersion(rules: Rules): string {
  return createHash('sha256')
    .update(`${PROTOCOL_VERSION} ${RECORDING_VERSION} ${rulesText(rules)}`)
    .digest('hex')
    .slice(0, 16);
}
