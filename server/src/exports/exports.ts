/** Exports release many values, each with its history row (docs/spec/decisions.md K2). */
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Export, outline, release, ReleasedValue } from '@passwordbroker/core/contract/entries/exports';
import { AppError } from '@passwordbroker/core/contract/problem';
import { EXCHANGE_LIMITS } from '@passwordbroker/core/domain/exchange/exchange-error';
import { type ExportBy, isEncrypted } from '@passwordbroker/core/domain/exchange/export-formats';
import type { Role } from '@passwordbroker/core/domain/policy';
import { BY_ITSELF, recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import { asEntry } from '../entries/entry-repository.ts';
import { asEnvelope, RELEASED_BYTES } from '../fields/field-answers.ts';
import { viaOf } from '../fields/reveal.ts';
import type { Actor, Caller, Deps } from '../http/context.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import {
  deleteEndedExports,
  endExport,
  type ExportRow,
  findExportAndLock,
  findForgottenExport,
  updateExport,
} from './export-repository.ts';
import {
  insertHistoryRows,
  listExportedEntries,
  listExportedGroups,
  listNextSizes,
  listNextValues,
  listOutline,
  markReleased,
} from './values-repository.ts';

const HOUR = 60 * 60_000;
/** An open export expires so long after its last call. */
const EXPORT_LIVES_MS = HOUR;
const KEPT_MS = 24 * HOUR;
const OUTLINE_ROWS = 5000;

/** What one export may have, so that its file can be imported again. */
export const EXPORT_MOST = {
  /** One group more may be above them in the file. */
  groups: EXCHANGE_LIMITS.groups - 1,
  entries: EXCHANGE_LIMITS.entries,
  fields: EXCHANGE_LIMITS.fields,
  /** With former versions, if they are exported. */
  files: EXCHANGE_LIMITS.fileCount,
  /** Sealed. */
  fileBytes: EXCHANGE_LIMITS.files,
} as const;

export const EXPORT_TEXTS = {
  empty: 'Choose what to export.',
  tooManyGroups: `The scope has too many groups (at most ${EXPORT_MOST.groups.toLocaleString('en')}).`,
  tooManyEntries: `The scope has too many entries (at most ${EXPORT_MOST.entries.toLocaleString('en')}).`,
  tooManyFields: `The scope has too many fields (at most ${EXPORT_MOST.fields.toLocaleString('en')}).`,
  tooManyFiles: `One export has at most ${EXPORT_MOST.files} files, former versions included. Export fewer groups, or without files.`,
  filesTooLarge: `The files of one export are at most ${EXPORT_MOST.fileBytes / 1024 ** 2} MiB together. Export fewer groups, or without files.`,
  off: 'Exports are switched off on this site',
  plainOff: 'Unencrypted exports are switched off on this site',
  role: 'You may not export these groups',
  another: 'Another export of yours is under way',
  ended: 'This export has ended',
} as const;

const ROLES_OF: Readonly<Record<ExportBy, readonly Role[]>> = {
  nobody: [],
  admins: ['admin'],
  moderators: ['admin', 'moderator'],
  members: ['admin', 'moderator', 'member'],
};

/** @throws AppError `forbidden` while the site allows no exports, or none of this kind */
export async function rolesThatExport(
  tx: Transact,
  { config }: Deps,
  format: ExportRow['format'],
): Promise<readonly Role[]> {
  const { export_by, export_plain } = await readSiteSettings({ db: { read: tx }, config });
  const roles = ROLES_OF[export_by];
  if (roles.length === 0) throw new AppError('forbidden', { message: EXPORT_TEXTS.off });
  if (!export_plain && !isEncrypted(format)) throw new AppError('forbidden', { message: EXPORT_TEXTS.plainOff });
  return roles;
}

export interface Asking extends Pick<Caller, 'origin'> {
  readonly deps: Deps;
  readonly actor: Pick<Actor, 'userId' | 'email'>;
}

export const target = ({ export_id }: Pick<ExportRow, 'export_id'>) => ({
  target_type: 'export',
  target_id: export_id,
});

export const isForgotten = ({ called_at }: ExportRow, now: number) => called_at + EXPORT_LIVES_MS <= now;

export const asExport = ({ export_id, format, state, counts, released, called_at }: ExportRow): Export => ({
  export_id,
  format,
  state,
  counts: JSON.parse(counts) as Export['counts'],
  released,
  expires_at: new Date(called_at + EXPORT_LIVES_MS).toISOString(),
});

/**
 * Runs `work` on the person's open export, which counts as a call, alone for this export.
 * @throws AppError `not_found`; `conflict` for one that has ended; as `rolesThatExport`
 */
async function onOpenExport<T>(
  { deps, actor }: Asking,
  exportId: string,
  work: (
    tx: Transact,
    row: ExportRow,
    mine: { readonly userId: string; readonly roles: readonly Role[] },
  ) => Promise<T>,
): Promise<T> {
  const { userId } = actor;
  const done = await deps.db.transactBeside(async (tx) => {
    const row = await findExportAndLock(tx, exportId, userId);
    if (row === undefined) throw new AppError('not_found');
    const now = deps.clock.now();
    if (row.state === 'open' && isForgotten(row, now)) await expire(tx, deps, { ...row, email: actor.email });
    else if (row.state === 'open') {
      await updateExport(tx, exportId, { called_at: now });
      return { answer: await work(tx, row, { userId, roles: await rolesThatExport(tx, deps, row.format) }) };
    }
    return null;
  });
  if (done === null) throw new AppError('conflict', { message: EXPORT_TEXTS.ended });
  return done.answer;
}

