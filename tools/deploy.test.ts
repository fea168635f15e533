import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { measureBooks } from '../apps/server/src/metrics/measure-books.ts';
import { measureArchive, measureSigner } from '../apps/server/src/metrics/measure-safety.ts';
import { measureSockets } from '../apps/server/src/metrics/measure-sockets.ts';
import { createMetrics, measurePool, measureProcess } from '../apps/server/src/metrics/metrics.ts';
import { VARIABLE_NAMES } from '../apps/server/src/platform/config/config.ts';
import type { Context } from '../apps/server/src/platform/context.ts';

const root = join(import.meta.dirname, '..');
const deploy = join(root, 'deploy');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: the files have many shapes, and each test looks at a part of one
type Document = any;

function readYaml(path: string): Document[] {
  return parseAllDocuments(read(path), { merge: true }).map((document) => {
    expect(document.errors, path).toEqual([]);
    return document.toJS();
  });
}

const compose = (): Document => readYaml('deploy/compose.yaml')[0];
const networksOf = ({ networks }: Document): string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks);
const manifests = () =>
  globSync('kubernetes/*.yaml', { cwd: deploy }).flatMap((file) => readYaml(`deploy/${file}`));
const podsWith = (secret: string) =>
  manifests()
    .filter(({ spec }) => JSON.stringify(spec ?? {}).includes(`"${secret}"`))
    .map(({ metadata }) => metadata.name)
    .sort();

