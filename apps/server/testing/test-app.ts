import { createApp } from '../src/http/create-app.ts';
import { describeSite, type Site } from '../src/http/site.ts';
import { type Config, readConfig } from '../src/platform/config/config.ts';
import type { Context } from '../src/platform/context.ts';

type TestApp = Awaited<ReturnType<typeof createApp>> & { readonly config: Config; site(): Site };

/** The HTTP server without routes, configured by these variables. */
export async function createTestApp(
  context: Context,
  variables: Record<string, string> = {},
): Promise<TestApp> {
  const config = readConfig(variables);
  const site = () => describeSite(config, 1);
  return { ...(await createApp(context, { config, site })), config, site };
}
