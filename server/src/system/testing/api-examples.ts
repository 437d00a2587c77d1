/**
 * One example call for each endpoint in the API reference, sent to a running server with the requests of the
 * authorisation matrix.
 */
import { CONTRACT } from '@passwordbroker/core/contract/index';
import { confirmPassword } from '@passwordbroker/core/contract/account/credentials';
import type { Endpoint } from '@passwordbroker/core/contract/endpoint';
import { type Caller, renewActor } from '../../authorisation/testing/callers.ts';
import { REQUESTS, requestOf } from '../../authorisation/testing/requests.ts';
import type { Sending } from '../../authorisation/testing/sending.ts';
import { type TableCall, TABLE } from '../../authorisation/testing/table.ts';
import { type World, startWorld } from '../../authorisation/testing/world.ts';
import { keepassXml } from '../../import/testing/keepass-xml.ts';
import type { TestRequest } from '../../testing/test-client.ts';

export interface ApiExample {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Parts of a form; only the size of a file. */
  readonly form?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Absent if the answer is not JSON. */
  readonly answer?: unknown;
}

const shape = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method} ${path.replaceAll(/:\w+/g, ':')}`;

/** Examples by the endpoint's name in the contract, in its order. */
export async function recordExamples(): Promise<Readonly<Record<string, ApiExample>>> {
  const world = await startWorld();
  const examples: Record<string, ApiExample> = {};
  try {
    for (const [name, endpoint] of Object.entries<Endpoint>(CONTRACT))
      examples[name] = await exampleOf(world, endpoint);
  } finally {
    await world.app.stop();
  }
  return examples;
}

async function exampleOf(world: World, endpoint: Endpoint): Promise<ApiExample> {
  const calls = TABLE.filter((call) => shape(call) === shape(endpoint));
  // Scripts call with a master password; sealing is documented elsewhere.
  const call = calls.find(({ name }) => / · (with a master password|a file|one’s own)$/.test(name)) ?? calls[0];
  const known = call === undefined ? undefined : REQUESTS[call.name];
  if (call === undefined || known === undefined) throw new Error(`No request for ${shape(endpoint)}`);
  const caller = callerOf(world, call);
  if (caller.isSignedIn) await caller.send(fresh(caller));
  const sending = await known.make(world);
  const request = await requestOf(call, caller, withFile(call, await sending(caller)), world.app.clock.now());
  const answer = await caller.sendOpenly(request);
  if (known.spends === true) await renewActor(world.app, world.people, world.callers, caller);
  // The OpenAPI document is too long for an example.
  const isJson = answer.text.startsWith('{') || answer.text.startsWith('[');
  const isTold = isJson && endpoint !== CONTRACT['system.openapi'] && endpoint.answer.type === undefined;
  return { ...(await told(request)), status: answer.status, ...(isTold ? { answer: answer.json() } : {}) };
}

/** The matrix has no import file, as importing takes a second. */
function withFile({ path }: TableCall, sending: Sending): Sending {
  if (!path.endsWith('/import') || sending.multipart?.has('file') !== false) return sending;
  const xml = keepassXml({ name: 'Root', entries: [{ title: 'Mail', user: 'ada', password: 's3cr3t' }] });
  sending.multipart.append('file', new File([xml], 'keepass.xml'));
  return sending;
}

/** An admin of the group if that role suffices. */
function callerOf({ callers }: World, { outcomes }: TableCall): Caller {
  const actor = (['Ad', 'Me', 'SA', 'An', 'Sv'] as const).find((one) => outcomes[one] === 'ok') ?? 'Ad';
  const caller = callers.find((one) => one.actor === actor && (one.mode === 'cookie' || actor === 'Sv'));
  if (caller === undefined) throw new Error(`Nobody is ${actor}`);
  return caller;
}

const fresh = ({ person }: Caller): TestRequest => ({
  method: confirmPassword.method,
  path: confirmPassword.path,
  json: { password: person.password },
});

async function told({ method = 'GET', path, headers = {}, json, multipart }: TestRequest) {
  const form = multipart === undefined ? undefined : await partsOf(multipart);
  return {
    method,
    path,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(json === undefined ? {} : { json }),
    ...(form === undefined ? {} : { form }),
  };
}

async function partsOf(form: FormData): Promise<Record<string, string>> {
  const parts = [...form].map(([name, value]) => [name, typeof value === 'string' ? value : `<${value.size} bytes>`]);
  return Object.fromEntries(parts) as Record<string, string>;
}
