/** An upload over a real socket that is sent in pieces, to observe the server before the rest arrives. */
import { request as httpRequest } from 'node:http';
import type { ClientRequest } from 'node:http';
import { once } from 'node:events';
import { recover } from '@passwordbroker/core/contract/site/backups';

const BOUNDARY = 'part-of-a-slow-upload';

export interface SlowUpload {
  /** Sends a text field of the form. */
  field(name: string, value: string): Promise<void>;
  beginFile(): Promise<void>;
  /** Sends that many bytes of the file. */
  send(bytes: number | Uint8Array): Promise<void>;
  end(): void;
  /** Closes the socket without an end. */
  die(): void;
  /** Status and code of the response. */
  readonly answer: Promise<readonly [status: number, code: string | undefined]>;
}

interface Opening {
  readonly origin: string;
  /** Cookies of the caller, with the CSRF token that is sent as a header. */
  readonly cookies: ReadonlyMap<string, string>;
  /** Content-Length of the body; null for chunked encoding. */
  readonly announced: number | null;
}

/** Opens a recovery request without sending any of its body. */
export function openUpload({ origin, cookies, announced }: Opening): SlowUpload {
  const request: ClientRequest = httpRequest(`${origin}${recover.path}`, {
    method: recover.method,
    headers: {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '',
      ...(announced === null ? {} : { 'content-length': String(announced) }),
    },
  });
  const answer = new Promise<readonly [number, string | undefined]>((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve([response.statusCode ?? 0, (JSON.parse(text) as { code?: string }).code]));
    });
  });
  // A closed socket gets no response.
  answer.catch(() => {});
  const write = async (chunk: string | Uint8Array) => {
    if (!request.write(chunk)) await Promise.race([once(request, 'drain'), answer.catch(() => {})]);
  };
  return {
    answer,
    field: (name, value) =>
      write(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
    beginFile: () =>
      write(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="backupFile"; filename="pb.tar.gz"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
    send: (bytes) => write(typeof bytes === 'number' ? Buffer.alloc(bytes, 'x') : bytes),
    end: () => void request.end(`\r\n--${BOUNDARY}--\r\n`),
    die: () => void request.destroy(),
  };
}
