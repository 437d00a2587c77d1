import { deleteLeftCertificates } from '../accounts/account-repository.ts';
import { plaintextHostOf, readPostgresUrl } from '../db/postgres/address.ts';
import { mergeSearchIndex } from '../db/text-search/merge-segments.ts';
import type { Deps } from '../http/context.ts';
import { deleteOldNonces, deleteExpiredSessions } from '../http/auth/session-repository.ts';
import { NOTICE_LIMITS } from '@passwordbroker/core/domain/notices';
import { PENDING_MS } from '../identity/factors/enrol.ts';
import { deleteUnconfirmedTotp } from '../identity/factors/factor-repository.ts';
import { deleteExpiredBrowsers } from '../identity/factors/remembered-browsers.ts';
import { deleteUsedOnce } from '../identity/sso/sign-in-state.ts';
import { deleteExpiredTickets } from '../identity/tickets.ts';
import { sweepExports } from '../exports/exports.ts';
import { sweepImports } from '../import/parts/import-parts.ts';
import { collectStaged } from '../import/staging.ts';
import { dailyRound } from '../notices/daily-round.ts';
import { deleteOldNotices } from '../notices/notice-repository.ts';
import { deleteUnneededChanges } from '../offline/own-changes-repository.ts';
import { purgeExpired } from '../operations/trash/purge.ts';
import { deleteExpiredOperations } from '../operations/trash/purge-repository.ts';
import { deleteOldAttempts } from '../platform/passwords/attempts-repository.ts';
import { countPasskeysElsewhere, deleteExpiredChallenges } from '../passkeys/passkey-repository.ts';
import { insecureMailHost } from '../platform/mailer.ts';
import { isLoopbackHost } from '../platform/networks.ts';
import { periodicJob } from '../platform/periodic-job.ts';
import { readSiteSignIn } from '../platform/site-settings-repository.ts';
import { tellOfExpiry } from '../service-accounts/credentials.ts';
import { needsSetupToken } from '../users/setup-token.ts';
import { hasUsers } from '../users/user-repository.ts';
import { removeUnnamedBodies } from '../fields/storage-repository.ts';
import { setInterval as every } from 'node:timers/promises';

const MINUTE = 60_000;
const SWEEP_EVERY = 10 * MINUTE;
/** Rewrites the whole index. */
const MERGE_EVERY = 6 * 60 * MINUTE;
const DAILY_NOTICES_EVERY = 5 * MINUTE;
/** Another process soon takes over the sweep of a dead one (threats R34). */
const LOOK_EVERY = MINUTE / 4;
/** Longer than the 90 seconds of a proof. */
const NONCES_KEPT = 10 * MINUTE;

export async function sweep(deps: Deps, signal?: AbortSignal): Promise<void> {
  const { db, clock, clockWatch } = deps;
  // Read before `isSettled`: the clock may be set at any moment.
  const now = clock.now();
  await db.transactBeside((tx) => deleteExpiredSessions(tx, now));
  if (!clockWatch.isSettled()) return;
  await db.transactBeside(async (tx) => {
    await deleteOldAttempts(tx, now);
    await deleteOldNonces(tx, now - NONCES_KEPT);
    await deleteExpiredTickets(tx, now);
    await deleteUsedOnce(tx, now);
    await deleteExpiredBrowsers(tx, now);
    await deleteUnconfirmedTotp(tx, now - PENDING_MS);
    await deleteExpiredChallenges(tx, now);
    await deleteExpiredOperations(tx, now);
    await deleteLeftCertificates(tx);
    await deleteUnneededChanges(tx, now);
    await deleteOldNotices(tx, { since: now - NOTICE_LIMITS.days * 24 * HOUR, most: NOTICE_LIMITS.perPerson });
  });
  await purgeExpired(deps, now, signal);
  await sweepExports(deps, now, signal);
  await sweepImports(deps, now);
  await collectStaged(deps);
  await collectLeftBodies(deps, now - KEPT_FOR);
}

/** Warns if anyone on the network could become the site's admin. */
export async function warnWhileUnclaimed({ db, config, log }: Deps): Promise<void> {
  const { hostname } = new URL(config.publicUrl);
  if (isLoopbackHost(hostname) || needsSetupToken(config) || (await hasUsers(db))) return;
  log.warn(
    { url: config.publicUrl },
    'nobody has signed up yet: the first person who signs up owns this site; sign up, or set SETUP_TOKEN',
  );
}

/** Browsers offer no cryptography over plain HTTP from another machine (docs/spec/threats.md §3.1.1). */
export function warnAboutPlainHttp({ config, log }: Deps): void {
  const { protocol, hostname } = new URL(config.publicUrl);
  if (protocol === 'https:' || isLoopbackHost(hostname)) return;
  log.warn({ url: config.publicUrl }, 'PUBLIC_URL is plain http: the web client needs https');
}