describe('the containers', () => {
  /** Set by Kubernetes itself, for another variable. */
  const OF_THE_PLATFORM = ['POD_NAME'];

  test('are configured with variables that the server reads', () => {
    const { services } = compose();
    const servers = Object.values<Document>(services).filter(({ image }) => image === 'engulf');
    expect(servers).toHaveLength(7);
    const names = servers.flatMap(({ environment }) => Object.keys(environment));
    for (const { kind, data, stringData, spec } of manifests()) {
      if (kind === 'ConfigMap' || kind === 'Secret') names.push(...Object.keys(data ?? stringData));
      const [container] = spec?.template?.spec.containers ?? [];
      names.push(...(container?.env ?? []).map(({ name }: { name: string }) => name));
    }
    const known = new Set([...VARIABLE_NAMES, ...OF_THE_PLATFORM]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test('of compose are built once, and never looked for in a registry', () => {
    const servers = Object.entries<Document>(compose().services).filter(
      ([, { image }]) => image === 'engulf',
    );
    expect(servers.filter(([, { build }]) => build).map(([name]) => name)).toEqual(['api-1']);
    expect(new Set(servers.map(([, service]) => service.pull_policy))).toEqual(new Set(['never']));
  });

  test('of compose get every value that they ask for from deploy/.env', () => {
    const asked = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
    const offered = [...read('deploy/.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
    expect(new Set(asked)).toEqual(new Set(offered));
  });

  test('give the key to the signer alone, and the signer no network but the worker’s', () => {
    const { services, networks } = compose();
    const withKey = Object.entries<Document>(services)
      .filter(([, { environment }]) =>
        Object.keys(environment ?? {}).some((name) => /^(?:SUPER_ADMIN|PAYOUT)_KEYPAIR$/.test(name)),
      )
      .map(([name]) => name);
    expect(withKey).toEqual(['signer']);
    expect(services.signer.networks).toEqual(['signing']);
    expect(networks.signing.internal).toBe(true);
    const onIt = Object.entries<Document>(services).filter(([, service]) =>
      networksOf(service).includes('signing'),
    );
    expect(onIt.map(([name]) => name)).toEqual(['worker', 'signer']);
    expect(podsWith('engulf-key')).toEqual(['signer']);
  });

  test('of compose have an address that stays where nginx leads, which it knows while they are away', () => {
    const { services, networks } = compose();
    const [{ subnet, ip_range: others }] = networks.inside.ipam.config;
    expect([subnet, others]).toEqual(['10.77.0.0/24', '10.77.0.128/25']);
    const names = [...read('deploy/nginx/nginx.conf').matchAll(/(\S+):3000/g)].map(([, name]) =>
      name!.replace('http://', ''),
    );
    const fixed = [...new Set(names)].map((name) => {
      const { ipv4_address: address } = services[name].networks.inside;
      expect(Number(/^10\.77\.0\.(\d+)$/.exec(address)?.[1]), name).toBeLessThan(128);
      return `${name}:${address}`;
    });
    expect(new Set(fixed)).toHaveLength(4);
    expect(services.nginx.extra_hosts).toEqual(fixed);
  });

  test('of compose publish nothing by IPv6, where every visitor would come from Docker’s own address', () => {
    const published = Object.values<Document>(compose().services).flatMap(({ ports }) => ports ?? []);
    expect(published.filter((port) => !/^(?:0\.0\.0\.0|127\.0\.0\.1):\d+:\d+$/.test(port))).toEqual([]);
  });

  test('run without rights in compose, and only those that use the anchor key have it', () => {
    const servers = Object.entries<Document>(compose().services).filter(
      ([, { image }]) => image === 'engulf',
    );
    for (const [name, { cap_drop: dropped, security_opt: options }] of servers) {
      expect(dropped, name).toEqual(['ALL']);
      expect(options, name).toEqual(['no-new-privileges:true']);
    }
    const anchoring = servers.filter(([, { environment }]) => 'ANCHOR_KEYPAIR' in environment);
    expect(anchoring.map(([name]) => name)).toEqual(['game-1', 'game-2', 'worker']);
    expect(podsWith('engulf-anchor')).toEqual(['game', 'worker']);
  });

  test('ask whether they are alive, and believe a 200 only', async () => {
    const [, json] = /HEALTHCHECK[^[]+CMD (\[.+\])$/m.exec(read('deploy/Dockerfile'))!;
    const [program, ...words] = JSON.parse(json!) as string[];
    let status = 200;
    const server = createServer(({ url }, response) => {
      response.writeHead(url === '/healthz' ? status : 404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const check = async () => {
      const asked = spawn(program!, words, {
        env: { ...process.env, PORT: String(port) },
        stdio: 'ignore',
      });
      const [code] = await once(asked, 'exit');
      return code;
    };
    expect(await check()).toBe(0);
    status = 503;
    expect(await check()).toBe(1);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await check()).toBe(1);
  });

  test('are built from what the image is said to hold, as a user without rights', () => {
    const dockerfile = read('deploy/Dockerfile');
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/HEALTHCHECK[\s\S]+\/healthz/);
    const workspaces = JSON.parse(read('package.json')).workspaces as string[];
    const manifestsOfWorkspaces = workspaces.flatMap((folder) =>
      globSync(`${folder}/package.json`, { cwd: root }),
    );
    // npm refuses to install without the manifest of every workspace.
    const allowed = [...read('deploy/Dockerfile.dockerignore').matchAll(/^!(\S+)$/gm)].map(
      ([, path]) => path!,
    );
    for (const path of manifestsOfWorkspaces) {
      expect(
        allowed.some((prefix) => path.startsWith(prefix)),
        path,
      ).toBe(true);
    }
  });
});

describe('Kubernetes', () => {
  const named = (kind: string) => manifests().filter((document) => document.kind === kind);

  test('gives every game pod an address, on which players find it while it drains', () => {
    const [game] = named('StatefulSet').filter(({ metadata }) => metadata.name === 'game');
    const services = named('Service');
    const paths = named('Ingress').flatMap(({ spec }) => spec.rules[0].http.paths);
    for (let pod = 0; pod < game.spec.replicas; pod++) {
      const service = services.find(({ metadata }) => metadata.name === `game-${pod}`);
      expect(service.spec.selector).toEqual({ 'statefulset.kubernetes.io/pod-name': `game-${pod}` });
      expect(service.spec.publishNotReadyAddresses).toBe(true);
      expect(paths).toContainEqual(
        expect.objectContaining({
          path: `/game-${pod}/(.*)`,
          backend: { service: { name: `game-${pod}`, port: { name: 'http' } } },
        }),
      );
    }
    expect(game.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(600);
    const budgets = named('PodDisruptionBudget').map(({ metadata }) => metadata.name);
    expect(budgets.toSorted()).toEqual(['api', 'game']);
  });

  test('runs every pod without rights, and asks whether it is alive and ready', () => {
    for (const { spec, metadata } of [...named('Deployment'), ...named('StatefulSet')]) {
      const pod = spec.template.spec;
      const [container] = pod.containers;
      expect(pod.securityContext.runAsNonRoot, metadata.name).toBe(true);
      expect(container.securityContext.allowPrivilegeEscalation, metadata.name).toBe(false);
      expect(container.livenessProbe.httpGet.path, metadata.name).toBe('/healthz');
      expect(container.readinessProbe, metadata.name).toBeDefined();
      expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
    }
  });
});

describe('dashboard and alerts', () => {
  function knownMetrics(): Set<string> {
    const metrics = createMetrics(['worker'], Date.now);
    measureProcess(metrics);
    measureBooks(metrics, { nowMs: Date.now } as Context, () => undefined);
    measureSigner(metrics, { keys: async () => ({}) });
    measureArchive(metrics, { nowMs: Date.now } as Context);
    measureSockets(metrics, createServer(), () => 'room');
    measurePool(metrics, { totalCount: 0, idleCount: 0, waitingCount: 0 });
    return new Set(metrics.registry.getMetricsAsArray().map(({ name }) => name));
  }
  const alerts = (): { alert: string; expr: string; annotations: { summary: string } }[] =>
    readYaml('deploy/prometheus/alerts.yml')[0].groups.flatMap(({ rules }: Document) => rules);
  const namesIn = (expression: string) =>
    [...expression.matchAll(/\b(?:engulf|nodejs|process)_\w+/g)].map(([name]) => name);

  test('ask only for metrics that there are, and the dashboard for all of ours', () => {
    const known = knownMetrics();
    const { panels } = JSON.parse(read('deploy/grafana/dashboards/engulf.json')) as Document;
    const shown = panels.flatMap(({ targets }: Document) =>
      targets.flatMap(({ expr }: Document) => namesIn(expr)),
    );
    const watched = alerts().flatMap(({ expr }) => namesIn(expr));
    const base = (name: string) => (known.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ''));
    for (const name of [...shown, ...watched]) expect(known, name).toContain(base(name));
    const ours = [...known].filter((name) => name.startsWith('engulf_'));
    expect(new Set(shown.map(base).filter((name: string) => name.startsWith('engulf_')))).toEqual(
      new Set(ours),
    );
  });

  test('have a row in the runbook for every alert', () => {
    const runbook = read('docs/operations.md');
    for (const { alert } of alerts()) expect(runbook).toMatch(new RegExp(`^\\| \`${alert}\` \\|`, 'm'));
  });

  const promtool = spawnSync('promtool', ['--version']).status === 0;
  test.skipIf(!promtool)('are understood by Prometheus', () => {
    const check = (...command: string[]) =>
      execFileSync('promtool', ['check', ...command], { cwd: join(deploy, 'prometheus'), encoding: 'utf8' });
    expect(check('rules', 'alerts.yml')).toContain('SUCCESS');
    expect(check('config', '--syntax-only', 'prometheus.yml')).toContain('SUCCESS');
  });

  test('are fed by every process of compose that has metrics', () => {
    const [{ scrape_configs: jobs }] = readYaml('deploy/prometheus/prometheus.yml');
    const measured = Object.entries<Document>(compose().services)
      .filter(
        ([, { environment, profiles }]) => environment?.METRICS_TOKEN !== undefined && profiles === undefined,
      )
      .map(([name]) => `${name}:3000`);
    expect(jobs[0].static_configs[0].targets).toEqual(measured);
  });
});