export async function outlineExport(
  asking: Asking,
  exportId: string,
  after: number,
): Promise<AnswerOf<typeof outline>> {
  return onOpenExport(asking, exportId, async (tx, row, mine) => {
    const rows = await listOutline(tx, { exportId: row.export_id, after, limit: OUTLINE_ROWS });
    const groupIds = rows.filter(({ entry_id }) => entry_id === '').map(({ entry_group_id }) => entry_group_id);
    const groups = await listExportedGroups(tx, groupIds, mine);
    const listed = rows.filter(({ entry_id }) => entry_id !== '');
    const entryIds = listed.map(({ entry_id }) => entry_id);
    const entries = new Map((await listExportedEntries(tx, entryIds, mine)).map((entry) => [entry.entry_id, entry]));
    const time = (ms: number) => new Date(ms).toISOString();
    return {
      groups: groups.map((group) => ({
        ...group,
        created_at: time(group.created_at),
        updated_at: time(group.updated_at),
      })),
      entries: listed.flatMap(({ entry_id, entry_group_id }) => {
        const entry = entries.get(entry_id);
        return entry?.entry_group_id === entry_group_id ? [asEntry(entry)] : [];
      }),
      cursor: rows.length < OUTLINE_ROWS ? null : (rows.at(-1)?.position ?? null),
    };
  });
}

/**
 * With the history row of each value in the transaction of the answer; a value has one row for an export. A page has at
 * most `RELEASED_BYTES` of values, or one value.
 */
export async function releaseValues(
  asking: Asking,
  exportId: string,
  { after, limit }: BodyOf<typeof release>,
): Promise<AnswerOf<typeof release>> {
  const { deps, actor, origin } = asking;
  return onOpenExport(asking, exportId, async (tx, row, mine) => {
    const now = deps.clock.now();
    const page = { exportId: row.export_id, after, limit };
    const sizes = await listNextSizes(tx, page);
    const values = await listNextValues(tx, { ...page, limit: countFitting(sizes) }, mine);
    const releases: ReleasedValue[] = [];
    const gone: { field_id: string; rev: number }[] = [];
    const fresh: typeof values = [];
    for (const value of values) {
      const { type, rev, gk_version, cek_wrapped, value: sealed, created_at } = value;
      const isGone = value.role === null || type === null || gk_version === null || created_at === null;
      if (isGone || cek_wrapped === null || sealed === null) {
        gone.push({ field_id: value.field_id, rev });
        continue;
      }
      const place = { groupId: value.entry_group_id, entryId: value.entry_id, fieldId: value.field_id, type };
      const { body_size, site } = value;
      const envelope = asEnvelope(place, { rev, gk_version, cek_wrapped, value: sealed, body_size, site });
      releases.push({
        ...envelope,
        created_at: new Date(created_at).toISOString(),
        current: value.present_rev === rev,
      });
      if (value.released_at === null) fresh.push(value);
    }
    if (fresh.length > 0) {
      await insertHistoryRows(
        tx,
        fresh.map(({ field_id, rev }) => ({
          field_edit_log_id: deps.newId(),
          field_id,
          event_type: 'decrypted',
          rev,
          user_id: actor.userId,
          purpose: 'export',
          label: row.format,
          // Service accounts do not export.
          via: viaOf(origin, null),
          created_at: now,
        })),
      );
      await markReleased(
        tx,
        row.export_id,
        fresh.map(({ position }) => position),
        now,
      );
      await updateExport(tx, row.export_id, { released: row.released + fresh.length });
      const details = { format: row.format, values: fresh.length };
      await recordEvent(tx, deps, { event_type: 'export_released', actor, origin, ...target(row), details });
    }
    return {
      releases,
      gone,
      after: values.at(-1)?.position ?? after,
      done: sizes.length < limit && values.length === sizes.length,
    };
  });
}

function countFitting(sizes: readonly number[]): number {
  let bytes = 0;
  const beyond = sizes.findIndex((size) => (bytes += size) > RELEASED_BYTES);
  return beyond === -1 ? sizes.length : Math.max(1, beyond);
}

/** An export that has ended stays as it is. */
export async function finishExport(
  { deps, actor, origin }: Asking,
  exportId: string,
  state: 'done' | 'cancelled',
): Promise<Export> {
  return deps.db.transactBeside(async (tx) => {
    const row = await findExportAndLock(tx, exportId, actor.userId);
    if (row === undefined) throw new AppError('not_found');
    if (row.state !== 'open') return asExport(row);
    const now = deps.clock.now();
    if (isForgotten(row, now)) {
      await expire(tx, deps, { ...row, email: actor.email });
      return asExport({ ...row, state: 'expired' });
    }
    await endExport(tx, exportId, { state, called_at: now });
    const details = { format: row.format, state, values: row.released };
    await recordEvent(tx, deps, { event_type: 'export_finished', actor, origin, ...target(row), details });
    return asExport({ ...row, state, called_at: now });
  });
}

export async function expire(tx: Transact, deps: Deps, row: ExportRow & { readonly email: string }): Promise<void> {
  await endExport(tx, row.export_id, { state: 'expired' });
  const actor = { userId: row.user_id, email: row.email };
  const details = { format: row.format, values: row.released };
  await recordEvent(tx, deps, { event_type: 'export_expired', actor, origin: BY_ITSELF, ...target(row), details });
}

/** Expires forgotten exports, and deletes those that ended a day ago. */
export async function sweepExports(deps: Deps, now: number, signal?: AbortSignal): Promise<void> {
  let isDone = false;
  while (!isDone && signal?.aborted !== true) {
    isDone = await deps.db.transact(async (tx) => {
      const row = await findForgottenExport(tx, now - EXPORT_LIVES_MS);
      if (row !== undefined) await expire(tx, deps, row);
      return row === undefined;
    });
  }
  await deps.db.transact((tx) => deleteEndedExports(tx, now - KEPT_MS));
}
