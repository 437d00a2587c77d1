/** Passkeys: security keys as a second factor, those that sign in, and those that open the vault. The site keeps them apart. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { KeyBundle } from '../entities.ts';
import { RecoveryCodes, SignedIn } from './factors.ts';
import { PASSKEY_LOGIN, PASSKEY_OPTIONS } from './passkey-calls.ts';
import { assertion, binary, CreationOptions, optionsToken, Passkey, PASSKEY_USES, RequestOptions } from './webauthn.ts';
import { base64, boolean, choice, id, list, optional, optionalScalar, text } from '../inputs.ts';
import { LIMITS } from '../../domain/limits.ts';

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

/** One of them: the site keeps them apart. */
const uses = () => list(choice(PASSKEY_USES), 1, PASSKEY_USES.length);
const passkeyName = () => text({ trim: true, line: true, max: LIMITS.passkeyName });

/** A session that must set up a second factor first may add a security key, and no other passkey. */
const adding = {
  access: 'signed-in',
  fresh: true,
  browserOnly: true,
  whileRestricted: true,
  worksOnFullDisk: true,
} as const;

export const registrationOptions = endpoint({
  method: 'POST',
  path: `${PASSKEYS}/options`,
  summary: 'The options with which the browser makes a passkey; valid for ten minutes, in this session',
  ...adding,
  body: { schema: z.object({ uses: uses() }) },
  answer: { status: 200, schema: z.object({ options: CreationOptions, options_token: z.string() }) },
});

export const register = endpoint({
  method: 'POST',
  path: PASSKEYS,
  summary:
    'Registers the passkey that the browser made. With the use `factor` it is a second factor, with `sign_in` it signs in at once; with `unlock` it opens nothing until its wrap is stored. The first second factor comes with recovery codes. It ends other sessions, remembered browsers and, unless `revoke_tokens` is false, tokens',
  ...adding,
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
      name: passkeyName(),
      uses: uses(),
      /** Reported by the browser: the server cannot check it. */
      has_prf: boolean(),
      revoke_tokens: optionalScalar(boolean()),
    }),
  },
  answer: {
    status: 201,
    /** `recovery_codes` comes with the first second factor only. */
    schema: z.object({ passkey: Passkey, recovery_codes: z.nullable(RecoveryCodes) }),
  },
});

export const signInOptions = endpoint({
  ...PASSKEY_OPTIONS,
  summary:
    'The options with which the browser uses a passkey to sign in; valid for ten minutes, in this browser. 404 where passkeys do not sign in',
  answer: { status: 200, schema: z.object({ options: RequestOptions, options_token: z.string() }) },
});

export const signIn = endpoint({
  ...PASSKEY_LOGIN,
  summary:
    'Signs in by cookie with a passkey that verified the person, without a second factor. Every refusal is the same 401 `passkey_invalid`; only for a right passkey of another use it has `details.purpose`: `unlock` or `factor`',
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

export const rename = endpoint({
  method: 'PUT',
  path: `${PASSKEYS}/:passkeyId`,
  summary: 'Renames a passkey of the caller, whatever its use',
  access: 'signed-in',
  fresh: true,
  browserOnly: true,
  body: { schema: z.object({ name: passkeyName() }) },
  answer: { status: 200, schema: z.object({ passkey: Passkey }) },
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
