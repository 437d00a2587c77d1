/** An application is one browser or device of one person. */
import type { UserApplication } from '@passwordbroker/core/contract/account/offline';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Transact, Database } from '../../db/database.ts';
import type { Actor, Deps, RequestContext } from '../../http/context.ts';
import { readSiteSettings } from '../../platform/site-settings-repository.ts';
import {
  type ApplicationRow,
  deleteApplication,
  deleteQuietest,
  findApplication,
  findByClient,
  findByToken,
  insertApplication,
  isKept,
  listApplications,
  noteFetch,
  switchApplication,
} from './application-repository.ts';
import { newestOwnChange } from '../changes-repository.ts';
import {
  deleteCopiesOf,
  findCopy,
  findNewestCopy,
  listNewestCopies,
  confirmCopy,
  type OfflineCopy,
} from '../copy-repository.ts';
import { readKeyState } from '../key-state-repository.ts';
import { areCopiesAllowed } from '../release-repository.ts';
import { takeCursorIn } from '../../db/change-stamp.ts';
import { storageFailure } from '../../db/failures.ts';
import { hasAnythingChanged, hasOwnChanged } from '../own-changes-repository.ts';

/** For browsers that lose their id each time. */
const MOST = 100;

type Caller = RequestContext & { readonly actor: Actor };
type SiteDeps = Pick<Deps, 'db' | 'config' | 'clock'>;

const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
export const targetOf = ({ user_application_id }: Pick<ApplicationRow, 'user_application_id'>) => ({
  target_type: 'user_application',
  target_id: user_application_id,
});

/** @throws AppError `not_found`; `forbidden` for another person's */
export async function ownApplication(deps: Pick<Deps, 'db'>, actor: Actor, id: string): Promise<ApplicationRow> {
  const row = await findApplication(deps.db.read, id);
  if (row === undefined) throw new AppError('not_found');
  if (row.user_id !== actor.userId) throw new AppError('forbidden');
  return row;
}

/** The named one, else that of the caller's token, else null. @throws AppError as `ownApplication` */
async function applicationOf(
  deps: Pick<Deps, 'db'>,
  actor: Actor,
  id: string | undefined,
): Promise<ApplicationRow | null> {
  if (id !== undefined) return ownApplication(deps, actor, id);
  // Only tokens belong to a device.
  return actor.scopes === null ? null : ((await findByToken(deps.db, actor.sessionId)) ?? null);
}

/**
 * The application that keeps a copy; null for none.
 * @throws AppError as `ownApplication`; `forbidden` if the site forbids copies; `offline_mode_off`
 */
export async function keptBy(deps: SiteDeps, actor: Actor, id: string | undefined): Promise<ApplicationRow | null> {
  const application = await applicationOf(deps, actor, id);
  if (application === null) return null;
  if (!(await readSiteSettings(deps)).offline_allowed) throw new AppError('forbidden');
  if (application.is_offline === 0) throw new AppError('offline_mode_off');
  return application;
}

/**
 * Records a fetch before anything is sent, and checks the policy again. @throws AppError `forbidden`,
 * `offline_mode_off`
 */
export async function enterFetch(
  tx: Transact,
  { user_application_id: id }: ApplicationRow,
  columns: Parameters<typeof noteFetch>[2],
): Promise<void> {
  if (!(await areCopiesAllowed(tx))) throw new AppError('forbidden');
  if (!(await noteFetch(tx, id, columns))) throw new AppError('offline_mode_off');
}

export async function openApplication(
  { deps, actor }: Caller,
  clientId: string,
): Promise<{ readonly isNew: boolean; readonly row: ApplicationRow }> {
  const now = deps.clock.now();
  return deps.db.transact(async (tx) => {
    const known = await findByClient(tx, actor.userId, clientId);
    if (known !== undefined) return { isNew: false, row: known };
    const row: ApplicationRow = {
      user_application_id: deps.newId(),
      user_id: actor.userId,
      client_id: clientId,
      is_offline: 0,
      copy_fetched_at: null,
      key_state: null,
      key_fetched_at: null,
      created_at: now,
      updated_at: now,
    };
    await deleteQuietest(tx, actor.userId, MOST - 1);
    await insertApplication(tx, row);
    return { isNew: true, row };
  });
}

export async function asApplication(deps: Deps, row: ApplicationRow): Promise<UserApplication> {
  return shown(row, { isCopyStale: await isDatabaseStale(deps, row), isKeyStale: await isKeyStale(deps, row) });
}

/** Newest last, with a constant number of queries. */
export async function allApplications(deps: Deps, userId: string): Promise<UserApplication[]> {
  const { db } = deps;
  const rows = await listApplications(db, userId);
  const isAllowed = (await readSiteSettings(deps)).offline_allowed;
  const stamps = await listNewestCopies(db, userId);
  const newest = await newestOwnChange(db.read, userId, Math.min(...stamps.values(), Number.MAX_SAFE_INTEGER) - 1);
  const keyState = await readKeyState(db, userId);
  return rows.map((row) => {
    const stamp = stamps.get(row.user_application_id);
    const isCopyStale = !isAllowed || stamp === undefined || newest >= stamp;
    return shown(row, { isCopyStale, isKeyStale: row.key_state === null || row.key_state !== keyState });
  });
}

