/**
 * The evidence that a person may get a session or a token. Only this file makes it, from what was judged, and
 * `grant-session.ts` takes nothing else: a path that grants without evidence does not compile.
 */
import type { SessionFactor, SignInMethod } from '@passwordbroker/core/contract/account/sign-in-methods';
import type { Actor, ProviderSession } from '../http/context.ts';
import type { JudgedPasskey } from '../passkeys/judge-passkey.ts';
import type { UserRow } from '../users/user-repository.ts';
import type { JudgedAccount } from './account-password.ts';
import type { ProvenFactor } from './factors/proven-factor.ts';
import type { JudgedIdentity } from './sso/judged-identity.ts';
import type { Admission, OpenTicket } from './tickets.ts';

declare const BRAND: unique symbol;

export type Grantee = Pick<UserRow, 'user_id' | 'epoch' | 'email' | 'password_hash' | 'is_admin' | 'factor_state'>;

export interface SignInProof {
  readonly [BRAND]: true;
  readonly user: Grantee;
  readonly method: SignInMethod;
  readonly factor: SessionFactor | '';
  /** Time of the last check of password and factor (Unix ms); 0: needs to be repeated where that matters. */
  readonly confirmedAt: number;
  readonly hasWeakPassword: boolean;
  /** Null without an identity provider. */
  readonly provider: ProviderSession | null;
}

type Parts = Omit<SignInProof, typeof BRAND | 'provider'> & Partial<Pick<SignInProof, 'provider'>>;

const proof = (parts: Parts): SignInProof => ({ provider: null, ...parts }) as SignInProof;

interface Judged {
  readonly now: number;
  readonly hasWeakPassword: boolean;
}

/** Of the account password, with the second factor of an account that has one. */
export function proofOfPassword(
  { user }: JudgedAccount,
  factor: ProvenFactor | null,
  { now, hasWeakPassword }: Judged,
): SignInProof {
  return proof({ user, method: 'password', ...factorOf(user, factor, now), hasWeakPassword });
}

/** Of a ticket, which the account password or a provider opened, and the second factor. */
export function proofOfTicket({ user, method, details }: OpenTicket, factor: ProvenFactor, now: number): SignInProof {
  const { hasWeakPassword, provider = null } = details;
  const judged = factorOf(user, factor, now);
  const confirmedAt = provider?.isFresh === false ? 0 : judged.confirmedAt;
  return proof({ user, method, ...judged, confirmedAt, hasWeakPassword, provider });
}

/** Of the answer of an identity provider, for an account without a second factor or with the provider's. */
export function proofOfIdentity({ user, provider, hasProvenFactor }: JudgedIdentity, now: number): SignInProof {
  const judged = hasProvenFactor ? ({ factor: 'sso', confirmedAt: now } as const) : factorOf(user, null, now);
  const confirmedAt = provider.isFresh ? judged.confirmedAt : 0;
  return proof({ user, method: 'sso', ...judged, confirmedAt, hasWeakPassword: false, provider });
}

function factorOf({ user_id, factor_state }: UserRow, factor: ProvenFactor | null, now: number) {
  if (factor === null) {
    if (factor_state !== 'none') throw new Error(`The account ${user_id} has a second factor, and none was proven`);
    return { factor: '', confirmedAt: now } as const;
  }
  if (factor.userId !== user_id) throw new Error(`The second factor is not of the account ${user_id}`);
  return { factor: factor.kind, confirmedAt: factor.kind === 'remembered' ? 0 : now };
}

/** Of a passkey that verified the person: it stands for password and second factor. */
export function proofOfPasskey({ user }: JudgedPasskey, now: number): SignInProof {
  return proof({ user, method: 'passkey', factor: 'passkey', confirmedAt: now, hasWeakPassword: false });
}

/** Of the session that let a program in: the program is no stronger. */
export function proofOfAdmission({ user, method, factor, confirmedAt, hasWeakPassword }: Admission): SignInProof {
  return proof({ user, method, factor, confirmedAt, hasWeakPassword });
}

/** Of an account that was just made by its owner. */
export function proofOfSignUp(user: Grantee, method: 'sign-up' | 'invite', now: number): SignInProof {
  return proof({ user, method, factor: '', confirmedAt: now, hasWeakPassword: false });
}

/** Of a present session or token: what it grants is no stronger. */
export function proofOfActor(
  { method, factor, confirmedAt, hasWeakPassword, provider }: Actor,
  user: Grantee,
  more: { readonly confirmedAt?: number; readonly hasWeakPassword?: boolean } = {},
): SignInProof {
  // A token lives on its own; a session stays that of its provider.
  return proof({ user, method, factor, confirmedAt, hasWeakPassword, provider, ...more });
}
