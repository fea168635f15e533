import { expect, test } from 'vitest';
import { closingFor } from './gates.ts';

const open = {
  blockedCountryCodes: [] as string[],
  isBetaEnable: true,
  isUpgrading: false,
  isMaintenanceAnnounced: false,
  isChatOpen: true,
  isSessionOverlayOn: false,
  entriesPausedBy: null,
};

test.each([
  [{}, 'DE', undefined],
  [{ blockedCountryCodes: ['DE'] }, 'DE', 'region'],
  [{ blockedCountryCodes: ['DE'] }, 'FR', undefined],
  [{ blockedCountryCodes: ['DE'] }, null, undefined],
  [{ isBetaEnable: false }, null, 'beta'],
  [{ isUpgrading: true, isBetaEnable: false }, null, 'upgrade'],
  [{ isUpgrading: true, blockedCountryCodes: ['DE'] }, 'DE', 'region'],
  [{ isMaintenanceAnnounced: true }, null, undefined],
])('with %j somebody from %s is stopped by: %s', (change, country, closing) => {
  expect(closingFor({ ...open, ...change }, country)).toBe(closing);
});
