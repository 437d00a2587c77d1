/** The ways in which people prove who they are. The names are stored and sent, so they never change. */

/** `reset`: an admin removed all factors; the person has to set up a new one. */
export const FACTOR_STATES = ['none', 'set', 'reset'] as const;
export type FactorState = (typeof FACTOR_STATES)[number];

/** Second factors that a sign-in can ask for, in the order in which they are offered. */
export const PROOF_METHODS = ['totp', 'recovery'] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

/** How a session began. */
export const SIGN_IN_METHODS = ['password', 'passkey', 'sign-up', 'invite', 'sso'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/**
 * The second factor of a sign-in. `passkey`: it verified the person itself. `remembered`: this browser gave one before.
 * `sso`: the identity provider asked for it.
 */
export const SESSION_FACTORS = [...PROOF_METHODS, 'passkey', 'remembered', 'sso'] as const;
export type SessionFactor = (typeof SESSION_FACTORS)[number];

/** Why a session may only finish its set-up. `link`: the account must be linked to an identity provider first. */
export const RESTRICTIONS = ['second factor', 'link'] as const;
export type Restriction = (typeof RESTRICTIONS)[number];
