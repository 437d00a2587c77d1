/**
 * Creates groups through the API, but inserts entries and fields directly, because these operations
 * never read values.
 */
import type { KyselyPlugin } from 'kysely';
import { v7 } from 'uuid';
import { create } from '@passwordbroker/core/contract/groups/entry-groups';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Database } from '../../db/database.ts';
import { indexEntries } from '../../db/text-search/search-index.ts';
import type { Deps } from '../../http/context.ts';
import type { SignedIn } from '../../testing/test-app.ts';
import { putIntoTrash } from '../journal.ts';

/** A group with the person as its admin. */
export async function makeGroup(person: SignedIn, name: string, parentId: string | null = null): Promise<string> {
  const { entryGroup } = await person.call(create, { body: { name, parent_entry_group_id: parentId } });
  return entryGroup.entry_group_id;
}

export async function giveRole({ db, clock }: Deps, groupId: string, userId: string, role: Role): Promise<void> {
  const now = clock.now();
  await db.transact(async (tx) => {
    await tx.deleteFrom('group_members').where('entry_group_id', '=', groupId).where('user_id', '=', userId).execute();
    const member = { id: v7(), entry_group_id: groupId, user_id: userId, role, created_at: now, updated_at: now };
    await tx.insertInto('group_members').values(member).execute();
  });
}

export async function putEntry(deps: Deps, groupId: string, title: string): Promise<string> {
  const now = deps.clock.now();
  const entryId = deps.newId();
  const row = { entry_id: entryId, entry_group_id: groupId, title, created_by: null, trashed_by: null };
  await deps.db.transact(async (tx) => {
    await tx
      .insertInto('entries')
      .values({ ...row, created_at: now, updated_at: now })
      .execute();
    await indexEntries(tx, [entryId]);
  });
  return entryId;
}

/** Inserts a field with one revision. @param body name of its sealed file */
export async function putField(deps: Deps, entryId: string, title: string, body: string | null = null) {
  const now = deps.clock.now();
  const fieldId = deps.newId();
  const columns = {
    title,
    login: 'login',
    totp_hash_algorithm: null,
    totp_timeout: null,
    file_name: null,
    file_mime: null,
    file_size: null,
  };
  const common = { field_id: fieldId, rev: 1, ...columns, created_by: null, created_at: now };
  const type = body === null ? ('password' as const) : ('file' as const);
  await deps.db.transact(async (tx) => {
    await tx
      .insertInto('fields')
      .values({ ...common, entry_id: entryId, type, updated_by: null, updated_at: now, trashed_by: null })
      .execute();
    const sealed = { cek_wrapped: Buffer.alloc(116), value: Buffer.alloc(212), author_sig: null };
    const file = { body_sha256: body, body_size: body === null ? null : 1 };
    await tx
      .insertInto('field_revisions')
      .values({ ...common, ...sealed, ...file, crypto_profile: 'pb1', gk_version: 1 })
      .execute();
    const history = { field_edit_log_id: deps.newId(), field_id: fieldId, rev: 1, user_id: null, created_at: now };
    await tx
      .insertInto('field_history')
      .values({ ...history, event_type: 'created' })
      .execute();
    await indexEntries(tx, [entryId]);
  });
  return fieldId;
}

/**
 * All stored rows except sessions, attempts and refusals, to show that a refused call changes
 * nothing.
 */
export async function everything({ db }: Deps): Promise<string> {
  const tables = [
    'users',
    'user_key_slots',
    'user_passkeys',
    'user_prf_slots',
    'entry_groups',
    'group_members',
    'group_templates',
    'entries',
    'entry_tags',
    'fields',
    'field_revisions',
    'field_history',
    'operations',
    'entry_search',
  ] as const;
  const kept = await Promise.all(
    tables.map(async (table) => inOrder(await db.read.selectFrom(table).selectAll().execute())),
  );
  const audit = await db.read.selectFrom('audit_log').selectAll().where('event_type', '!=', 'access_refused').execute();
  return JSON.stringify([kept, inOrder(audit)]);
}

/** How many statements `work` needs, prepared ones excepted. */
export async function countStatements(deps: Deps, work: (deps: Deps) => Promise<unknown>): Promise<number> {
  let statements = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { db } = deps;
  const read = db.read.withPlugin(plugin);
  const transact: Database['transact'] = (run) => db.transact((tx) => run(tx.withPlugin(plugin)));
  await work({ ...deps, db: Object.create(db, { read: { value: read }, transact: { value: transact } }) as Database });
  return statements;
}

/** Sorts rows of a query without order, because engines differ. */
export const inOrder = <Row>(rows: readonly Row[]): Row[] =>
  rows
    .map((row) => ({ row, text: JSON.stringify(row) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row);

/** Audit events of one kind and target, newest last. */
export async function auditOf({ db }: Deps, event: string, targetId: string) {
  return db.read
    .selectFrom('audit_log')
    .selectAll()
    .where('event_type', '=', event)
    .where('target_id', '=', targetId)
    .orderBy('audit_id')
    .execute();
}

/** Deletes entries of a group, or one field, as one operation of this person. */
export async function trash(
  deps: Deps,
  person: Pick<SignedIn, 'userId' | 'email'>,
  chosen: {
    readonly groupId: string;
    readonly entries?: readonly string[];
    readonly field?: string;
    readonly title?: string;
  },
): Promise<string> {
  const { groupId, entries = [], field, title = 'Trashed' } = chosen;
  const target =
    field === undefined ? { kind: 'entry' as const, id: entries[0] ?? '' } : { kind: 'field' as const, id: field };
  const done = await deps.db.transact(async (tx) => {
    const operation = await putIntoTrash(tx, deps, {
      actor: person,
      target: { ...target, title, groupId },
      chosen: { entries, fields: field === undefined ? [] : [field] },
      trashDays: 30,
    });
    if (field !== undefined) {
      const row = await tx
        .selectFrom('fields')
        .select('entry_id')
        .where('field_id', '=', field)
        .executeTakeFirstOrThrow();
      await indexEntries(tx, [row.entry_id]);
    }
    return operation;
  });
  return done.operation_id;
}
