/** Connections that send the next request as soon as the last one is answered. */
import autocannon from 'autocannon';

interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Load {
  readonly origin: string;
  readonly connections: number;
  readonly seconds: number;
  /** Each connection repeats all of them. */
  readonly requests: readonly Sent[];
  /** Instead of `requests`: the next request of a connection. */
  readonly next?: (connection: number) => Sent;
}

export interface Loaded {
  readonly aSecond: number;
  readonly p50: number;
  readonly p97: number;
  readonly p99: number;
}

/** @throws Error unless all responses are 2xx, because errors are faster */
export async function load({ origin, connections, seconds, requests, next }: Load): Promise<Loaded> {
  let count = 0;
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: requests.map((request) => ({ ...request })),
    setupClient(client) {
      const connection = (count += 1) - 1;
      if (next === undefined) return;
      const prepare = () => {
        const { method, path, headers = {}, body = '' } = next(connection);
        client.setRequests([{ method, path, headers, body }]);
      };
      prepare();
      client.on('response', prepare);
    },
  });
  const { latency, requests: answered } = result;
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} broken off`);
  return { aSecond: answered.average, p50: latency.p50, p97: latency.p97_5, p99: latency.p99 };
}
