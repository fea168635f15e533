import { ok } from '@engulf/domain/errors/result';
import { readCountry, readGates } from '@engulf/protocol/http/gates';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import type { Geo } from '../../platform/geo.ts';
import { rememberFor } from '../../platform/remember.ts';
import { readSwitches } from '../../platform/switches.ts';
import { serveCall } from '../serve-call.ts';

/** Every open page asks again and again. */
const SWITCHES_MEMORY = { ms: 2_000, maxKeys: 1 } as const;

export function registerGates(app: FastifyInstance, context: Context, geo: Geo): void {
  const switches = rememberFor({ ...SWITCHES_MEMORY, nowMs: context.nowMs }, () => readSwitches(context.db));
  serveCall(app, readGates, async () => {
    const { blockedCountries, betaClosed, upgrade, maintenanceBanner } = await switches(undefined);
    return ok({
      blockedCountryCodes: blockedCountries,
      isBetaEnable: !betaClosed,
      isUpgrading: upgrade,
      isMaintenanceAnnounced: maintenanceBanner,
    });
  });
  serveCall(app, readCountry, async ({ raw }) => ok({ country_code: geo.countryOf(raw.ip) ?? null }));
}
