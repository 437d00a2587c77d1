/**
 * Memory that unfinished bodies may take, over all requests, booked from their first byte as bytes arrive: a sender who announces much and sends
 * little holds little, and no owner can book all of it. The first 4 KiB of a body are never refused: a sign-in needs no more, and the limits on
 * connections bound how many there are.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';

const MIB = 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;
const NEVER_REFUSED = 4 * 1024;

export interface Booking {
  /** Books bytes that have come. Throws `unavailable` (503) when there is no room. */
  add(bytes: number): void;
  /** Gives everything back. */
  release(): void;
}

interface BodyOwner {
  /** A person, or an address of guests. */
  readonly name: string;
  readonly isGuest: boolean;
}

export interface BodyMemory {
  open(owner: BodyOwner): Booking;
}

/** Bytes. */
export interface BodyBudget {
  readonly all: number;
  /** Part of all: what is left for bodies of the usual size when large ones fill the rest, and what guests have together. */
  readonly small: number;
  readonly eachPerson: number;
  readonly eachAddress: number;
}

export const BODY_BUDGET: BodyBudget = { all: 256 * MIB, small: 16 * MIB, eachPerson: 128 * MIB, eachAddress: 4 * MIB };

export function bodyMemory(budget: BodyBudget): BodyMemory {
  const shares = new Map<string, number>();
  const booked = { all: 0, guests: 0 };
  return {
    open({ name, isGuest }) {
      let size = 0;
      const each = isGuest ? budget.eachAddress : budget.eachPerson;
      const book = (bytes: number) => {
        const share = (shares.get(name) ?? 0) + bytes;
        if (share === 0) shares.delete(name);
        else shares.set(name, share);
        size += bytes;
        booked.all += bytes;
        if (isGuest) booked.guests += bytes;
      };
      return {
        add(bytes) {
          const all = size + bytes > LIMITS.bodyBytes ? budget.all - budget.small : budget.all;
          const isFull =
            booked.all + bytes > all ||
            (shares.get(name) ?? 0) + bytes > each ||
            (isGuest && booked.guests + bytes > budget.small);
          if (isFull && size + bytes > NEVER_REFUSED)
            throw new AppError('unavailable', { retryAfter: RETRY_AFTER_SECONDS });
          book(bytes);
        },
        release: () => book(-size),
      };
    },
  };
}
