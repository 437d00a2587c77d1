/** Calls the API inside this process, like any client. */
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import type { AnswerOf, Endpoint, Params } from '@passwordbroker/core/contract/endpoint';
import { me } from '@passwordbroker/core/contract/account/session';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { PROOF_HEADER, prove } from '@passwordbroker/core/domain/keyring/proof';
import type { createApp } from '../app/app.ts';
import type { Clock } from '../http/context.ts';
import { sha256 } from '../platform/ids-and-digests.ts';

export type App = Awaited<ReturnType<typeof createApp>>;

interface Input<E extends Endpoint> {
  readonly params?: Params<E['path']>;
  readonly body?: object;
  /** File parts; the other members are then sent as form fields. */
  readonly files?: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
  /** Signs the proof, if the endpoint needs one. */
  readonly provenBy?: Keyring;
}

export class Caller {
  readonly #app: App;
  readonly #clock: Clock;
  readonly #cookies = new Map<string, string>();
  #sessionId: string | null = null;

  constructor(app: App, clock: Clock) {
    this.#app = app;
    this.#clock = clock;
  }

  /** @throws if the server refuses */
  async call<const E extends Endpoint>(endpoint: E, input: Input<E> = {}): Promise<AnswerOf<E>> {
    const path = fillPath(endpoint.path, (input.params ?? {}) as Params<E['path']>);
    const encoded = encode(input.body, input.files);
    const payload = encoded === null ? null : Buffer.from(await encoded.arrayBuffer());
    const { provenBy } = input;
    const proof = provenBy === undefined ? null : await this.#proofOf(provenBy, endpoint.method, path, payload);
    const response = await this.#app.inject({
      method: endpoint.method,
      url: path,
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': this.#cookies.get('XSRF-TOKEN') ?? '',
        ...(proof === null ? {} : { [PROOF_HEADER]: proof }),
        ...(encoded === null ? {} : { 'content-type': encoded.headers.get('content-type') ?? '' }),
      },
      ...(payload === null ? {} : { payload }),
    });
    for (const { name, value } of response.cookies) this.#cookies.set(name, value);
    if (response.statusCode >= 400) throw new Error(`${endpoint.method} ${endpoint.path}: ${response.body}`);
    return (response.body === '' ? undefined : JSON.parse(response.body)) as AnswerOf<E>;
  }

  async #proofOf(keyring: Keyring, method: string, path: string, payload: Buffer | null): Promise<string> {
    this.#sessionId ??= (await this.call(me)).session_id;
    const bodyDigest = new Uint8Array(sha256(payload ?? Buffer.alloc(0)));
    return prove(keyring, { sessionId: this.#sessionId ?? '', method, path, bodyDigest }, this.#clock.now());
  }
}

function encode(body: object | undefined, files: Input<Endpoint>['files']): Response | null {
  if (body === undefined) return null;
  if (files === undefined) return Response.json(body);
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) if (value !== undefined) form.append(name, String(value));
  for (const [name, bytes] of Object.entries(files)) form.append(name, new Blob([bytes]), name);
  return new Response(form);
}
