/** Undoes value changes of an import: stores each former value, sealed again by the client, as a new revision. */
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { undo } from '@passwordbroker/core/contract/entries/operations';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import type { Transact } from '../../db/database.ts';
import { portions } from '../../db/portions.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { indexEntries } from '../../db/text-search/search-index.ts';
import { touchEntries } from '../../entries/entry-repository.ts';
import { checkSealed } from '../../fields/sealed-revision.ts';
import { addedBytes, demandQuota } from '../../fields/storage.ts';
import type { Actor, Deps } from '../../http/context.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import { listRevised, setNextRevisionsOf } from './imported-repository.ts';

type Body = BodyOf<typeof undo>;
type Update = NonNullable<Body['updates']>[number];
type Revised = Awaited<ReturnType<typeof listRevised>>[number];

interface Restoring {
  readonly actor: Pick<Actor, 'userId'>;
  /** The import. */
  readonly operationId: string;
  readonly updates: Body['updates'];
  readonly leave: Body['leave'];
}

/**
 * Every revised field is in `updates` or in `leave`. Columns and files come from the revision before the import.
 * @returns how many
 * @throws AppError `conflict` with `details.fields`, `key_version_conflict`, `bad_sealed_value`, `validation`,
 * `quota_exceeded`
 */
export async function restoreValues(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  { actor, operationId, updates = [], leave = [] }: Restoring,
): Promise<number> {
  const revised = new Map((await listRevised(tx, operationId, actor.userId)).map((row) => [row.field_id, row]));
  const given = new Map(updates.map((update) => [update.field_id, update]));
  requireAll(revised, given, new Set(leave));
  const made = [...given.values()].map((update, at) => sealedOf(revised, update, at));
  await demandQuota(
    tx,
    actor.userId,
    made.reduce((sum, { sealed }) => sum + addedBytes(sealed.value, null), 0),
  );
  const by = { userId: actor.userId, now: deps.clock.now() };
  const entries = new Set<string>();
  for (const portion of portions(made)) {
    await insertFormer(tx, deps, portion, by);
    for (const { row } of portion) if (row.entry_id !== null) entries.add(row.entry_id);
  }
  await touchEntries(tx, [...entries], by.now);
  await indexEntries(tx, [...entries]);
  return made.length;
}

const isUnchanged = ({ rev, made, role, entry_group_id }: Revised) =>
  rev === made && entry_group_id !== null && can(role, 'field.write');

function requireAll(
  revised: ReadonlyMap<string, Revised>,
  given: ReadonlyMap<string, Update>,
  leave: ReadonlySet<string>,
): void {
  const rows = [...revised.values()];
  const changed = rows.filter((row) => !isUnchanged(row) && !leave.has(row.field_id));
  const missing = rows.some(({ field_id }) => !given.has(field_id) && !leave.has(field_id));
  if (changed.length === 0 && !missing) return;
  throw new AppError('conflict', {
    message: changed.length > 0 ? SERVER_TEXTS.valuesChanged(changed.length) : SERVER_TEXTS.formerValuesMissing,
    details: {
      fields: rows.map((row) => {
        const isSeen = can(row.role, 'group.read');
        return {
          entry_group_id: isSeen ? row.entry_group_id : null,
          entry_id: isSeen ? row.entry_id : null,
          field_id: row.field_id,
          type: isSeen ? row.type : null,
          base_rev: row.made,
          is_changed: !isUnchanged(row),
        };
      }),
    },
  });
}

function sealedOf(revised: ReadonlyMap<string, Revised>, { field_id, base_rev, revision }: Update, at: number) {
  const row = revised.get(field_id);
  if (row === undefined || base_rev !== row.made) throw refuse(`updates.${at}.field_id`, TEXTS.unknown('field id'));
  if (row.type === null || !isUnchanged(row))
    throw new AppError('conflict', { message: SERVER_TEXTS.valuesChanged(1) });
  const next = base_rev + 1;
  if (revision.rev !== next) throw refuse(`updates.${at}.revision.rev`, TEXTS.between(next, next)('rev'));
  if (revision.gk_version !== row.gk_version) {
    const { entry_group_id, gk_version: current_gk_version } = row;
    throw new AppError('key_version_conflict', { details: { entry_group_id, current_gk_version } });
  }
  return { row, revision, sealed: checkSealed(row.type, revision) };
}

type Made = ReturnType<typeof sealedOf>;

interface By {
  readonly userId: string;
  readonly now: number;
}

async function insertFormer(tx: Transact, ids: Pick<Deps, 'newId'>, made: readonly Made[], by: By): Promise<void> {
  const { userId, now } = by;
  const formers = await tx
    .selectFrom('field_revisions')
    .selectAll()
    .where((eb) =>
      eb.or(made.map(({ row }) => eb.and([eb('field_id', '=', row.field_id), eb('rev', '=', row.made - 1)]))),
    )
    .execute();
  const before = new Map(formers.map((former) => [former.field_id, former]));
  const rows = made.map(({ row, revision, sealed }): Tables['field_revisions'] => {
    const former = before.get(row.field_id);
    if (former === undefined) throw new AppError('integrity_error');
    return {
      ...former,
      rev: revision.rev,
      gk_version: revision.gk_version,
      cek_wrapped: sealed.cek,
      value: sealed.value,
      site: sealed.site,
      author_sig: null,
      created_by: userId,
      created_at: now,
    };
  });
  await tx.insertInto('field_revisions').values(rows).execute();
  await tx
    .insertInto('field_history')
    .values(
      rows.map(({ field_id, rev }) => ({
        field_edit_log_id: ids.newId(),
        field_id,
        event_type: 'updated' as const,
        rev,
        user_id: userId,
        created_at: now,
      })),
    )
    .execute();
  const fieldIds = rows.map(({ field_id }) => field_id);
  await setNextRevisionsOf(tx, fieldIds, { userId, now });
}
