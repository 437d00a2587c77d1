import { listedFields } from '@passwordbroker/core/domain/fields/field-kinds';
import { join } from 'node:path';
import {
  EXPECTED_BYTES_HEADER,
  type OfflineEntry,
  type OfflineHead,
} from '@passwordbroker/core/contract/account/offline';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../../audit/audit-log.ts';
import { takeCursor } from '../../db/change-stamp.ts';
import type { Transact, Database } from '../../db/database.ts';
import { openSnapshot } from '../../db/snapshot/snapshot.ts';
import { type Media, media } from '../../http/answer/answer.ts';
import type { Actor, RequestContext } from '../../http/context.ts';
import { type Encoding, type Packed, encodingFor, pack } from '../../platform/packed.ts';
import { readSiteSettings } from '../../platform/site-settings-repository.ts';
import type { ApplicationRow } from '../applications/application-repository.ts';
import { enterFetch, keptBy, targetOf } from '../applications/applications.ts';
import { confirmCopy, findCopy, insertCopy, type OfflineCopy } from '../copy-repository.ts';
import { type Plan, isEmpty, planDelta, planWhole, type PlannedGroup } from './plan.ts';
import { areCopiesAllowed, countOwn, findAccountStatus, noteReleases } from '../release-repository.ts';
import { entriesInOrder, headsOf } from '../entries-and-heads.ts';

type Caller = RequestContext & { readonly actor: Actor };

interface Query {
  readonly user_application_id?: string | undefined;
  readonly since?: string | undefined;
}

const TRIES = 3;

/**
 * The offline copy or its changes (ADR 8): read from one snapshot, packed, recorded, then sent. @throws
 * AppError `forbidden` while the site forbids it; as `keptBy`; `unavailable` if too many ask at once or
 * groups keep disappearing
 */
export async function downloadCopy(context: Caller, query: Query): Promise<Media> {
  const { deps, actor } = context;
  if (!(await readSiteSettings(deps)).offline_allowed) throw new AppError('forbidden');
  const application = await keptBy(deps, actor, query.user_application_id);
  const applicationId = application?.user_application_id ?? null;
  const { since: cursor = '' } = query;
  const former = await findCopy(deps.db, { cursor, userId: actor.userId, applicationId });
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const made = await deps.offlineCopies.run(() => make(context, former ?? null));
    const isOnRecord = await deps.db
      .transactBeside((tx) => enter(tx, context, application, made))
      .catch(async (error: unknown) => {
        await made.packed.discard();
        throw error;
      });
    if (isOnRecord) return asMedia(made);
    await made.packed.discard();
  }
  throw new AppError('unavailable', { retryAfter: 1 });
}

interface Made {
  readonly packed: Packed;
  readonly encoding: Encoding | null;
  readonly plan: Plan;
  readonly written: Written;
  readonly copyId: string;
  readonly stamp: number;
  /** Of the snapshot or shortly after. */
  readonly at: number;
}

/** @param former the copy to continue; null: everything */
async function make(context: Caller, former: OfflineCopy | null): Promise<Made> {
  const { deps, actor } = context;
  const { userId } = actor;
  // Before the snapshot: a later change is in this response, the next, or both.
  const stamp = await takeCursor(deps.db);
  const snapshot = await openSnapshot(deps.db);
  try {
    const at = deps.clock.now();
    const { read } = snapshot;
    const plan =
      former === null ? await planWhole(read, userId) : await planDelta(read, { userId, stamp: former.stamp });
    // An unchanged copy keeps its id.
    const copyId = former !== null && isEmpty(plan) ? former.copy_id : deps.newId();
    const written: Written = { entries: 0, fields: 0, releasedGroups: [] };
    const encoding = encodingFor(context.header('accept-encoding'));
    const text = answerText(
      { read, userId, signal: context.signal() },
      plan,
      { timestamp: Math.floor(at / 1000), cursor: copyId },
      written,
    );
    const packed = await pack(text, { folder: join(deps.config.dataDir, 'temporary'), encoding });
    return { packed, encoding, plan, written, copyId, stamp, at };
  } finally {
    await snapshot.close();
  }
}

/**
 * False if the person has lost one of the groups meanwhile. @throws AppError `unauthenticated` if the account
 * or its sessions have ended
 */
