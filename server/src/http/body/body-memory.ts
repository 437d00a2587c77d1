/**
 * Limits the memory of unfinished bodies, in total and per person or address. Never refuses the first 4 KiB,
 * so sign-in always works.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';

const MIB = 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;
const NEVER_REFUSED = 4 * 1024;

export interface Booking {
  /** @throws AppError `unavailable` (503) */
  add(bytes: number): void;
  release(): void;
}

interface BodyOwner {
  /** Person id, or network of a guest. */
  readonly name: string;
  readonly isGuest: boolean;
}

export interface BodyMemory {
  open(owner: BodyOwner): Booking;
}

/** In bytes. */
export interface BodyBudget {
  readonly all: number;
  /** For usual bodies; also the limit of all guests. */
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
