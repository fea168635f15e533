import { errorBodySchema, type HttpCall } from '@engulf/protocol/http/call';
import { z } from 'zod';
import { SESSION_COOKIE } from '../../accounts/sessions.ts';
import type { KnownRoute } from './known-routes.ts';
import { ROUTE_TEXTS, type RouteText } from './route-texts.ts';

type JsonSchema = Record<string, unknown>;

export type Operation = {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly required: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: {
    readonly [status: string]: { readonly description: string; readonly content?: Content };
  };
};

type Content = { readonly [type: string]: { readonly schema: JsonSchema } };

export type ApiDescription = {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: { readonly securitySchemes: object; readonly schemas: { readonly Error: JsonSchema } };
};

/** The API as an OpenAPI document, made from the schemas that requests and answers are checked with. */
export function describeApi(
  routes: readonly KnownRoute[],
  { serverUrl, version }: { serverUrl: string; version: number },
): ApiDescription {
  const paths: { [path: string]: { [method: string]: Operation } } = {};
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  for (const [name, text] of ROUTE_TEXTS) {
    const route = byName.get(name);
    if (!route) continue;
    const path = route.path.replace(/:(\w+)/g, '{$1}').replace('*', '{key}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route, text) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Engulf',
      version: String(version),
      description: 'Amounts are base units as decimal texts: lamports for SOL. Times are ISO 8601 in UTC.',
    },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE } },
      schemas: { Error: toSchema(errorBodySchema, 'output') },
    },
  };
}

function describeRoute({ path, call, needsSession }: KnownRoute, text: RouteText): Operation {
  const body = requestContent(call, text);
  return {
    tags: [text.group],
    summary: text.text,
    description: call ? limitText(call) : '',
    security: needsSession ? [{ session: [] }] : [],
    parameters: [...pathParameters(path, call), ...queryParameters(call)],
    ...(body && { requestBody: { required: true, content: body } }),
    responses: {
      ...success(call, text),
      default: {
        description: 'Refused. `error` is a code, and what it is about stands beside it.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function limitText({ limit: { max, windowMs } }: HttpCall): string {
  return `At most ${max} calls in ${windowMs / 1_000} s from an address.`;
}

function requestContent(call: HttpCall | undefined, { form }: RouteText): Content | undefined {
  if (form) {
    const parts = Object.entries(form).map(([name, description]) => {
      const isFile = name === 'file' || name === 'image';
      return [name, { type: 'string', ...(isFile && { format: 'binary' }), description }];
    });
    return { 'multipart/form-data': { schema: { type: 'object', properties: Object.fromEntries(parts) } } };
  }
  return call?.body && { 'application/json': { schema: toSchema(call.body, 'input') } };
}

function success(call: HttpCall | undefined, { answer }: RouteText): Operation['responses'] {
  if (answer === 'redirect') return { 302: { description: 'A redirect.' } };
  if (answer !== undefined)
    return { 200: { description: 'Success.', content: { [answer]: { schema: {} } } } };
  const schema = call ? toSchema(call.answer, 'output') : {};
  return { 200: { description: 'Success.', content: { 'application/json': { schema } } } };
}

function pathParameters(path: string, call: HttpCall | undefined): Operation['parameters'] {
  const known = call?.params ? propertiesOf(toSchema(call.params, 'input')) : {};
  const names = path.replace('*', ':key').matchAll(/:(\w+)/g);
  return [...names].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: known[name!] ?? { type: 'string' },
  }));
}

function queryParameters(call: HttpCall | undefined): Operation['parameters'] {
  if (!call?.query) return [];
  const schema = toSchema(call.query, 'input');
  const required = (schema['required'] as readonly string[] | undefined) ?? [];
  return Object.entries(propertiesOf(schema)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function propertiesOf(schema: JsonSchema): { readonly [name: string]: JsonSchema } {
  return (schema['properties'] as { [name: string]: JsonSchema } | undefined) ?? {};
}

/** Without the name of the dialect. */
export function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