/** Of connections to other machines (T156). */
export function warnAboutPlaintext({ config, log }: Deps): void {
  const address = config.databaseUrl === null ? null : readPostgresUrl(config.databaseUrl);
  const database = address === null ? null : plaintextHostOf(address);
  if (database !== null) {
    log.warn({ host: database }, 'DATABASE_URL: connections to this host are not encrypted; add sslmode=verify-full');
  }
  const mail = insecureMailHost(config.smtpUrl);
  if (mail !== null) log.warn({ host: mail }, 'SMTP_URL: with insecure=1 mail to this host may go unencrypted');
  const store = config.backupCopy?.kind === 's3' ? new URL(config.backupCopy.endpoint) : null;
  if (store?.protocol === 'http:' && !isLoopbackHost(store.hostname)) {
    log.warn({ host: store.hostname }, 'BACKUP_S3_ENDPOINT: backups go to this host unencrypted by TLS; use https');
  }
}

/** Passkeys of another host cannot be used here, for example after a move (docs/operations.md). */
async function warnAboutPasskeysElsewhere({ db, config, log }: Deps): Promise<void> {
  const count = await countPasskeysElsewhere(db, config.rpId);
  if (count > 0) log.warn({ count, host: config.rpId }, 'some passkeys belong to another host and cannot be used here');
}

/** The operator's way in is meant for an outage of the provider, not for good. */
export async function warnAboutLocalSignIn({ db, config, log }: Deps): Promise<void> {
  if (!config.allowsLocalSignIn) return;
  if ((await readSiteSignIn({ db })).local_sign_in === 'allowed') return;
  log.warn('local_sign_in counts as allowed: LOCAL_SIGN_IN says so, or OIDC_PROVIDERS names no provider');
}

/** SQLite has no other process, so all leftovers are of dead ones. */
async function collectAtStart(deps: Deps): Promise<void> {
  if (deps.db.dialect !== 'sqlite') return;
  await collectStaged(deps)
    .then(() => collectLeftBodies(deps, performance.timeOrigin))
    .catch((error: unknown) =>
      deps.log.error({ error }, 'Leftovers of a former process could not be removed; the next sweep removes them'),
    );
}

/** `stop` resolves when no job runs. */
export function startHousekeeping(deps: Deps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const sweeping = periodicJob(deps, { name: 'sweep', every: SWEEP_EVERY, work: (signal) => sweep(deps, signal) });
  const merging = periodicJob(deps, {
    name: 'search-index',
    every: MERGE_EVERY,
    work: (signal) => mergeSearchIndex(deps.db, signal),
  });
  const telling = periodicJob(deps, {
    name: 'daily-notices',
    every: DAILY_NOTICES_EVERY,
    work: async (signal) => {
      await dailyRound(deps, signal);
      await tellOfExpiry(deps);
    },
  });
  let looks = 0;
  let running: Promise<void> | null = null;
  const tick = async () => {
    if (looks === 0) await Promise.all([warnAboutPasskeysElsewhere(deps), warnAboutLocalSignIn(deps)]);
    if (looks % (MINUTE / LOOK_EVERY) === 0) await warnWhileUnclaimed(deps);
    looks += 1;
    await sweeping(stopping.signal);
    await merging(stopping.signal);
    await telling(stopping.signal);
  };
  const run = () => {
    if (stopping.signal.aborted) return;
    // A large purge may take longer than the pause.
    running ??= tick()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) deps.log.error({ error }, 'housekeeping failed');
      })
      .finally(() => {
        running = null;
      });
  };
  warnAboutPlainHttp(deps);
  warnAboutPlaintext(deps);
  running = collectAtStart(deps).finally(() => {
    running = null;
    run();
  });
  const timer = setInterval(run, LOOK_EVERY).unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      while (running !== null) await running;
    },
  };
}

const HOUR = 60 * 60_000;
/** Longer than the longest upload or import: another process may still reference a newer body. */
export const KEPT_FOR = 6 * HOUR;

/** @param untouchedSince Unix time in ms. Returns how many. */
export async function collectLeftBodies(deps: Pick<Deps, 'db' | 'bodies'>, untouchedSince: number): Promise<number> {
  return removeUnnamedBodies(deps, await deps.bodies.listUntouchedSince(untouchedSince));
}

const SECOND = 1000;
/** After a failure. */
const PAUSE = 60 * SECOND;

/** Every second, logs a nearly full disk and refills the reserve. `stop` resolves after the last check. */
export function startSpaceWatch({ space, log }: Pick<Deps, 'space' | 'log'>): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let pausesUntil = 0;
  const look = async () => {
    if (performance.now() < pausesUntil) return void (await space.look());
    await space.refill();
  };
  const watch = async () => {
    for await (const _ of every(SECOND, undefined, { signal: stopping.signal, ref: false })) {
      await look().catch((error: unknown) => {
        pausesUntil = performance.now() + PAUSE;
        log.warn({ error }, 'Disk reserve could not be written; check DATA_DIR; it is retried');
      });
    }
  };
  const watching = watch().catch(() => {});
  return {
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}
