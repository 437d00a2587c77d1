/**
 * Memory that large bodies may take, over all requests. It is booked as bytes arrive, so that a sender who announces much and sends little
 * holds little; and nobody can book all of it, so that the others can still upload.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';

const MIB = 1024 * 1024;
const ALL = 256 * MIB;
const EACH = 128 * MIB;
const RETRY_AFTER_SECONDS = 5;

export interface Booking {
  /** Books bytes that have come. Throws `unavailable` (503) when there is no room. */
  add(bytes: number): void;
  /** Gives everything back. */
  release(): void;
}

export interface BodyMemory {
  /** @param owner whose share it is: a person, or an address */
  open(owner: string): Booking;
}

/** `all` bytes for everyone together, `each` for one owner. What a body of the usual size takes is not counted. */
export function bodyMemory(
  limits: { readonly all: number; readonly each: number } = { all: ALL, each: EACH },
): BodyMemory {
  const shares = new Map<string, number>();
  let all = 0;
  return {
    open(owner) {
      let size = 0;
      let booked = 0;
      const book = (bytes: number) => {
        const share = (shares.get(owner) ?? 0) + bytes;
        all += bytes;
        booked += bytes;
        if (share === 0) shares.delete(owner);
        else shares.set(owner, share);
      };
      return {
        add(bytes) {
          size += bytes;
          if (size <= LIMITS.bodyBytes) return;
          const more = size - booked;
          if (all + more > limits.all || (shares.get(owner) ?? 0) + more > limits.each) {
            throw new AppError('unavailable', { retryAfter: RETRY_AFTER_SECONDS });
          }
          book(more);
        },
        release: () => book(-booked),
      };
    },
  };
}
