import { ATTEMPT_LIMITS, type Counter } from '../../platform/passwords/attempts.ts';
import { identityKey } from '../../users/user-repository.ts';

/**
 * Failed codes of an account. A browser that was used for it before has its own counters, so that strangers who
 * know the password cannot lock out the owner. @param device null for an unknown browser
 */
export function factorCounters(email: string, device: string | null): readonly Counter[] {
  const whose = device === null ? `account:${identityKey(email)}` : `device:${device}`;
  return [{ key: `factor:${whose}`, limit: ATTEMPT_LIMITS.factorCode }, factorStreak(email, device)];
}

/** Failures in a row. */
export const factorStreak = (email: string, device: string | null): Counter => ({
  key: device === null ? `factor:streak:${identityKey(email)}` : `factor:device-streak:${device}`,
  limit: ATTEMPT_LIMITS.factorStreak,
});
