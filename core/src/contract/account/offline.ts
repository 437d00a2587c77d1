/** docs/spec/api.md §3.5, ADR 8. An application is one browser or device of one person. */
import * as z from 'zod/mini';
import { BASE, endpoint } from '../endpoint.ts';
import {
  Entry,
  EntryGroup,
  Envelope,
  FileField,
  Grant,
  GroupUser,
  LinkField,
  NoteField,
  PasswordField,
  Roster,
  TotpField,
  TreeNode,
} from '../entities.ts';
import { boolean, id, optional, optionalScalar, text } from '../inputs.ts';
import { LIMITS } from '../../domain/limits.ts';

const uuid = z.string();
const time = z.string();
/** Unix seconds. */
const timestamp = z.number();
const status = z.object({ status: z.boolean() });

export const UserApplication = z.object({
  user_application_id: uuid,
  user_id: uuid,
  client_id: uuid,
  is_offline_database_mode: z.boolean(),
  is_offline_database_required_update: z.boolean(),
  is_rsa_private_required_update: z.boolean(),
  offline_database_fetched_at: z.nullable(time),
  rsa_private_fetched_at: z.nullable(time),
  created_at: time,
  updated_at: time,
});
export type UserApplication = z.output<typeof UserApplication>;

const one = z.object({ userApplication: UserApplication });
const APPLICATION = '/identity/api/userApplication/:id' as const;
const asked = { method: 'GET', access: 'signed-in' } as const;
/** Default: the application that the token's name refers to. */
const user_application_id = optionalScalar(id());
/** An unknown cursor returns everything. */
const since = optional(text({ max: LIMITS.cursor, allowEmpty: true }));

export const openApplication = endpoint({
  method: 'POST',
  path: '/identity/api/userApplications',
  summary: 'The caller’s application with this client id, made if there is none (201) or fetched (200)',
  access: 'signed-in',
  body: { schema: z.object({ clientId: id() }) },
  answer: { status: 201, schema: one },
});

export const applications = endpoint({
  ...asked,
  path: '/identity/api/userApplications',
  summary: 'The applications of the caller',
  answer: { status: 200, schema: z.array(UserApplication) },
});

export const application = endpoint({
  ...asked,
  path: APPLICATION,
  summary: 'One application of the caller',
  answer: { status: 200, schema: one },
});

export const forgetApplication = endpoint({
  method: 'DELETE',
  path: APPLICATION,
  summary: 'Forgets an application of the caller; what it has downloaded stays on record',
  access: 'signed-in',
  worksOnFullDisk: true,
  answer: { status: 204 },
});

export const mode = endpoint({
  ...asked,
  path: `${APPLICATION}/offlineDatabaseMode`,
  summary: 'Whether the application keeps an offline copy',
  answer: { status: 200, schema: status },
});

export const setMode = endpoint({
  method: 'PUT',
  path: `${APPLICATION}/offlineDatabaseMode`,
  summary: 'Switches the offline copy of the application on or off; 403 for on while the site forbids it',
  access: 'signed-in',
  worksOnFullDisk: true,
  body: { schema: z.object({ status: boolean() }) },
  answer: { status: 200, schema: status },
});

/** For a client whose session has ended. */
export const standing = endpoint({
  method: 'GET',
  path: `${APPLICATION}/standing`,
  summary:
    'Whether the application keeps a copy that may stay: its account may sign in, and the site allows copies; its id is all that the caller knows',
  access: 'anyone',
  answer: { status: 200, schema: z.object({ standing: z.enum(['kept', 'gone']) }) },
});

export const isKeyStale = endpoint({
  ...asked,
  path: `${APPLICATION}/isRsaPrivateRequiredUpdate`,
  summary: 'Whether key and salt have changed since the application fetched the key',
  answer: { status: 200, schema: status },
});

export const isDatabaseStale = endpoint({
  ...asked,
  path: `${APPLICATION}/isOfflineDatabaseRequiredUpdate`,
  summary:
    'Whether anything that the caller can see has changed since the application fetched the database, or since that cursor; true while the site forbids copies. `files`: whether a copy may keep bodies of files',
  query: z.object({ since }),
  answer: {
    status: 200,
    /** Older servers omit `files`, which means allowed. */
    schema: z.object({ status: z.boolean(), files: z.optional(z.boolean()) }),
  },
});

