/** Passkeys: those that sign in, and those that open the vault. The site keeps the two apart. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { KeyBundle } from '../entities.ts';
import { SignedIn } from './factors.ts';
import { PASSKEY_LOGIN, PASSKEY_OPTIONS } from './passkey-calls.ts';
import { base64, boolean, choice, id, list, optional, optionalScalar, text } from '../inputs.ts';
import { LIMITS } from '../../domain/limits.ts';

const time = z.string();

export const PASSKEY_USES = ['sign_in', 'unlock'] as const;

export const Passkey = z.object({
  passkey_id: z.string(),
  /** Base64url. */
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
  created_at: time,
  address: z.string(),
  user_agent: z.string(),
});
export type Passkey = z.output<typeof Passkey>;

const PASSKEYS = '/identity/api/factors/passkeys';
const WRAP = '/identity/api/keyBundle/passkeys/:passkeyId';

export const listAll = endpoint({
  method: 'GET',
  path: PASSKEYS,
  summary:
    'The caller’s passkeys. `can_unlock`, `can_sign_in`: whether this site and host let passkeys open vaults, and sign in',
  access: 'signed-in',
  browserOnly: true,
  answer: {
    status: 200,
    schema: z.object({ can_unlock: z.boolean(), can_sign_in: z.boolean(), passkeys: z.array(Passkey) }),
  },
});

/** JSON of WebAuthn Level 3; binary members are base64url. */
const CreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(
    z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) }),
  ),
  authenticatorSelection: z.object({
    residentKey: z.enum(['discouraged', 'preferred', 'required']),
    userVerification: z.enum(['preferred', 'required']),
  }),
  extensions: z.object({ credProps: z.boolean() }),
});
export type CreationOptions = z.output<typeof CreationOptions>;

/** One of them: the site keeps them apart. */
const uses = () => list(choice(PASSKEY_USES), 1, PASSKEY_USES.length);
export const optionsToken = () => text({ max: 64 });
const binary = () => text({ max: LIMITS.webauthnText });

export const registrationOptions = endpoint({
  method: 'POST',
  path: `${PASSKEYS}/options`,
  summary: 'The options with which the browser makes a passkey; valid for ten minutes, in this session',
  access: 'signed-in',
  fresh: true,
  browserOnly: true,
  body: { schema: z.object({ uses: uses() }) },
  answer: { status: 200, schema: z.object({ options: CreationOptions, options_token: z.string() }) },
});

export const register = endpoint({
  method: 'POST',
  path: PASSKEYS,
  summary:
    'Registers the passkey that the browser made. With the use `sign_in` it signs in at once; with `unlock` it opens nothing until its wrap is stored',
  access: 'signed-in',
  fresh: true,
  browserOnly: true,
  jsonLimit: LIMITS.webauthnJsonBytes,
  body: {
    schema: z.object({
      attestation: z.object({
        id: binary(),
        rawId: binary(),
        type: choice(['public-key']),
        response: z.object({
          clientDataJSON: binary(),
          attestationObject: binary(),
          transports: optional(list(text({ max: 32, line: true }), 0, 10)),
        }),
      }),
      options_token: optionsToken(),
      name: text({ trim: true, line: true, max: LIMITS.passkeyName }),
      uses: uses(),
      /** Reported by the browser: the server cannot check it. */
      has_prf: boolean(),
    }),
  },
  answer: { status: 201, schema: z.object({ passkey: Passkey }) },
});

/** For the sign-in page. No passkey is named: the authenticator offers those of this site. */
export const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  userVerification: z.literal('required'),
  timeout: z.number(),
});

/** JSON of WebAuthn Level 3. */
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

export const signInOptions = endpoint({
  ...PASSKEY_OPTIONS,
  summary:
    'The options with which the browser uses a passkey to sign in; valid for ten minutes, in this browser. 404 where passkeys do not sign in',
  answer: { status: 200, schema: z.object({ options: RequestOptions, options_token: z.string() }) },
});

export const signIn = endpoint({
  ...PASSKEY_LOGIN,
  summary:
    'Signs in by cookie with a passkey that verified the person, without a second factor. Every refusal is the same 401 `passkey_invalid`; only for a passkey that opens the vault it has `details.purpose`: `unlock`',
  jsonLimit: LIMITS.webauthnJsonBytes,
  body: {
    schema: z.object({
      assertion: assertion(),
      options_token: optionsToken(),
      /** The ticket of the error `sso_not_linked`, in the same browser. The response then has `link`. */
      link_ticket: optionalScalar(text({ trim: true, max: LIMITS.ticket })),
    }),
  },
  answer: { status: 200, schema: SignedIn },
});

export const remove = endpoint({
  method: 'DELETE',
  path: `${PASSKEYS}/:passkeyId`,
  summary: 'Removes a passkey of the caller, with its wrap. After one that signs in, the caller’s other sessions end',
  access: 'signed-in',
  fresh: true,
  browserOnly: true,
  worksOnFullDisk: true,
  answer: { status: 204 },
});

export const storeWrap = endpoint({
  method: 'PUT',
  path: WRAP,
  summary:
    'Stores the caller’s user key, wrapped for this passkey. `If-Match` names the version that it replaces, 0 for none',
  access: 'signed-in',
  fresh: true,
  browserOnly: true,
  proof: true,
  body: {
    schema: z.object({
      slot: z.object({ slot_id: id(), kdf: text({ max: 16 }), salt_base64: base64(), blob_base64: base64() }),
    }),
  },
  answer: { status: 200, schema: KeyBundle },
});

/** Needs no proof of an open keyring: the owner may be unable to unlock. */
export const removeWrap = endpoint({
  method: 'DELETE',
  path: WRAP,
  summary: 'Removes the wrap, so that the passkey no longer opens the vault. `If-Match` names the version of the wrap',
  access: 'signed-in',
  fresh: true,
  browserOnly: true,
  worksOnFullDisk: true,
  answer: { status: 204 },
});
