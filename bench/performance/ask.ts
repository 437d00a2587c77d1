/** One request after the other over a connection that stays, as a browser asks. */
import { Agent, request } from 'node:http';
import { percentile } from '../table.ts';

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
  /** Throws unless it is answered with 2xx. */
  const get = async (path: string, headers: Readonly<Record<string, string>>): Promise<Answer> => {
    const answer = await ask({ path, headers });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.bytes.toString()}`);
    return answer;
  };
  /** Times of the same call, the first ones left out: so many, or as many as fit into this time where that is more. */
  const times = async (path: string, headers: Readonly<Record<string, string>>, rounds: number, forMs = 0) => {
    for (let round = 0; round < Math.ceil(rounds / 4); round += 1) await get(path, headers);
    const samples: number[] = [];
    const end = performance.now() + forMs;
    while (samples.length < rounds || performance.now() < end) samples.push((await get(path, headers)).ms);
    return { p50: percentile(samples, 0.5), p95: percentile(samples, 0.95) };
  };
  return { ask, get, times, close: () => agent.destroy() };
}
