/** Calls with a key proof, as the web client makes them. */
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import type { AnswerOf, Endpoint, Params, QueryInput } from '@passwordbroker/core/contract/endpoint';
import { me } from '@passwordbroker/core/contract/account/session';
import { prove } from '@passwordbroker/core/domain/keyring/proof';
import { queryOf } from './test-client.ts';
import { sha256 } from '../platform/ids-and-digests.ts';
import type { SignedIn, TestApp } from './test-app.ts';

/** Makes the call in its sealed form, with a proof by the person's own key. */
export async function callWithProof<const E extends Endpoint>(
  { deps }: Pick<TestApp, 'deps'>,
  person: SignedIn,
  endpoint: E,
  input: {
    readonly params: Params<E['path']>;
    readonly query?: QueryInput<E>;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
  },
): Promise<AnswerOf<E>> {
  const { session_id } = await person.call(me);
  const body = Buffer.from(input.body === undefined ? '' : JSON.stringify(input.body));
  const proof = await prove(
    person.keyring,
    {
      sessionId: session_id ?? '',
      method: endpoint.method,
      path: fillPath<string>(endpoint.path, input.params) + queryOf(input.query),
      bodyDigest: new Uint8Array(sha256(body)),
    },
    deps.clock.now(),
  );
  return person.call(endpoint, { ...input, headers: { ...input.headers, 'x-pb-proof': proof } });
}
