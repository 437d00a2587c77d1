/** One's own keys (`api.md` §3.4): the slot of the master password, and sealed documents. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { KeyBundle, User } from './entities.ts';
import { base64, boolean, id, optional, optionalScalar, text } from './inputs.ts';
import { LIMITS } from '../domain/limits.ts';

const SLOT_TYPES = ['password', 'recovery'] as const;
export type SlotType = (typeof SLOT_TYPES)[number];

export const replaceSlot = endpoint({
  method: 'PUT',
  path: '/identity/api/keyBundle/slots/:slotType',
  summary: 'Replaces one slot of the caller’s keys; `If-Match` names the version it replaces, 0 for none',
  access: 'signed-in',
  textParams: ['slotType'],
  proof: true,
  body: {
    schema: z.object({
      slot: z.object({ slot_id: id(), kdf: text({ max: 16 }), salt_base64: base64(), blob_base64: base64() }),
    }),
  },
  answer: { status: 200, schema: KeyBundle },
});

/** Password members are judged with the texts of sign-up, so absence is no shape error. */
export const changeMasterPassword = endpoint({
  method: 'POST',
  path: '/identity/api/masterPassword',
  summary: 'Changes the master password on the server; a client with keys of its own replaces its slot instead',
  access: 'signed-in',
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
  body: { schema: z.object({ status: boolean() }) },
  answer: { status: 200, schema: z.object({ status: z.boolean() }) },
});

/** Documents of the owner that only his own clients read: whom he trusts, and how he likes things. */
export const DOCUMENT_NAMES = ['pins', 'settings'] as const;

export const writeDocument = endpoint({
  method: 'PUT',
  path: '/identity/api/keyBundle/documents/:name',
  summary: 'Writes a sealed document of the caller; `If-Match` names the version it replaces, 0 for none',
  access: 'signed-in',
  textParams: ['name'],
  proof: true,
  jsonLimit: LIMITS.documentJsonBytes,
  body: { schema: z.object({ blob_base64: base64() }) },
  answer: { status: 200, schema: z.object({ name: z.string(), version: z.number() }) },
});