async function enter(
  tx: Transact,
  { deps, actor, origin }: Caller,
  application: ApplicationRow | null,
  { plan, written, copyId, stamp, at }: Made,
): Promise<boolean> {
  const { userId } = actor;
  const account = await findAccountStatus(tx, userId);
  if (account === undefined || account.epoch !== actor.epoch || account.disabled_at !== null) {
    throw new AppError('unauthenticated');
  }
  const groupIds = plan.groups.map(({ groupId }) => groupId);
  if ((await countOwn(tx, userId, groupIds)) !== groupIds.length) return false;
  const applicationId = application?.user_application_id ?? null;
  if (application === null) {
    if (!(await areCopiesAllowed(tx))) throw new AppError('forbidden');
  } else await enterFetch(tx, application, { copy_fetched_at: at, updated_at: at });
  // Nothing was released, so nothing is audited.
  if (isEmpty(plan)) {
    await confirmCopy(tx, { copyId, stamp, now: at });
    return true;
  }
  await insertCopy(tx, { copy_id: copyId, user_id: userId, user_application_id: applicationId, stamp, created_at: at });
  await noteReleases(tx, { userId, applicationId, at }, written.releasedGroups);
  await recordEvent(tx, deps, {
    event_type: 'offline_downloaded',
    actor,
    origin,
    ...(application === null ? {} : targetOf(application)),
    details: {
      entry_groups: groupIds.length,
      entries: written.entries,
      fields: written.fields,
      delta: plan.isDelta,
    },
  });
  return true;
}

function asMedia({ packed, encoding }: Made): Media {
  return media(packed.open(), {
    'content-length': String(packed.size),
    [EXPECTED_BYTES_HEADER]: String(packed.textSize),
    vary: 'accept-encoding',
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
  });
}

/** Per query and table. */
const HEADS_AT_ONCE = 200;

interface Head {
  /** Unix seconds. */
  readonly timestamp: number;
  readonly cursor: string;
}

/** Counted while writing. */
interface Written {
  entries: number;
  fields: number;
  /** With entries in the response. */
  readonly releasedGroups: string[];
}

async function* answerText(
  source: { readonly read: Database['read']; readonly userId: string; readonly signal: AbortSignal },
  plan: Plan,
  head: Head,
  written: Written,
): AsyncGenerator<string> {
  yield beginning(plan, head);
  yield* groupTexts(source, plan, written);
  yield end(plan);
}

function beginning({ isDelta, trees }: Plan, { timestamp, cursor }: Head): string {
  const head = JSON.stringify({ timestamp, cursor }).slice(0, -1);
  return `${head},"${isDelta ? 'delta' : 'data'}":{"trees":${trees ?? 'null'},"groups":[`;
}

function end({ isDelta, goneGroups, goneEntries }: Plan): string {
  if (!isDelta) return ']}}';
  return `],"gone_groups":${JSON.stringify(goneGroups)},"gone_entries":${JSON.stringify(goneEntries)}}}`;
}

async function* groupTexts(
  { read, userId, signal }: { readonly read: Database['read']; readonly userId: string; readonly signal: AbortSignal },
  plan: Plan,
  written: Written,
): AsyncGenerator<string> {
  const { groups } = plan;
  // Over all groups, so that small ones share a query.
  const entries = entriesInOrder(
    read,
    groups.flatMap(({ entryIds }) => entryIds),
    signal,
  );
  let isFirst = true;
  for (let at = 0; at < groups.length; at += HEADS_AT_ONCE) {
    const portion = groups.slice(at, at + HEADS_AT_ONCE);
    const heads = await headsOf(
      read,
      userId,
      portion.filter(({ hasHead }) => hasHead).map(({ groupId }) => groupId),
    );
    for (const group of portion) {
      yield `${isFirst ? '' : ','}${opening(plan, group, heads.get(group.groupId) ?? null)}`;
      isFirst = false;
      for (let number = 0; number < group.entryIds.length; number += 1) {
        const { value } = (await entries.next()) as IteratorResult<OfflineEntry, undefined>;
        if (value === undefined) throw new TypeError('An entry of the snapshot is not in it');
        written.entries += 1;
        written.fields += listedFields(value).length;
        yield `${number === 0 ? '' : ','}${JSON.stringify(value)}`;
      }
      if (group.entryIds.length > 0) written.releasedGroups.push(group.groupId);
      yield ']}';
    }
  }
}

/** Up to the bracket of the entries. */
function opening({ isDelta }: Plan, { groupId, isWhole }: PlannedGroup, head: OfflineHead | null): string {
  if (isDelta) {
    return `${JSON.stringify({ entry_group_id: groupId, head, is_whole: isWhole }).slice(0, -1)},"entries":[`;
  }
  if (head === null) throw new TypeError('A group of the snapshot is not in it');
  return `${JSON.stringify(head).slice(0, -1)},"entries":[`;
}
