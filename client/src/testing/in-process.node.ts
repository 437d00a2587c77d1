/** Exchanges with a server in the same process, without sockets and with the cookies of one test client. */
import type { TestClient } from '../../../server/src/testing/test-client.ts';
import type { Platform } from '../platform.ts';
import { isClearing } from '../transport/exchange.ts';

export function inProcess(
  person: TestClient,
): Pick<Platform, 'exchange'> & { cookies: NonNullable<Platform['cookies']> } {
  return {
    async exchange({ method, url, headers, body, signal, onSent, onReceived }) {
      signal?.throwIfAborted();
      const answer = await person.request({
        method,
        path: url,
        headers,
        ...(typeof body === 'string' ? { raw: body } : {}),
        ...(body instanceof FormData ? { multipart: body } : {}),
      });
      const bytes = new Uint8Array(answer.bytes);
      onSent?.(1, 1);
      onReceived?.(bytes.length, bytes.length);
      const header = (name: string) => {
        const value = answer.headers[name];
        return typeof value === 'string' ? value : undefined;
      };
      return {
        status: answer.status,
        contentType: header('content-type') ?? '',
        retryAfter: undefined,
        operationId: header('x-operation-id'),
        clearsStorage: isClearing(header('clear-site-data') ?? null),
        bytes,
      };
    },
    cookies: {
      read: () => `XSRF-TOKEN=${encodeURIComponent(person.cookies.get('XSRF-TOKEN') ?? '')}`,
      write: () => undefined,
    },
  };
}
