/** Requests to a possibly hostile site: bounded in length and time, without redirects. */
import { Agent as PlainAgent, request as askPlainly } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as askSecurely } from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

interface Given {
  readonly status: number;
  /** Unpacked; longer than `most` if cut off. */
  readonly bytes: Buffer;
  /** Names in lower case; with those of 1xx responses. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
}

interface Question {
  readonly address: string;
  readonly encoding: string;
  /** Unpacked bytes after which reading ends. */
  readonly most: number;
}

export interface Asking {
  /** Null if incomplete, late or in an unknown encoding. */
  ask(question: Question): Promise<Given | null>;
  end(): void;
}

/** In ms, for one response and for all. */
export interface Patience {
  readonly answer: number;
  readonly all: number;
}

export function askingOf(origin: string, patience: Patience, atOnce: number): Asking {
  const isSecure = origin.startsWith('https:');
  const options = { keepAlive: true, maxSockets: atOnce };
  const agent = isSecure ? new SecureAgent(options) : new PlainAgent(options);
  const open = isSecure ? askSecurely : askPlainly;
  const until = performance.now() + patience.all;

  const ask = ({ address, encoding, most }: Question) =>
    new Promise<Given | null>((resolve) => {
      const left = Math.min(patience.answer, until - performance.now());
      if (left <= 0) return resolve(null);
      const hints: string[] = [];
      const request = open(origin + address, { agent, headers: { 'accept-encoding': encoding } });
      // Absolute: slow single bytes do not extend it.
      const timer = setTimeout(() => tell(null), left);
      const tell = (given: Given | null) => {
        clearTimeout(timer);
        resolve(given);
        request.destroy();
      };
      request.on('information', ({ rawHeaders }) => void hints.push(...rawHeaders));
      let isAnswered = false;
      request.on('error', () => tell(null));
      // After a complete response it may still be unpacked.
      request.on('close', () => isAnswered || tell(null));
      request.on('response', (answer) => {
        isAnswered = true;
        const headers = listed([...hints, ...answer.rawHeaders]);
        const status = answer.statusCode ?? 0;
        void read(answer, headers.get('content-encoding') ?? [], most).then(
          (bytes) => tell(bytes === null ? null : { status, bytes, headers }),
          () => tell(null),
        );
      });
      request.end();
    });
  return { ask, end: () => agent.destroy() };
}

function listed(raw: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), raw[at + 1] ?? '']);
  }
  return headers;
}

async function read(answer: IncomingMessage, packed: readonly string[], most: number): Promise<Buffer | null> {
  const plain = unpacked(answer, packed.join(', ').trim().toLowerCase());
  if (plain === null) return null;
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of plain as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    // Only a part of a decompression bomb is ever in memory.
    if (length > most) break;
  }
  return Buffer.concat(parts);
}

function unpacked(answer: IncomingMessage, encoding: string): Readable | null {
  if (encoding === '' || encoding === 'identity') return answer;
  const unpack = encoding === 'gzip' ? createGunzip() : encoding === 'br' ? createBrotliDecompress() : null;
  if (unpack === null) return null;
  answer.on('error', (error) => unpack.destroy(error));
  return answer.pipe(unpack);
}
