import { FIELD_TEXTS } from '@passwordbroker/core/contract/entries/fields';
import { AppError, missingMasterPassword, wrongMasterPassword } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { unlock } from '@passwordbroker/core/domain/keyring/keyring';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { recordEvent } from '../audit/audit-log.ts';
import type { Actor, Deps, Origin } from '../http/context.ts';
import { ATTEMPT_LIMITS, countJudged, refuseTooMany } from '../platform/passwords/attempts.ts';
import { ownerOf } from '../platform/passwords/derivation-queue.ts';
import { readKeyBundle } from '../users/keys/key-repository.ts';
import { recordingUse } from './master-password-use.ts';
import { CallerTrust } from './trust/caller-trust.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

export interface Caller {
  readonly deps: Deps;
  readonly actor: Actor;
  readonly origin: Origin;
}

export interface OpenedCaller {
  readonly keyring: Keyring;
  readonly trust: CallerTrust;
  /** Its first transaction records the use of the master password. */
  readonly deps: Deps;
}

/** Whether it was sent; its value may be wrong. */
export const isMasterPasswordGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Reports a missing master password together with other problems. */
export const masterPasswordTexts = ({ members }: { readonly members: Readonly<Record<string, unknown>> }) =>
  isMasterPasswordGiven(members['master_password']) ? {} : { master_password: [FIELD_TEXTS.masterPasswordMissing] };

/**
 * Opens the caller's keys for `work`, then wipes them; each request derives anew (docs/spec/crypto.md §17).
 * @param beside called when the derivation starts, so refused guesses cost nothing
 * @throws AppError, in this order: `validation`, `conflict` without keys, `too_many_requests`, `unavailable`,
 * `master_password_invalid`, `integrity_error`
 */
export async function withCallerKeyring<T>(
  caller: Caller,
  masterPassword: unknown,
  work: (opened: OpenedCaller) => Promise<T>,
  beside: () => void = () => {},
): Promise<T> {
  const { deps, actor, origin } = caller;
  if (!isMasterPasswordGiven(masterPassword)) throw missingMasterPassword();
  const { keyring, documents } = await openKeyring(caller, masterPassword, beside);
  try {
    const trust = new CallerTrust(deps, keyring, documents);
    return await work({ keyring, trust, deps: recordingUse(deps, { actor, origin }, trust) });
  } catch (error) {
    throw error instanceof CryptoError ? new AppError('integrity_error') : error;
  } finally {
    keyring.lock();
  }
}

async function openKeyring(caller: Caller, masterPassword: unknown, beside: () => void) {
  const { deps, actor } = caller;
  const bundle = await readKeyBundle(deps.db, actor.userId);
  if (bundle === undefined) throw new AppError('unauthenticated');
  if (bundle.keyset === null) throw new AppError('conflict', { message: SERVER_TEXTS.noKeys });
  const keyring = await deps.derivations.run(ownerOf(caller), async () => {
    // Inside the slot: a burst counts only as many guesses as are derived at once.
    await refuseTooMany(deps, { key: attemptsOf(actor), limit: ATTEMPT_LIMITS.masterPassword });
    if (typeof masterPassword !== 'string') return refuseMasterPassword(caller);
    beside();
    try {
      return await unlock({ bundle, masterPassword, kdf: deps.kdf });
    } catch (error) {
      if (!(error instanceof CryptoError)) throw error;
      // 'password': too long or not text. Other codes mean damage.
      if (error.code === 'commit' || error.code === 'password') return refuseMasterPassword(caller);
      throw new AppError('integrity_error');
    }
  });
  return { keyring, documents: bundle.documents };
}

const attemptsOf = (actor: Actor) => `mp:${actor.userId}`;

async function refuseMasterPassword({ deps, actor, origin }: Caller): Promise<never> {
  await countJudged(deps, [{ key: attemptsOf(actor), limit: ATTEMPT_LIMITS.masterPassword }], (tx) =>
    recordEvent(tx, deps, { event_type: 'mp_refused', actor, origin }),
  );
  throw wrongMasterPassword();
}
