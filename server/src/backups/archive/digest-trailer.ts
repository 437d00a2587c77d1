/**
 * Appends an empty gzip member with the SHA-256 of everything before it as comment. Other readers skip it;
 * ours detects every changed bit, also where gzip does not check.
 */
import { Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';
import { runningDigest } from '../../platform/secrets.ts';
import { damaged } from './archive-problem.ts';

/** Header with comment flag, no time, unknown system; then an empty block. */
const HEAD = Buffer.from([0x1f, 0x8b, 0x08, 0x10, 0, 0, 0, 0, 0, 0xff]);
const EMPTY = Buffer.from([0x03, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const trailerOf = (digest: string) => Buffer.concat([HEAD, Buffer.from(`sha256:${digest}\0`, 'latin1'), EMPTY]);
export const TRAILER_BYTES = trailerOf('0'.repeat(64)).length;

/** Correct or not. */
export const looksLikeTrailer = (end: Buffer): boolean =>
  end.subarray(0, HEAD.length).equals(HEAD) || end.includes('sha256:');

export function addDigest(): Transform {
  const hash = runningDigest();
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      done(null, trailerOf(hash.digest('hex')));
    },
  });
}

/** Removes the trailer; fails at the end if it is wrong. */
export class CheckDigest extends Transform {
  readonly #hash = runningDigest();
  #held = Buffer.alloc(0);

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const passed = all.subarray(0, Math.max(0, all.length - TRAILER_BYTES));
    this.#held = Buffer.from(all.subarray(passed.length));
    this.#hash.update(passed);
    done(null, passed);
  }

  override _flush(done: TransformCallback): void {
    const isWhole = this.#held.equals(trailerOf(this.#hash.digest('hex')));
    done(isWhole ? null : damaged('digest of the whole'));
  }
}
