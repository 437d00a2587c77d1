/** The ways in which people prove who they are. The names are stored and sent, so they never change. */

/** `reset`: an admin removed all factors; the person has to set up a new one. */
export const FACTOR_STATES = ['none', 'set', 'reset'] as const;
export type FactorState = (typeof FACTOR_STATES)[number];

/** Second factors that a sign-in can ask for, in the order in which they are offered. */
export const PROOF_METHODS = ['totp', 'passkey', 'recovery'] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];
/** Proven by typing. */
export type CodeMethod = Exclude<ProofMethod, 'passkey'>;

/** How a session began. */
export const SIGN_IN_METHODS = ['password', 'passkey', 'sign-up', 'invite', 'sso'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/**
 * The second factor of a sign-in. `passkey`: a security key, or with the method `passkey` the passkey itself.
 * `remembered`: this browser gave one before. `sso`: the identity provider asked for it.
 */
export const SESSION_FACTORS = [...PROOF_METHODS, 'remembered', 'sso'] as const;
export type SessionFactor = (typeof SESSION_FACTORS)[number];

/** Why a session may only finish its set-up. `link`: the account must be linked to an identity provider first. */
export const RESTRICTIONS = ['second factor', 'link'] as const;
export type Restriction = (typeof RESTRICTIONS)[number];