export const privateRsa = endpoint({
  ...asked,
  path: '/identity/api/getPrivateRsa',
  summary:
    'The caller’s key bundle as base64 of its JSON, still under the master password; 409 `offline_mode_off` for an application that keeps no copy',
  query: z.object({ user_application_id }),
  answer: { status: 200, schema: z.object({ rsa_private_key_base64: z.string(), timestamp }) },
});

export const cbcSalt = endpoint({
  ...asked,
  path: '/identity/api/getCbcSalt',
  summary: 'Salt and profile of the caller’s password slot',
  answer: { status: 200, schema: z.object({ salt_base64: z.string(), kdf: z.string(), timestamp }) },
});

const sealed = {
  entry_group_id: uuid,
  cek_wrapped_base64: z.string(),
  encrypted_value_base64: z.string(),
  initialization_vector_base64: z.string(),
  file: Envelope.shape.file,
};
const OfflinePassword = z.extend(PasswordField, sealed);
const OfflineLink = z.extend(LinkField, { ...sealed, site_sealed_base64: Envelope.shape.site_sealed_base64 });
const OfflineNote = z.extend(NoteField, sealed);
const OfflineFile = z.extend(FileField, sealed);
const OfflineTotp = z.extend(TotpField, sealed);
export type OfflineField = z.output<
  typeof OfflinePassword | typeof OfflineLink | typeof OfflineNote | typeof OfflineFile | typeof OfflineTotp
>;

export const OfflineEntry = z.extend(Entry, {
  passwords: z.array(OfflinePassword),
  links: z.array(OfflineLink),
  notes: z.array(OfflineNote),
  files: z.array(OfflineFile),
  TOTPs: z.array(OfflineTotp),
});
export type OfflineEntry = z.output<typeof OfflineEntry>;

export const OfflineHead = z.extend(EntryGroup, {
  admins: z.array(GroupUser),
  /** Every version in use. */
  grants: z.array(Grant),
  /** Ascending, from the last roster of the oldest version in use. */
  rosters: z.array(Roster),
});
export type OfflineHead = z.output<typeof OfflineHead>;

export const OfflineGroup = z.extend(OfflineHead, { entries: z.array(OfflineEntry) });
export type OfflineGroup = z.output<typeof OfflineGroup>;

/** Without trash, history and file bodies. Unordered. */
export const OfflineData = z.object({ trees: z.array(TreeNode), groups: z.array(OfflineGroup) });
export type OfflineData = z.output<typeof OfflineData>;

export const GroupDelta = z.object({
  entry_group_id: uuid,
  head: z.nullable(OfflineHead),
  /** False: only new and changed entries. */
  is_whole: z.boolean(),
  entries: z.array(OfflineEntry),
});
export type GroupDelta = z.output<typeof GroupDelta>;

/** For `applyOfflineDelta`. Known changes may be repeated. */
export const OfflineDelta = z.object({
  trees: z.nullable(z.array(TreeNode)),
  groups: z.array(GroupDelta),
  gone_groups: z.array(uuid),
  gone_entries: z.array(z.object({ entry_group_id: uuid, entry_id: uuid })),
});
export type OfflineDelta = z.output<typeof OfflineDelta>;

export const OfflineAnswer = z.object({
  timestamp,
  cursor: z.string(),
  data: z.optional(OfflineData),
  delta: z.optional(OfflineDelta),
});
export type OfflineAnswer = z.output<typeof OfflineAnswer>;

/** Approximate, uncompressed; for progress only. */
export const EXPECTED_BYTES_HEADER = 'x-expected-bytes';

export const entryGroupsWithFields = endpoint({
  ...asked,
  path: `${BASE}/entryGroupsWithFields`,
  summary:
    'The offline copy: own groups with their entries, fields and envelopes; with `since` only what changed. 403 while the site forbids it, 409 `offline_mode_off` for an application that keeps no copy',
  scope: 'offline',
  query: z.object({ user_application_id, since }),
  answer: { status: 200, schema: OfflineAnswer, type: 'application/json' },
});
