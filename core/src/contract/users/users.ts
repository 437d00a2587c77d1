/** Sign-up and people (docs/spec/api.md §3.2, §3.4). */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Certificate, KeyBundle, User } from '../entities.ts';
import {
  TEXTS,
  base64,
  base64OrNone,
  choice,
  id,
  integer,
  list,
  listOfIds,
  nested,
  optional,
  reading,
  text,
} from '../inputs.ts';
import { DOCUMENT_NAMES } from '../../domain/keyring/document-names.ts';
import { LIMITS } from '../../domain/limits.ts';

const certificateVersion = () => reading<1>((value) => (value === '1' ? 1 : value), z.literal(1));

/** Forms omit `null` or send ''. */
const noneOrBase64 = () =>
  reading<string | null>((value) => (value === undefined || value === '' ? null : value), z.nullable(base64()));

export const NewKeyBundle = z.object({
  keyset: z.object({ version: integer(1, 1_000_000), blob_base64: base64() }),
  certificate: z.object({
    v: certificateVersion(),
    user_id: id(),
    keyset_version: integer(1, 1_000_000),
    ed25519_base64: base64(),
    rsa_spki_base64: base64(),
    prev_fpr: text({ allowEmpty: true, max: 64 }),
    sig_base64: base64(),
    sig_prev_base64: noneOrBase64(),
  }),
  slots: list(
    z.object({
      slot_id: id(),
      slot_type: choice(['password', 'recovery']),
      kdf: text({ max: 16 }),
      /** Empty for a recovery key. */
      salt_base64: base64OrNone(),
      blob_base64: base64(),
    }),
    1,
    2,
  ),
});
export type NewKeyBundle = z.output<typeof NewKeyBundle>;

/** A trust record sealed for version 1; release 1.0 omits it. Any error is one error of `documents`. */
export const firstDocuments = () =>
  optional(
    z.pipe(
      z.transform<unknown, FirstDocuments>((value, context) => {
        const read = FIRST_DOCUMENTS.safeParse(value);
        if (read.success) return read.data;
        const message = TEXTS.malformed('documents');
        context.issues.push({ code: 'custom', input: value, message, params: { sealed: true } });
        return z.NEVER;
      }),
      FIRST_DOCUMENTS,
    ) as unknown as z.ZodMiniType<FirstDocuments, FirstDocuments>,
  );
const FIRST_DOCUMENTS = z.array(z.object({ name: z.literal('trust'), blob_base64: base64() })).check(z.length(1));
export type FirstDocuments = z.output<typeof FIRST_DOCUMENTS>;

/** docs/spec/product.md §5. The server uses the error key `user.name`. */
export const SIGN_UP_TEXTS = {
  nameEmpty: 'User Name is empty',
  nameTaken: 'This user name is already taken',
  emailBad: 'Incorrect email',
  emailTaken: 'This email is already taken',
  passwordEmpty: 'Password is empty',
  passwordMismatch: 'Password Confirmation mismatch to Password',
  masterPasswordEmpty: 'Master Password is empty',
  masterPasswordMismatch: 'Master Password Confirmation mismatch to Master Password',
  tooWeak: 'This password is easy to guess. Choose a longer one.',
  tooShort: (least: number) => `The password must have at least ${least} characters`,
} as const;

const person = {
  username: text({ trim: true, max: LIMITS.userName, line: true, missing: SIGN_UP_TEXTS.nameEmpty }),
  email: text({ trim: true, max: LIMITS.email, missing: SIGN_UP_TEXTS.emailBad }),
  password: text({ missing: SIGN_UP_TEXTS.passwordEmpty }),
  password_confirmation: optional(text({ allowEmpty: true })),
};
const setupToken = optional(text({ allowEmpty: true }));

export const register = endpoint({
  method: 'POST',
  path: '/identity/api/registration',
  summary: 'Signs up the first user, who becomes site admin; later creates users, by site admins only',
  access: 'anyone',
  scope: 'write',
  fresh: true,
  body: {
    plain: z.object({
      user: nested(
        z.object({
          ...person,
          master_password: text({ missing: SIGN_UP_TEXTS.masterPasswordEmpty }),
          master_password_confirmation: optional(text({ allowEmpty: true })),
        }),
      ),
      setup_token: setupToken,
    }),
    sealed: z.object({
      user: z.object({ ...person, user_id: id(), key_bundle: NewKeyBundle, documents: firstDocuments() }),
      setup_token: setupToken,
    }),
    marker: 'user.key_bundle',
  },
  answer: { status: 201, schema: User },
});

export const certificates = endpoint({
  method: 'GET',
  path: '/identity/api/user/:id/certificate',
  summary: 'A person’s public keys, the present ones and those before',
  access: 'signed-in',
  service: true,
  answer: { status: 200, schema: z.object({ certificate: Certificate, previous: z.array(Certificate) }) },
});

export const certificatesOf = endpoint({
  method: 'GET',
  path: '/identity/api/certificates',
  summary:
    'The present public keys of up to 100 people, `user_ids` separated by commas; who is unknown or has none is left out',
  access: 'signed-in',
  service: true,
  query: z.object({ user_ids: listOfIds(100) }),
  answer: { status: 200, schema: z.object({ certificates: z.array(Certificate) }) },
});

/** `trust:57,pins:3`. */
const KNOWN = new RegExp(`^(?:(?:${DOCUMENT_NAMES.join('|')}):\\d{1,9}(?:,(?!$)|$))+$`);
const IS_KNOWN = z.refine<string>((value) => KNOWN.test(value), { error: TEXTS.malformed('known') });

export const keyBundle = endpoint({
  method: 'GET',
  path: '/identity/api/keyBundle',
  summary:
    'One’s own keys, still locked by the master password. `known=trust:57` leaves out a document that the client has in this version',
  access: 'signed-in',
  service: true,
  query: z.object({ known: optional(text({ max: 64 }).check(IS_KNOWN)) }),
  answer: { status: 200, schema: KeyBundle },
});
