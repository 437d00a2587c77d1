/**
 * The age payload: ChaCha20-Poly1305 in 64 KiB chunks, the last one flagged. OpenSSL is ten times as fast as
 * the age library.
 */
import { Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';
import { TAG_BYTES, openPiece, sealPiece } from '@passwordbroker/core/crypto/age-primitives.node';
import { damaged } from './archive-problem.ts';

const PIECE = 64 * 1024;

/** Holds one chunk back, because only the end of the stream shows which is the last. */
abstract class Pieces extends Transform {
  readonly #size: number;
  readonly #held: Buffer;
  readonly #nonce = Buffer.alloc(12);
  #length = 0;

  constructor(size: number) {
    super();
    this.#size = size;
    this.#held = Buffer.allocUnsafe(size);
  }

  protected abstract turn(piece: Buffer, nonce: Buffer, isOnly: boolean): Buffer;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      for (let at = 0; at < chunk.length;) {
        if (this.#length === this.#size) this.#turnHeld(false);
        const taken = chunk.copy(this.#held, this.#length, at);
        this.#length += taken;
        at += taken;
      }
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      this.#turnHeld(true);
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  #turnHeld(isLast: boolean): void {
    const counter = this.#nonce.readUIntBE(5, 6);
    this.#nonce[11] = isLast ? 1 : 0;
    this.push(this.turn(this.#held.subarray(0, this.#length), this.#nonce, isLast && counter === 0));
    this.#nonce.writeUIntBE(counter + 1, 5, 6);
    this.#length = 0;
  }
}

export class EncryptPayload extends Pieces {
  readonly #key: Buffer;
  constructor(key: Buffer) {
    super(PIECE);
    this.#key = key;
  }
  protected turn(piece: Buffer, nonce: Buffer): Buffer {
    return sealPiece(this.#key, nonce, piece);
  }
}

export class DecryptPayload extends Pieces {
  readonly #key: Buffer;
  constructor(key: Buffer) {
    super(PIECE + TAG_BYTES);
    this.#key = key;
  }
  protected turn(piece: Buffer, nonce: Buffer, isOnly: boolean): Buffer {
    const isShort = piece.length < TAG_BYTES || (piece.length === TAG_BYTES && !isOnly);
    if (isShort) throw damaged('age payload ends too early');
    const opened = openPiece(this.#key, nonce, piece);
    if (opened === null) throw damaged('age payload');
    return opened;
  }
}
