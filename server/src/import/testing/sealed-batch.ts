/** A batch as a client seals it, small enough to change by hand in a test. */
import { v7 } from 'uuid';
import type { ImportBatch } from '@passwordbroker/core/contract/entries/import';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { sealField, sealFile } from '@passwordbroker/core/domain/fields/field';
import { createGroupKeys } from '@passwordbroker/core/domain/groups/group-keys';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';

export interface TestBatch {
  readonly batch: ImportBatch;
  /** Sealed file bodies by the name of their part. */
  readonly bodies: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
}

/**
 * A root with one child group and one entry in each: a password with two revisions in the first, a
 * file in the second.
 */
export async function sealedBatch(
  keyring: Keyring,
  now: number,
  name = 'Imported',
  fileBytes?: number,
): Promise<TestBatch> {
  const members = [{ identity: keyring.identity, role: 'admin' as const }];
  const [root, child, entry, deepEntry, password, file] = [v7(), v7(), v7(), v7(), v7(), v7()];
  const rootKey = await createGroupKeys(keyring, { groupId: root, members, now });
  const childKey = await createGroupKeys(keyring, { groupId: child, members, now });
  const revision = (rev: number, text: string) =>
    sealField(
      rootKey.groupKey,
      { entryGroupId: root, entryId: entry, fieldId: password, type: 'password', rev },
      { type: 'password', title: 'Password', login: 'ada', value: utf8(text) },
    );
  const bytes = fileBytes === undefined ? utf8('plain file text') : new Uint8Array(fileBytes);
  const { body, secret } = await sealFile(file, { name: 'a.txt', mime: 'text/plain', bytes });
  const sealedFile = await sealField(
    childKey.groupKey,
    { entryGroupId: child, entryId: deepEntry, fieldId: file, type: 'file', rev: 1 },
    { type: 'file', title: 'Attachment', file: secret },
  );
  const batch: ImportBatch = {
    name,
    groups: [
      { entry_group_id: root, name, ...wire(rootKey) },
      { entry_group_id: child, parent_entry_group_id: root, name: 'Child', ...wire(childKey) },
    ],
    entries: [
      { entry_id: entry, entry_group_id: root, title: 'Mail', created_at: '2024-02-01T08:00:00Z' },
      { entry_id: deepEntry, entry_group_id: child, title: 'Contract' },
    ],
    fields: [
      {
        field_id: password,
        entry_id: entry,
        type: 'password',
        title: 'Password',
        login: 'ada',
        revisions: [
          { ...(await revision(1, 'old secret')), created_at: '2024-02-01T08:00:00Z' },
          { ...(await revision(2, 'new secret')), created_at: '2024-03-01T08:00:00Z' },
        ],
      },
      {
        field_id: file,
        entry_id: deepEntry,
        type: 'file',
        title: 'Attachment',
        file_name: 'a.txt',
        file_mime: 'text/plain',
        file_size: secret.size,
        revisions: [sealedFile],
      },
    ],
    skipped: [],
  };
  return { batch, bodies: { [`file_${file}_1`]: body } };
}

const FIELDS_IN_ENTRY = 250;

/**
 * `count` copies of the first field, in new entries of the root. The server checks only the form of
 * sealed values.
 */
export function manyFields(
  { groups, fields: [first] }: ImportBatch,
  count: number,
): Pick<ImportBatch, 'entries' | 'fields'> {
  const [root] = groups;
  if (root === undefined || first === undefined) throw new Error('The batch needs a group and a field');
  const entries = Array.from({ length: Math.ceil(count / FIELDS_IN_ENTRY) }, (_, at) => ({
    entry_id: v7(),
    entry_group_id: root.entry_group_id,
    title: `Many ${at}`,
  }));
  const fields = Array.from({ length: count }, (_, at) => ({
    ...first,
    field_id: v7(),
    entry_id: entries[Math.floor(at / FIELDS_IN_ENTRY)]?.entry_id ?? '',
  }));
  return { entries, fields };
}

const wire = ({ wire: key }: Awaited<ReturnType<typeof createGroupKeys>>) => ({ ...key, grants: [...key.grants] });

/** The request body of `POST import` in the sealed form. */
export function batchForm({ batch, bodies }: TestBatch): FormData {
  const form = new FormData();
  form.append('batch', new Blob([JSON.stringify(batch)], { type: 'application/json' }), 'batch.json');
  for (const [part, bytes] of Object.entries(bodies)) form.append(part, new Blob([bytes]), part);
  return form;
}
