/** Accounts of programs (docs/adr/0040-service-accounts.md). */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { UserBrief, pageOf } from '../entities.ts';
import { pageQuery } from '../entries/entries.ts';
import { base64, boolean, id, integer, list, nested, optional, optionalScalar, text } from '../inputs.ts';
import { SIGN_UP_TEXTS, NewKeyBundle } from './users.ts';
import { LIMITS, SERVICE_LIMITS } from '../../domain/limits.ts';

const time = z.string();

export const ServiceCredential = z.object({
  /** Of the slot that the credential opens; also the public id of its token. */
  slot_id: z.string(),
  created_at: time,
  expires_at: time,
  last_used_at: z.nullable(time),
  last_address: z.nullable(z.string()),
});

export const ServiceAccount = z.object({
  user_id: z.string(),
  name: z.string(),
  description: z.string(),
  owner: z.nullable(UserBrief),
  /** The name of the owner who left. Null while there is an owner. */
  former_owner: z.nullable(z.string()),
  fpr: z.nullable(z.string()),
  /** Of the present keys; new ones have the next version. */
  keyset_version: z.number(),
  /** Outside the trash. */
  groups: z.number(),
  /** Addresses and CIDR ranges; empty: all. */
  allowed_networks: z.array(z.string()),
  /** Neither ended nor expired, the newest first. */
  credentials: z.array(ServiceCredential),
  /** The owner left, and may still have a credential. */
  credential_due: z.boolean(),
  disabled: z.boolean(),
  created_at: time,
  updated_at: time,
});
export type ServiceAccount = z.output<typeof ServiceAccount>;

const ACCOUNTS = '/identity/api/serviceAccounts';
const ACCOUNT = '/identity/api/serviceAccount/:id';

const name = text({ trim: true, line: true, max: LIMITS.userName, missing: SIGN_UP_TEXTS.nameEmpty });
const description = text({ trim: true, allowEmpty: true, max: SERVICE_LIMITS.description });
const allowed_networks = list(text({ trim: true, max: 64 }), 0, SERVICE_LIMITS.networks);
const keyBundle = nested(z.omit(NewKeyBundle, { slots: true }));
const newCredential = {
  slot_id: id(),
  blob_base64: base64(),
  token_sha256_base64: base64(),
  /** Default: 90. */
  expires_in_days: optionalScalar(integer(1, SERVICE_LIMITS.days)),
};
const credential = nested(z.object(newCredential));

export const createService = endpoint({
  method: 'POST',
  path: ACCOUNTS,
  summary: 'Creates a service account with its keys and its first credential. The caller becomes the owner',
  access: 'signed-in',
  proof: true,
  body: {
    schema: z.object({
      user_id: id(),
      name,
      description: optional(description),
      allowed_networks: optional(allowed_networks),
      key_bundle: keyBundle,
      credential,
    }),
  },
  answer: { status: 201, schema: ServiceAccount },
});

export const serviceAccounts = endpoint({
  method: 'GET',
  path: ACCOUNTS,
  summary: 'One’s own service accounts by name; site admins get all of them',
  access: 'signed-in',
  query: z.object({ ...pageQuery, q: optional(text({ trim: true, allowEmpty: true, max: LIMITS.searchQuery })) }),
  answer: { status: 200, schema: pageOf(ServiceAccount) },
});

export const serviceAccount = endpoint({
  method: 'GET',
  path: ACCOUNT,
  summary: 'One service account, for its owner and site admins',
  access: 'signed-in',
  answer: { status: 200, schema: ServiceAccount },
});

export const updateService = endpoint({
  method: 'PUT',
  path: ACCOUNT,
  summary: 'Changes some members of a service account; only a site admin gives it another owner',
  access: 'signed-in',
  worksOnFullDisk: true,
  body: {
    schema: z.object({
      name: optional(name),
      description: optional(description),
      allowed_networks: optional(allowed_networks),
      disabled: optionalScalar(boolean()),
      owner_id: optionalScalar(id()),
    }),
  },
  answer: { status: 200, schema: ServiceAccount },
});

export const removeService = endpoint({
  method: 'DELETE',
  path: ACCOUNT,
  summary: 'Deletes a service account; its groups become due for new keys',
  access: 'signed-in',
  worksOnFullDisk: true,
  answer: { status: 204 },
});

export const addServiceCredential = endpoint({
  method: 'POST',
  path: `${ACCOUNT}/credentials`,
  summary: 'The service account itself adds a credential; its other one ends at once, or after some hours',
  access: 'signed-in',
  service: true,
  scope: 'read',
  proof: true,
  body: {
    schema: z.object({
      ...newCredential,
      end_others_in_hours: optionalScalar(integer(0, SERVICE_LIMITS.overlapHours)),
    }),
  },
  answer: { status: 201, schema: ServiceAccount },
});

export const endServiceCredential = endpoint({
  method: 'DELETE',
  path: `${ACCOUNT}/credentials/:slotId`,
  summary: 'Ends a credential at once: for the owner, site admins, and the service account itself',
  access: 'signed-in',
  service: true,
  scope: 'read',
  worksOnFullDisk: true,
  answer: { status: 204 },
});

export const renewServiceKeys = endpoint({
  method: 'POST',
  path: `${ACCOUNT}/keys`,
  summary:
    'New keys and a new credential, after a loss: all former credentials and memberships end. The answer names the groups that the account was in',
  access: 'signed-in',
  fresh: true,
  body: { schema: z.object({ key_bundle: keyBundle, credential }) },
  answer: {
    status: 200,
    schema: z.object({
      account: ServiceAccount,
      groups: z.array(z.object({ entry_group_id: z.string(), name: z.string() })),
    }),
  },
});
