/**
 * Asks the server whether copies may stay (docs/spec/crypto.md §16). Needs no sign-in; refusals of a proxy do
 * not count.
 */
import { standing as standingOf } from '@passwordbroker/core/contract/account/offline';
import { setup } from '@passwordbroker/core/contract/site/system';
import { nameOfCopy, type CopyRecord } from '../../keyring/copy/copy-store.ts';
import { soundRecord } from '../labels.ts';
import type { OfflinePage } from '../page.ts';

export interface CopyStatus {
  /** Whether the copy must go. @throws NetworkError, AppError if unknown */
  isGone(record: CopyRecord, signal?: AbortSignal): Promise<boolean>;
  /** Whether the site allows copies; true without an answer. Never throws. */
  isAllowed(): Promise<boolean>;
  /** Deletes copies of the current server that must go; retries without an answer. */
  look(): Promise<void>;
  stop(): void;
}

/** Maximum delay; doubles after each failed round. */
const LONGEST_MS = 300_000;

interface Of {
  readonly page: Pick<OfflinePage, 'http' | 'store' | 'origin' | 'paces' | 'show'>;
  readonly forget: (name: string) => Promise<void>;
}

export function askCopyStatus({ page, forget }: Of): CopyStatus {
  const { http, store } = page;
  let round: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isStopped = false;

  const isAllowed = () =>
    http.call(setup).then(
      ({ offline_allowed }) => offline_allowed,
      () => true,
    );

  /** Another server would report it as gone. */
  const isOurs = ({ origin }: CopyRecord) => origin === (http.server() ?? page.origin);

  async function isGone(record: CopyRecord, signal?: AbortSignal): Promise<boolean> {
    if (!isOurs(record)) return false;
    const { applicationId: id } = record;
    const { standing } = await http.call(standingOf, { params: { id }, signal });
    if (standing === 'kept') return false;
    // The page may have left this site meanwhile.
    if (!(await isAllowed()) && isOurs(record)) page.show({ allowed: false });
    return true;
  }

  async function askAll(): Promise<boolean> {
    let isAnswered = true;
    for (const { origin, userId } of await store.records()) {
      try {
        const name = nameOfCopy(origin, userId);
        const record = await soundRecord(store, name);
        if (record !== null && (await isGone(record))) await forget(name);
      } catch {
        isAnswered = false;
      }
    }
    return isAnswered;
  }

  async function look(): Promise<void> {
    clearTimeout(timer);
    const isAnswered = await askAll().catch(() => false);
    failures = isAnswered ? 0 : failures + 1;
    if (isAnswered || isStopped) return;
    const wait = Math.min(LONGEST_MS, page.paces.key.retry * 2 ** (failures - 1));
    timer = setTimeout(() => void lookOnce(), wait);
  }

  function lookOnce(): Promise<void> {
    round ??= look().finally(() => {
      round = null;
    });
    return round;
  }

  return {
    isGone,
    isAllowed,
    look: lookOnce,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