function shown(
  row: ApplicationRow,
  { isCopyStale: isDatabase, isKeyStale: isKey }: { readonly isCopyStale: boolean; readonly isKeyStale: boolean },
): UserApplication {
  return {
    user_application_id: row.user_application_id,
    user_id: row.user_id,
    client_id: row.client_id,
    is_offline_database_mode: row.is_offline === 1,
    is_offline_database_required_update: isDatabase,
    is_rsa_private_required_update: isKey,
    offline_database_fetched_at: time(row.copy_fetched_at),
    rsa_private_fetched_at: time(row.key_fetched_at),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

/**
 * @param cursor of the client's copy; absent: the last fetched. Unknown ones are stale, and all while the
 * site forbids copies.
 */
export async function isDatabaseStale(
  deps: SiteDeps,
  { user_id: userId, user_application_id: applicationId }: ApplicationRow,
  cursor?: string,
): Promise<boolean> {
  if (!(await readSiteSettings(deps)).offline_allowed) return true;
  const { db } = deps;
  const copy =
    cursor === undefined
      ? await findNewestCopy(db, applicationId)
      : await findCopy(db, { cursor, userId, applicationId });
  return copy === undefined || isCopyStale(db, copy, deps.clock.now());
}

export async function mayStay(deps: SiteDeps, applicationId: string): Promise<boolean> {
  return (await readSiteSettings(deps)).offline_allowed && isKept(deps.db, applicationId);
}

export async function isKeyStale({ db }: Pick<Deps, 'db'>, row: ApplicationRow): Promise<boolean> {
  return row.key_state === null || row.key_state !== (await readKeyState(db, row.user_id));
}

/** @throws AppError `forbidden` for on while the site forbids it */
export async function setMode({ deps, actor, origin }: Caller, row: ApplicationRow, status: boolean) {
  if (status && !(await readSiteSettings(deps)).offline_allowed) throw new AppError('forbidden');
  const isChanged = (row.is_offline === 1) !== status;
  if (isChanged) {
    const now = deps.clock.now();
    // The client wipes its copy when it switches off.
    const wiped = { copy_fetched_at: null, key_state: null, key_fetched_at: null };
    const columns = { is_offline: status ? 1 : 0, updated_at: now, ...(status ? {} : wiped) } as const;
    await deps.db.transact(async (tx) => {
      if (!(await switchApplication(tx, row.user_application_id, columns))) {
        if ((await findApplication(tx, row.user_application_id)) === undefined) throw new AppError('not_found');
        // A concurrent request has changed and audited it.
        return;
      }
      if (!status) await deleteCopiesOf(tx, row.user_application_id);
      await recordEvent(tx, deps, {
        event_type: 'offline_mode_changed',
        actor,
        origin,
        ...targetOf(row),
        details: { status },
      });
    });
  }
  return { status };
}

/** Audit records stay. @throws AppError `not_found` */
export async function forgetApplication({ deps, actor, origin }: Caller, row: ApplicationRow): Promise<undefined> {
  await deps.db.transact(async (tx) => {
    const wasOffline = await deleteApplication(tx, row.user_application_id);
    if (wasOffline === null) throw new AppError('not_found');
    if (!wasOffline) return;
    const details = { status: false };
    await recordEvent(tx, deps, { event_type: 'offline_mode_changed', actor, origin, ...targetOf(row), details });
  });
  return undefined;
}

/** How often an unchanged copy is marked as in use. */
const CONFIRM_MS = 24 * 3_600_000;

/**
 * Bounded work: `true` may be wrong after very many changes, `false` never is. Waits for no writer. @param
 * now Unix time in ms
 */
async function isCopyStale(db: Database, copy: OfflineCopy, now: number): Promise<boolean> {
  const { copy_id: copyId, user_id: userId, stamp, created_at: confirmedAt } = copy;
  if (!(await hasAnythingChanged(db.read, stamp))) {
    if (now - confirmedAt > CONFIRM_MS) await remember(db, (tx) => confirmCopy(tx, { copyId, stamp, now }));
    return false;
  }
  if (await hasOwnChanged(db.read, { userId, stamp })) return true;
  return (await remember(db, (tx) => moveOn(tx, copy, now))) ?? false;
}

/**
 * Moves the cursor past changes of others; true if there was one for this person. The cursor is taken before
 * the check, so no change is lost.
 */
async function moveOn(tx: Transact, copy: OfflineCopy, now: number): Promise<boolean> {
  const { copy_id: copyId, user_id: userId, stamp } = copy;
  const cursor = await takeCursorIn(tx);
  if (await hasOwnChanged(tx, { userId, stamp })) return true;
  // On PostgreSQL a long transaction may hold the cursor back.
  if (cursor > stamp) await confirmCopy(tx, { copyId, stamp: cursor, now });
  return false;
}

/** Only an optimisation: null if it failed or would have to wait. */
async function remember<T>(db: Database, work: (tx: Transact) => Promise<T>): Promise<T | null> {
  try {
    return await db.transactIfFree(work);
  } catch (error) {
    if (storageFailure(error) === null) throw error;
    return null;
  }
}
