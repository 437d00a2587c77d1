/** Passkeys as the calls send and return them. Binary members are base64url, JSON as in WebAuthn Level 3. */
import * as z from 'zod/mini';
import { choice, optional, text } from '../inputs.ts';
import { LIMITS } from '../../domain/limits.ts';

/**
 * `factor`: a security key, asked for beside the account password. `sign_in`: signs in alone. `unlock`: opens the vault.
 * A passkey has one of them.
 */
export const PASSKEY_USES = ['factor', 'sign_in', 'unlock'] as const;

export const Passkey = z.object({
  passkey_id: z.string(),
  credential_id: z.string(),
  /** The host that the passkey works on. */
  rp_id: z.string(),
  /** Whether the passkey works on this host. */
  is_here: z.boolean(),
  name: z.string(),
  /** Empty if the passkey was registered but never finished. */
  uses: z.array(z.enum(PASSKEY_USES)),
  /** Version of the wrap that opens the vault; 0: no wrap. */
  wrap_version: z.number(),
  has_prf: z.boolean(),
  synced: z.boolean(),
  /** Identifies the model of the authenticator. No decision depends on it. */
  aaguid: z.string(),
  created_at: z.string(),
  address: z.string(),
  user_agent: z.string(),
  /** The last use that the server saw: opening the vault is none. */
  last_used_at: z.nullable(z.string()),
});
export type Passkey = z.output<typeof Passkey>;

const NamedPasskeys = z.array(
  z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) }),
);

export const CreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: NamedPasskeys,
  authenticatorSelection: z.object({
    residentKey: z.enum(['discouraged', 'preferred', 'required']),
    userVerification: z.enum(['preferred', 'required']),
  }),
  extensions: z.object({ credProps: z.boolean() }),
});
export type CreationOptions = z.output<typeof CreationOptions>;

/** No passkey is named: the authenticator offers those of this site. */
export const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** `preferred` beside the account password, `required` without it. */
  userVerification: z.enum(['preferred', 'required']),
  timeout: z.number(),
});

/** For a person who is known already. */
export const OwnRequestOptions = z.extend(RequestOptions, { allowCredentials: NamedPasskeys });
export type OwnRequestOptions = z.output<typeof OwnRequestOptions>;

export const optionsToken = () => text({ max: 64 });
export const binary = () => text({ max: LIMITS.webauthnText });

export const assertion = () =>
  z.object({
    id: binary(),
    rawId: binary(),
    type: choice(['public-key']),
    response: z.object({
      clientDataJSON: binary(),
      authenticatorData: binary(),
      signature: binary(),
      /** Required to sign in. Some authenticators leave it out if the options name passkeys. */
      userHandle: optional(binary()),
    }),
  });
export type Assertion = z.output<ReturnType<typeof assertion>>;
