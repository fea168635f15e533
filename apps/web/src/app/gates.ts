import { type Gates, readCountry, readGates } from '@engulf/protocol/http/gates';
import { useQuery } from '@tanstack/react-query';
import { answerOrThrow, callApi } from '../shared/api/call-api.ts';

/** How soon the page notices a switch. */
const GATES_EVERY_MS = 10_000;

export type Closing = 'region' | 'beta' | 'upgrade';

/** What operators have switched, and whether it concerns this visitor. A value that cannot be read blocks nobody. */
export function useGates() {
  const { data: gates, isPending: areGatesPending } = useQuery({
    queryKey: ['gates'],
    queryFn: async () => answerOrThrow(await callApi(readGates, {})),
    refetchInterval: GATES_EVERY_MS,
  });
  const { data: country, isPending: isCountryPending } = useQuery({
    queryKey: ['country'],
    queryFn: async () => answerOrThrow(await callApi(readCountry, {})).country_code,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return {
    isPending: areGatesPending || isCountryPending,
    closing: gates && closingFor(gates, country ?? null),
    isMaintenanceAnnounced: gates?.isMaintenanceAnnounced === true,
    isChatOpen: gates?.isChatOpen !== false,
    isSessionOverlayOn: gates?.isSessionOverlayOn === true,
    entriesPausedBy: gates?.entriesPausedBy ?? null,
  };
}

export function closingFor(gates: Gates, country: string | null): Closing | undefined {
  if (country !== null && gates.blockedCountryCodes.includes(country)) return 'region';
  if (gates.isUpgrading) return 'upgrade';
  return gates.isBetaEnable ? undefined : 'beta';
}
