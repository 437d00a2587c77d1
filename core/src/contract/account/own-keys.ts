/** docs/spec/api.md §3.4. */
import * as z from 'zod/mini';
import { endpoint, GROUP } from '../endpoint.ts';
import { Grant, KeyBundle, StoredDocument, User } from '../entities.ts';
import { base64, base64OrNone, boolean, choice, id, integer, list, optional, optionalScalar, text } from '../inputs.ts';
import { NewKeyBundle } from '../users/users.ts';
import { DOCUMENT_NAMES, MAX_DOCUMENT_VERSION } from '../../domain/keyring/document-names.ts';
import { LIMITS } from '../../domain/limits.ts';
import { ROLES } from '../../domain/policy.ts';
import { KEY_WAYS } from '../../domain/trust/trust-record.ts';

const MAX_SLOT_VERSION = 999_999_999;

const SLOT_TYPES = ['password', 'recovery'] as const;
export type SlotType = (typeof SLOT_TYPES)[number];

const sentSlot = z.object({
  slot_id: id(),
  kdf: text({ max: 16 }),
  salt_base64: base64OrNone(),
  blob_base64: base64(),
});

export const replaceSlot = endpoint({
  method: 'PUT',
  path: '/identity/api/keyBundle/slots/:slotType',
  summary:
    'Replaces one slot of the caller’s keys; `If-Match` names the version it replaces, 0 for none. If the recovery key opened the keys, `recovery` also replaces or removes the recovery slot of that version',
  access: 'signed-in',
  textParams: ['slotType'],
  proof: true,
  body: {
    schema: z.object({
      slot: sentSlot,
      /** How the keys were opened, if not by the master password. Only for the password slot, with `recovery`. */
      by: optionalScalar(choice(['recovery'])),
      /** The recovery slot to change in the same transaction; `slot` null removes it. */
      recovery: optional(z.object({ version: integer(1, MAX_SLOT_VERSION), slot: z.nullable(sentSlot) })),
    }),
  },
  answer: { status: 200, schema: KeyBundle },
});

export const removeSlot = endpoint({
  method: 'DELETE',
  path: '/identity/api/keyBundle/slots/:slotType',
  summary: 'Removes the recovery slot; `If-Match` names its version. Refused if the site requires a recovery kit',
  access: 'signed-in',
  worksOnFullDisk: true,
  fresh: true,
  textParams: ['slotType'],
  proof: true,
  answer: { status: 204 },
});

/** The handler checks passwords with the texts of sign-up, so they are optional here. */
export const changeMasterPassword = endpoint({
  method: 'POST',
  path: '/identity/api/masterPassword',
  summary: 'Changes the master password on the server; a client with keys of its own replaces its slot instead',
  access: 'signed-in',
  fresh: 'without-keys',
  body: {
    plain: z.object({
      master_password: optional(z.unknown()),
      new_master_password: optional(z.unknown()),
      new_master_password_confirmation: optional(z.unknown()),
      rotate_keys: optionalScalar(boolean()),
    }),
    sealed: z.object({}),
    marker: 'key_bundle',
  },
  answer: { status: 200, schema: User },
});

export const optOutOfServerCrypto = endpoint({
  method: 'PUT',
  path: '/identity/api/serverCryptoOptOut',
  summary: 'Whether the server refuses one’s own master password',
  access: 'signed-in',
  worksOnFullDisk: true,
  body: { schema: z.object({ status: boolean() }) },
  answer: { status: 200, schema: z.object({ status: z.boolean() }) },
});

export const writeDocument = endpoint({
  method: 'PUT',
  path: '/identity/api/keyBundle/documents/:name',
  summary: 'Writes a sealed document of the caller; `If-Match` names the version it replaces, 0 for none',
  access: 'signed-in',
  textParams: ['name'],
  proof: true,
  jsonLimit: LIMITS.trustJsonBytes,
  body: {
    schema: z.object({
      /** Default: the replaced version + 1. */
      version: optionalScalar(integer(1, MAX_DOCUMENT_VERSION)),
      blob_base64: base64(),
    }),
  },
  answer: { status: 200, schema: z.object({ name: z.string(), version: z.number() }) },
});

export const readDocument = endpoint({
  method: 'GET',
  path: '/identity/api/keyBundle/documents/:name',
  summary: 'A sealed document of the caller. Its version is the ETag; `If-None-Match` with it returns 304',
  access: 'signed-in',
  textParams: ['name'],
  conditional: true,
  answer: { status: 200, schema: StoredDocument },
});

export const grants = endpoint({
  method: 'GET',
  path: '/identity/api/keyBundle/grants',
  summary: 'Every grant of the caller, also of groups in the trash: what has to be wrapped for new keys',
  access: 'signed-in',
  answer: { status: 200, schema: z.object({ grants: z.array(Grant) }) },
});

export const onlyMine = endpoint({
  method: 'GET',
  path: '/identity/api/keyBundle/onlyMine',
  summary: 'The groups that have the caller as their only member: they are lost with the caller’s keys',
  access: 'signed-in',
  answer: {
    status: 200,
    schema: z.object({ groups: z.array(z.object({ entry_group_id: z.string(), name: z.string() })) }),
  },
});

export const rekey = endpoint({
  method: 'PUT',
  path: '/identity/api/keyBundle',
  summary:
    'New keys in the place of the present ones (`If-Match` names their version), or the first keys of an account without any (0)',
  access: 'signed-in',
  proof: true,
  fresh: 'without-keys',
  jsonLimit: LIMITS.keyBundleBytes,
  body: {
    schema: z.object({
      key_bundle: NewKeyBundle,
      /** Every stored document, and always `trust`; `version` is the replaced one (0: none). */
      documents: optional(
        list(
          z.object({
            name: choice(DOCUMENT_NAMES),
            version: optionalScalar(integer(0, MAX_DOCUMENT_VERSION)),
            blob_base64: base64(),
          }),
          0,
          DOCUMENT_NAMES.length,
        ),
      ),
      grants: optional(
        list(
          z.object({
            entry_group_id: id(),
            gk_version: integer(1, 1_000_000_000),
            role: choice(ROLES),
            recipient_fpr: text({ max: 64 }),
            encrypted_aes_password: base64(),
          }),
          0,
          LIMITS.ownGrants,
        ),
      ),
    }),
  },
  answer: { status: 200, schema: KeyBundle },
});

const master_password = optional(z.unknown());
const hash = text({ max: 64 });

export const trustKey = endpoint({
  method: 'POST',
  path: '/identity/api/trustedKeys',
  summary: 'Confirms the key of a person in the caller’s trust record; it takes the place of any other',
  access: 'signed-in',
  body: {
    schema: z.object({
      master_password,
      user_id: id(),
      fpr: hash,
      /** With its owner; default: trusted for now. */
      compared: optionalScalar(boolean()),
    }),
  },
  answer: { status: 200, schema: z.object({ user_id: z.string(), fpr: z.string(), how: z.enum(KEY_WAYS) }) },
});

export const trustGroup = endpoint({
  method: 'POST',
  path: `${GROUP}/trust`,
  summary: 'Goes on from the newest list of members, which the caller’s trust record does not accept by itself',
  access: 'group.rotate',
  body: {
    schema: z.object({
      master_password,
      /** SHA-256 of the newest list, hex. */
      roster_hash: hash,
    }),
  },
  answer: { status: 200, schema: z.object({ seq: z.number(), hash: z.string() }) },
});
