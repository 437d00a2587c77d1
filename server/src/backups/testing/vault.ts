/** A site with people, files, and sealed values of several revisions. */
import { v7 } from 'uuid';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as templates from '@passwordbroker/core/contract/groups/templates';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { openField } from '@passwordbroker/core/domain/fields/field';
import { sealWaiting } from '../../audit/chain/sealer.ts';
import { Lease } from '../../platform/leases/lease.ts';
import { nextRevision } from '../../testing/next-revision.ts';
import { createEntryIn, createSealedPlace, sealedField, sealedFileField } from '../../testing/sealed-place.ts';
import type { SealedPlace } from '../../testing/sealed-place.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';

export interface Vault {
  readonly ada: SignedIn;
  readonly place: SealedPlace;
  readonly fieldId: string;
  readonly fileId: string;
  /** The file's sealed body. */
  readonly body: Buffer;
}

export const CANARY = 'canary-of-a-secret-value';

/** Ada is the site admin; her password field has two revisions, her file has some hundred kilobytes. */
export async function fillVault(app: TestApp, people: readonly string[] = ['ada']): Promise<Vault> {
  const [first = 'ada', ...others] = people;
  const ada = await app.signUp(first);
  for (const name of others) await app.signUp(name);
  const place = await createSealedPlace(ada, { name: 'Servers', entry: 'PostgreSQL primary' });
  const kind = { name: 'Switch', fields: [{ type: 'password' as const, title: 'Enable' }] };
  await ada.call(templates.save, { params: { g: place.g, t: v7() }, body: kind });
  for (const title of ['Mail', 'Router']) await createEntryIn(ada, place.g, title);
  const { field_id: fieldId } = await ada.call(fields.create, { params: place, body: await sealedField(place) });
  const content = { type: 'password' as const, title: 'Root', login: 'root', value: utf8(CANARY) };
  const params = { ...place, f: fieldId };
  await ada.call(fields.update, { params, body: await nextRevision(place, { fieldId, baseRev: 1 }, content) });
  const { fileId, body } = await putFile(ada, place, Buffer.alloc(300_000, 'contents of a file '));
  return { ada, place, fieldId, fileId, body };
}

/** Links every row of the audit log into the chain, as the sealer does within a second. */
export async function sealAll({ deps }: TestApp): Promise<void> {
  const lease = new Lease(deps.db, 'audit-sealer');
  await lease.hold();
  await sealWaiting(deps, lease);
  await lease.release();
}

/** A file field as the client creates it. */
async function putFile(person: SignedIn, place: SealedPlace, bytes: Uint8Array) {
  const { members, body } = await sealedFileField(place, new Uint8Array(bytes));
  const multipart = new FormData();
  for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
  multipart.append('file', new Blob([body]), 'sealed');
  const { field_id: fileId } = await person.call(fields.create, { params: place, multipart });
  return { fileId, body: Buffer.from(body) };
}

/** The present value of the password field, opened with the person's group key. */
export async function secretOf({ place, fieldId }: Vault, person: SignedIn): Promise<string> {
  const envelope = await person.call(fields.envelope, { params: { ...place, f: fieldId } });
  const at = { entryGroupId: place.g, entryId: place.e, fieldId, type: envelope.type, rev: envelope.rev };
  const opened = await openField(place.groupKey, at, envelope);
  return opened.type === 'file' ? '' : Buffer.from(opened.value).toString();
}
