/** Sequential requests over one keep-alive connection. */
import { Agent, request } from 'node:http';
import { percentile } from '../tools/table.ts';

export interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly ms: number;
}

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export function asking(origin: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = ({ method = 'GET', path, headers, body }: Asked): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      const sent = request(origin + path, { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const ms = performance.now() - started;
          resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks), headers: response.headers, ms });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  /** @throws Error unless the status is 2xx */
  const get = async (path: string, headers: Readonly<Record<string, string>>): Promise<Answer> => {
    const answer = await ask({ path, headers });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.bytes.toString()}`);
    return answer;
  };
  /** Repeats a call after a warm-up, at least `rounds` times and `forMs` milliseconds. */
  const times = async (path: string, headers: Readonly<Record<string, string>>, rounds: number, forMs = 0) => {
    for (let round = 0; round < Math.ceil(rounds / 4); round += 1) await get(path, headers);
    const samples: number[] = [];
    const end = performance.now() + forMs;
    while (samples.length < rounds || performance.now() < end) samples.push((await get(path, headers)).ms);
    return { p50: percentile(samples, 0.5), p95: percentile(samples, 0.95) };
  };
  return { ask, get, times, close: () => agent.destroy() };
}

/** Session and CSRF headers for requests that write. */
export async function writingHeaders(origin: string, cookie: string): Promise<Record<string, string>> {
  const { get, close } = asking(origin);
  try {
    const { headers } = await get('/sanctum/csrf-cookie', cookie === '' ? {} : { cookie });
    const set = [headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0] ?? '');
    const token = /XSRF-TOKEN=(.*)/.exec(set.find((line) => line.startsWith('XSRF-TOKEN=')) ?? '')?.[1] ?? '';
    const cookies = [...(cookie === '' ? [] : [cookie]), ...set].join('; ');
    return { cookie: cookies, 'x-xsrf-token': decodeURIComponent(token), 'content-type': 'application/json' };
  } finally {
    close();
  }
}
