import { ERRORS } from '@engulf/domain/errors/registry';
import { html, type Markup } from '../pages/html.ts';
import type { Page } from '../pages/send-page.ts';
import type { ApiDescription, Operation } from './describe-api.ts';
import type { SocketDescription, SocketMessage } from './describe-sockets.ts';

/** The description for people. Complete without a script, so that it needs no bundle of anybody. */
export function docsPage(api: ApiDescription, sockets: SocketDescription): Page {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = [...new Set(operations.map(({ operation }) => operation.tags[0]!))];
  const body = html`<h1>API</h1>
<p class="lead">${api.info.description}</p>
<p>Version ${api.info.version}. For tools: <a href="/docs/openapi.json">openapi.json</a>,
<a href="/docs/asyncapi.json">asyncapi.json</a>. Calls marked “signed in” need the
session cookie of a sign-in with a wallet.</p>
${groups.map(
  (group) => html`<h2>${group}</h2>
${operations
  .filter(({ operation }) => operation.tags[0] === group)
  .map(({ path, method, operation }) => describeOperation(path, method, operation))}`,
)}
${Object.entries(sockets.channels).map(
  ([name, { description, messages }]) => html`<h2>Socket: ${name}</h2>
<p>${description}</p>
${Object.values<SocketMessage>(messages).map(describeMessage)}`,
)}
<h2>Errors</h2>
<p>A refused call answers with the status of its code and <code>{"error": code, "message": text}</code>, a refused
message to a room with <code>{"type": "error", "code": code, "message": text}</code>.</p>
<pre>${errorLines()}</pre>`;
  return { title: 'API', description: 'The HTTP API of Engulf.', body };
}

function describeMessage({ name, summary, payload, ...more }: SocketMessage): Markup {
  const { 'x-limit': limit, 'x-from': from } = more;
  return html`<details><summary><code>${name}</code><span>${summary}</span></summary><div>
${limit && html`<p>At most ${limit.burst} at once, then ${limit.perSecond} a second.</p>`}
${from && html`<p>From: ${from.join(', ')}.</p>`}
<pre>${JSON.stringify(payload, undefined, 2)}</pre>
</div></details>
`;
}

function describeOperation(path: string, method: string, operation: Operation): Markup {
  const { summary, description, security, parameters, requestBody, responses } = operation;
  const answer = responses['200']?.content;
  return html`<details><summary><b class="verb">${method.toUpperCase()}</b><code>${path}</code><span>${summary}${
    security.length > 0 ? ' Signed in.' : ''
  }</span></summary><div>
<p>${description}</p>
${parameters.map(
  ({ name, in: place, required, schema }) => html`<h3>${name} (${place}${required ? '' : ', optional'})</h3>
<pre>${JSON.stringify(schema)}</pre>`,
)}
${requestBody && part('Body', requestBody.content)}
${answer && part('Answer', answer)}
</div></details>
`;
}

function part(title: string, content: NonNullable<Operation['responses'][string]['content']>): Markup {
  return html`${Object.entries(content).map(
    ([type, { schema }]) => html`<h3>${title}: ${type}</h3>
${Object.keys(schema).length > 0 ? html`<pre>${JSON.stringify(schema, undefined, 2)}</pre>` : undefined}`,
  )}`;
}

function errorLines(): string {
  return Object.entries(ERRORS)
    .filter(([, { httpStatus }]) => httpStatus !== null)
    .map(
      ([code, { httpStatus, text }]) =>
        `${httpStatus} ${code.padEnd(42)} ${typeof text === 'string' ? text : ''}`,
    )
    .join('\n');
}
