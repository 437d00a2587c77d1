/** Site rules of links: sealed, so the server neither judges nor shows a host (docs/spec/crypto.md §10). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { change, listAll, SiteRow } from '@passwordbroker/core/contract/entries/sites';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import { takeCursor } from '../db/change-stamp.ts';
import type { Transact } from '../db/database.ts';
import { lockEntry } from '../db/locks.ts';
import { findFieldWithRole } from '../fields/reveal-repository.ts';
import { checkSite } from '../fields/sealed-revision.ts';
import type { Context } from '../http/context.ts';
import { confirmCopy, insertCopy } from '../offline/copy-repository.ts';
import { addAttempt, countingAttempts } from '../platform/passwords/attempts-repository.ts';
import { listChangedGroups, listOwnGroups, listSiteRows, readMarks, updateSite } from './site-repository.ts';

const HOUR = 3_600_000;
/** An answer ends with the group that reaches it. */
const MOST_ROWS = 4000;
const MOST_GROUPS = 1000;
const GROUPS_AT_ONCE = 20;

type Listing = Context<typeof listAll, BodyOf<typeof listAll>>;
type Listed = AnswerOf<typeof listAll>;

/**
 * Whole groups in which something changed. A mark is a cursor of the change stamps (`db/change-stamp.ts`), kept among
 * those of offline copies, so that the changes after it are kept as long.
 */
export async function listSites(context: Listing): Promise<Listed> {
  const { deps, actor, body } = context;
  const { read } = deps.db;
  const { userId } = actor;
  const known = body.known ?? [];
  // Before everything that is read: a later change is in this answer, the next, or both.
  const stamp = await takeCursor(deps.db);
  const own = new Set(await listOwnGroups(read, userId));
  const same = new Set<string>();
  const stamps = await readMarks(read, userId, [...new Set(known.map(({ mark }) => mark))]);
  for (const { mark, entry_group_ids } of known) {
    const since = stamps.get(mark);
    if (since === undefined) continue;
    const changed = await listChangedGroups(read, userId, since);
    for (const id of entry_group_ids) if (own.has(id) && !changed.has(id)) same.add(id);
  }
  const wanted = [...own].filter((id) => !same.has(id));
  const groups = await readGroups(context, wanted);
  const kept = keptMark(known, stamps, wanted);
  const mark = kept ?? deps.newId();
  await deps.db.transactBeside(async (tx) => {
    const now = deps.clock.now();
    const row = { copy_id: mark, user_id: userId, user_application_id: null, stamp, created_at: now };
    if (kept === null) await insertCopy(tx, row, LIMITS.siteMarks);
    else if (wanted.length === 0) await confirmCopy(tx, { copyId: mark, stamp, now });
    await recordListing(tx, context, groups.flatMap(({ rows }) => rows).length);
  });
  return {
    mark,
    groups,
    same: same.size,
    gone: known.flatMap(({ entry_group_ids }) => entry_group_ids.filter((id) => !own.has(id))),
    more: groups.length < wanted.length,
  };
}

/**
 * The one known mark, if no known group has changed since: it also holds for what is read later, so several answers to
 * one reading share it.
 */
function keptMark(
  known: NonNullable<Listing['body']['known']>,
  stamps: ReadonlyMap<string, number>,
  wanted: readonly string[],
): string | null {
  const [mark] = stamps.keys();
  if (mark === undefined || stamps.size > 1) return null;
  const again = new Set(wanted);
  return known.some(({ entry_group_ids }) => entry_group_ids.some((id) => again.has(id))) ? null : mark;
}

async function readGroups({ deps, signal }: Listing, wanted: readonly string[]): Promise<Listed['groups']> {
  const groups: Listed['groups'] = [];
  const stop = signal();
  let rows = 0;
  for (let at = 0; at < wanted.length && rows < MOST_ROWS && groups.length < MOST_GROUPS; at += GROUPS_AT_ONCE) {
    await nextTurn();
    // The client has disconnected.
    if (stop.aborted) throw new AppError('unavailable', { retryAfter: 1 });
    for (const [id, of] of await listSiteRows(deps.db.read, wanted.slice(at, at + GROUPS_AT_ONCE))) {
      groups.push({ entry_group_id: id, rows: of });
      rows += of.length;
    }
  }
  return groups;
}

type Caller = Pick<Listing, 'deps' | 'actor' | 'origin'>;

/** As `listSites`, for one group. */
export async function listSitesOf(caller: Caller, groupId: string): Promise<readonly SiteRow[]> {
  const rows = (await listSiteRows(caller.deps.db.read, [groupId])).get(groupId) ?? [];
  await caller.deps.db.transactBeside((tx) => recordListing(tx, caller, rows.length));
  return rows;
}

/** At most once an hour for each session or token. */
async function recordListing(tx: Transact, { deps, actor, origin }: Caller, links: number): Promise<void> {
  const key = `sites:${actor.sessionId}`;
  const now = deps.clock.now();
  if ((await countingAttempts(tx, key, now)).length > 0) return;
  if ((await addAttempt(tx, key, HOUR, now)).failures > 1) return;
  await recordEvent(tx, deps, { event_type: 'sites_listed', actor, origin, details: { links } });
}

type Changing = Context<typeof change, BodyOf<typeof change>>;

/** @throws AppError `bad_sealed_value`, `revision_conflict`, `validation`, `not_found`, `forbidden` */
export async function changeSite(context: Changing): Promise<AnswerOf<typeof change>> {
  const { deps, actor, origin, group, entry, field, body } = context;
  const { field_id, type } = field;
  if (type !== 'link') throw refuse('site_sealed', TEXTS.unexpected('site sealed'));
  const site = checkSite(type, body.site_sealed);
  const place = { groupId: group.entry_group_id, entryId: entry.entry_id, fieldId: field_id };
  return deps.db.transactBeside(async (tx) => {
    await lockEntry(tx, entry.entry_id);
    const present = await findFieldWithRole(tx, actor.userId, place);
    if (present === undefined) throw new AppError('not_found');
    if (!can(present.role, 'field.write')) throw new AppError('forbidden');
    if (present.rev !== body.rev) {
      throw new AppError('revision_conflict', { details: { current_rev: present.rev } });
    }
    await updateSite(tx, field_id, body.rev, site);
    await recordEvent(tx, deps, {
      event_type: 'site_rule_changed',
      actor,
      origin,
      target_type: 'field',
      target_id: field_id,
      details: { entry_id: entry.entry_id, entry_group_id: group.entry_group_id, rev: body.rev },
    });
    return { field_id, rev: body.rev };
  });
}
