import { ok } from '@engulf/domain/errors/result';
import { readCountry, readGates } from '@engulf/protocol/http/gates';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import type { Geo } from '../../platform/geo.ts';
import { serveCall } from '../serve-call.ts';

export function registerGates(app: FastifyInstance, context: Context, geo: Geo): void {
  serveCall(app, readGates, async () => {
    const switches = await context.switches.read();
    return ok({
      blockedCountryCodes: switches['blocked-countries'],
      isBetaEnable: !switches['beta-closed'],
      isUpgrading: switches['upgrade-page'],
      isMaintenanceAnnounced: switches['maintenance-banner'],
      isSessionOverlayOn: switches['session-overlay'],
    });
  });
  serveCall(app, readCountry, async ({ raw }) => ok({ country_code: geo.countryOf(raw.ip) ?? null }));
}
