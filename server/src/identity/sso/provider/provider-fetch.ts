/** Requests to identity providers: to their own hosts only, short, small, and without redirects. */
import type { ProviderConfig } from './provider-config.ts';

const TIMEOUT_MS = 5000;
const MOST_BYTES = 256 * 1024;

/** The provider cannot be used now. The reason is for the log, and contains no claim. */
export class ProviderAway extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.name = 'ProviderAway';
    this.reason = reason;
  }
}

interface Sent {
  readonly method: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** @throws ProviderAway for another host, no answer within five seconds, a redirect, an error of the provider's server */
export function fetchOnly({ issuer }: Pick<ProviderConfig, 'issuer'>, hosts: readonly string[]) {
  const { protocol: ofIssuer } = new URL(issuer);
  return async (address: string, { method, headers = {}, body }: Sent): Promise<Response> => {
    const { protocol, host } = new URL(address);
    if (!hosts.includes(host) || (protocol !== 'https:' && protocol !== ofIssuer)) throw new ProviderAway('other_host');
    try {
      const answer = await fetch(address, {
        method,
        headers,
        body: (body ?? null) as string | URLSearchParams | null,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (answer.status >= 300 && answer.status < 400) throw new ProviderAway('redirect');
      if (answer.status >= 500) throw new ProviderAway(`status_${answer.status}`);
      return new Response(await readSome(answer), { status: answer.status, headers: answer.headers });
    } catch (error) {
      if (error instanceof ProviderAway) throw error;
      throw new ProviderAway(error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no_connection');
    }
  };
}

async function readSome(answer: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > MOST_BYTES) throw new ProviderAway('too_large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** @throws ProviderAway for anything but 200 with a JSON object */
export async function readJson(answer: Response): Promise<Record<string, unknown>> {
  if (answer.status !== 200) throw new ProviderAway(`status_${answer.status}`);
  const value: unknown = await answer.json().catch(() => null);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ProviderAway('no_json');
  return value as Record<string, unknown>;
}
