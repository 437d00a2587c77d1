/**
 * A tree with any number of groups, sealed in the test process, so that the server derives no key from a
 * master password.
 */
import { join } from 'node:path';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { sealField } from '@passwordbroker/core/domain/fields/field';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { openWriter } from '../../../server/src/db/sqlite/connections.ts';
import { sealedGroup } from '../../../server/src/testing/sealed-place.ts';
import type { Person } from '../people/people.ts';
import type { Screen } from './screen.ts';

const API = '/passwordBroker/api';
const AT_ONCE = 8;

export interface SealedGroup {
  readonly id: string;
  readonly groupKey: GroupKey;
}

export async function addSealedGroup(
  screen: Screen,
  maker: Person,
  name: string,
  parent?: string,
): Promise<SealedGroup> {
  const { body, groupKey } = await sealedGroup(maker, { name, ...(parent === undefined ? {} : { parent }) });
  await screen.call('POST', `${API}/entryGroups`, body);
  return { id: body.entry_group_id, groupKey };
}

/** One root with `count` − 1 groups below it, in two levels. */
export async function addSealedTree(
  screen: Screen,
  maker: Person,
  name: string,
  count: number,
): Promise<SealedGroup[]> {
  const root = await addSealedGroup(screen, maker, name);
  const groups = [root];
  const names = Array.from({ length: count - 1 }, (_, at) => `Group ${at + 1}`);
  await inPortions(names, async (one, at) => {
    const parent = at % 10 === 0 ? root.id : (groups[1 + (at % 5)]?.id ?? root.id);
    groups.push(await addSealedGroup(screen, maker, one, parent));
  });
  return groups;
}

/** Adds an entry with a password field for each title; each value is its title reversed. @returns ids */
export async function addSealedEntry(
  screen: Screen,
  { id: g, groupKey }: SealedGroup,
  { title, fields }: { readonly title: string; readonly fields: readonly string[] },
): Promise<{ readonly entryId: string; readonly fieldIds: readonly string[] }> {
  const path = `${API}/entryGroups/${g}/entries`;
  const { entry_id: entryId } = await screen.call<{ entry_id: string }>('POST', path, { title });
  const fieldIds = fields.map(() => crypto.randomUUID());
  await inPortions(fields, async (one, at) => {
    const fieldId = fieldIds[at] ?? '';
    const place = { entryGroupId: g, entryId, fieldId, type: 'password', rev: 1 } as const;
    const value = utf8([...one].toReversed().join(''));
    const sealed = await sealField(groupKey, place, { type: 'password', title: one, login: 'root', value });
    const plain = { field_id: fieldId, type: 'password', title: one, login: 'root' };
    await screen.call('POST', `${path}/${entryId}/fields`, { ...plain, ...sealed });
  });
  return { entryId, fieldIds };
}

/** Adds revisions of a field up to `last` in the database; each value is 'value <rev>'. */
export async function addRevisions(
  dataDir: string,
  { id, groupKey }: SealedGroup,
  { entryId, fieldId, last }: { readonly entryId: string; readonly fieldId: string; readonly last: number },
): Promise<void> {
  const { queries } = openWriter(join(dataDir, 'passwordbroker.sqlite'));
  try {
    const where = ['field_id', '=', fieldId] as const;
    const first = await queries
      .selectFrom('field_revisions')
      .selectAll()
      .where(...where)
      .executeTakeFirstOrThrow();
    const revisions = await Promise.all(
      Array.from({ length: last - 1 }, async (_, at) => {
        const rev = at + 2;
        const place = { entryGroupId: id, entryId, fieldId, type: 'password', rev } as const;
        const content = { type: 'password', title: first.title, login: 'root', value: utf8(`value ${rev}`) } as const;
        const sealed = await sealField(groupKey, place, content);
        const value = Buffer.from(sealed.value_encrypted, 'base64');
        return { ...first, rev, value, cek_wrapped: Buffer.from(sealed.cek_wrapped, 'base64') };
      }),
    );
    await queries.transaction().execute(async (tx) => {
      for (const revision of revisions) await tx.insertInto('field_revisions').values(revision).execute();
      await tx
        .updateTable('fields')
        .set({ rev: last })
        .where(...where)
        .execute();
    });
  } finally {
    await queries.destroy();
  }
}

async function inPortions<T>(all: readonly T[], act: (one: T, at: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE)
    await Promise.all(all.slice(from, from + AT_ONCE).map((one, index) => act(one, from + index)));
}
