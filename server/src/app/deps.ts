import { DEFAULT_KDF, KDF_PROFILES } from '@passwordbroker/core/crypto/kdf';
import { WORK_FACTOR } from '../backups/archive/archive-format.ts';
import type { Config } from './config.ts';
import { openDatabase } from '../db/open.ts';
import type { Migration } from '../db/schema/migrate.ts';
import type { Clock, Deps } from '../http/context.ts';
import { accountPasswords, argon2idNative } from '../platform/passwords/argon2.ts';
import { watchClock } from '../platform/clock.ts';
import { derivationLimits, derivationQueue, thisMachine } from '../platform/passwords/derivation-queue.ts';
import { risingUuids } from '../platform/ids-and-digests.ts';
import type { Log } from '../platform/log.ts';
import { openMailer } from '../platform/mailer.ts';
import { openMetrics } from '../platform/metrics.ts';
import { semaphore } from '../platform/semaphore.ts';
import { openSpace } from '../platform/storage/space.ts';
import { openProviders } from '../identity/sso/provider/provider-connection.ts';
import { openGate } from '../recovery/switch-over.ts';

const IMPORTS = { atOnce: 1, waiting: 8 };
const FILE_REVEALS = { atOnce: 3, waiting: 32 };
const OFFLINE_COPIES = { atOnce: 2, waiting: 64 };
const PROOFS = { atOnce: 1, waiting: 4 };
const ARCHIVE_KEYS = { atOnce: 1, waiting: 4 };
const FIRST_SIGN_UPS = { atOnce: 1, waiting: 32 };

interface Options {
  readonly clock?: Clock;
  readonly kdf?: Deps['kdf'];
  readonly accountPasswords?: Deps['accountPasswords'];
  readonly archiveWorkFactor?: number;
  readonly timeZone?: string;
  readonly migrations?: readonly Migration[];
  /** Short transaction beside a running server. */
  readonly isSecondProcess?: boolean;
  /** Receives the path of the verified copy. */
  readonly onUpgradeCopy?: (path: string) => void;
  /** Receives an error of `lostWrite`. */
  readonly onLostWrite?: (code: string) => void;
}

/** Opens the database and all other dependencies. */
export async function openDeps(config: Config, log: Log, options: Options = {}): Promise<Deps> {
  const clock = options.clock ?? { now: () => Date.now() };
  const { isSecondProcess = false, migrations, onLostWrite, onUpgradeCopy } = options;
  const schema = migrations === undefined ? {} : { migrations };
  const space = openSpace(config.dataDir, { log, holdsVault: config.databaseUrl === null });
  // Starts also on a full disk or without the folder.
  await space.ease('admin').catch(() => {});
  const db = await openDatabase({
    ...config,
    now: clock.now(),
    isSecondProcess,
    ...schema,
    ...(onLostWrite === undefined ? {} : { onLostWrite }),
    ...(onUpgradeCopy === undefined ? {} : { onUpgradeCopy }),
  });
  return {
    config,
    db,
    clock,
    clockWatch: options.clock === undefined ? watchClock(log) : { isSettled: () => true },
    newId: risingUuids(() => Date.now()),
    log,
    metrics: openMetrics(),
    mailer: await openMailer(config),
    noticesFrom: config.smtpUrl === null ? null : config.publicUrl,
    bodies: db.bodies,
    space,
    kdf: options.kdf ?? { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2idNative },
    accountPasswords: options.accountPasswords ?? accountPasswords(),
    derivations: derivationQueue(derivationLimits(thisMachine())),
    imports: semaphore(IMPORTS),
    firstSignUps: semaphore(FIRST_SIGN_UPS),
    fileReveals: semaphore(FILE_REVEALS),
    offlineCopies: semaphore(OFFLINE_COPIES),
    proofs: semaphore(PROOFS),
    archiveKeys: semaphore(ARCHIVE_KEYS),
    archiveWorkFactor: options.archiveWorkFactor ?? WORK_FACTOR,
    get timeZone() {
      // Takes some milliseconds.
      return options.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    recovery: openGate(db),
    providers: openProviders(config.providers, clock),
  };
}
