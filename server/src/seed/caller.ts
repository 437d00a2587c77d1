/** A client inside this process: the seed goes through the same door as everybody else. */
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import type { AnswerOf, Endpoint, Params } from '@passwordbroker/core/contract/endpoint';
import type { createApp } from '../app.ts';

/** The web application, reached without a socket. */
export type App = Awaited<ReturnType<typeof createApp>>;

interface Input<E extends Endpoint> {
  readonly params?: Params<E['path']>;
  readonly body?: object;
  /** File parts; the other members then travel as form fields. */
  readonly files?: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
}

export class Caller {
  readonly #app: App;
  readonly #cookies = new Map<string, string>();

  constructor(app: App) {
    this.#app = app;
  }

  /** Throws when the server refuses. */
  async call<const E extends Endpoint>(endpoint: E, input: Input<E> = {}): Promise<AnswerOf<E>> {
    const path = fillPath(endpoint.path, (input.params ?? {}) as Params<E['path']>);
    const encoded = encode(input.body, input.files);
    const response = await this.#app.inject({
      method: endpoint.method,
      url: path,
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': this.#cookies.get('XSRF-TOKEN') ?? '',
        ...(encoded === null ? {} : { 'content-type': encoded.headers.get('content-type') ?? '' }),
      },
      ...(encoded === null ? {} : { payload: Buffer.from(await encoded.arrayBuffer()) }),
    });
    for (const { name, value } of response.cookies) this.#cookies.set(name, value);
    if (response.statusCode >= 400) throw new Error(`${endpoint.method} ${endpoint.path}: ${response.body}`);
    return (response.body === '' ? undefined : JSON.parse(response.body)) as AnswerOf<E>;
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
