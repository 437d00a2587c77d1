/**
 * Whether copies may stay in this browser is asked of their server by their application alone: nobody has to be signed in for that (docs/spec/crypto.md §16). Only what the
 * server itself answers counts; something in front of it may refuse whatever it likes.
 */
import { standing as standingOf } from '@passwordbroker/core/contract/account/offline';
import { setup } from '@passwordbroker/core/contract/site/system';
import { nameOfCopy, type CopyRecord } from '../../keyring/copy/copy-store.ts';
import { soundRecord } from '../labels.ts';
import type { OfflinePage } from '../page.ts';

export interface Standings {
  /** Of one copy. Where it is gone because of the site, that is shown. @throws NetworkError, AppError: nothing is known */
  isGone(record: CopyRecord, signal?: AbortSignal): Promise<boolean>;
  /** Whether the site allows copies, as far as it says so. Never throws. */
  isAllowed(): Promise<boolean>;
  /** Looks at every copy of the server that the page speaks to. What is not answered is asked again later. */
  look(): Promise<void>;
  stop(): void;
}

/** Doubles what is waited after each round without an answer, up to this. */
const LONGEST_MS = 300_000;

interface Of {
  readonly page: Pick<OfflinePage, 'http' | 'store' | 'origin' | 'paces' | 'show'>;
  readonly forget: (name: string) => Promise<void>;
}

export function askStandings({ page, forget }: Of): Standings {
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

  /** Another server knows nothing of it, and would call it gone. */
  const isOurs = ({ origin }: CopyRecord) => origin === (http.server() ?? page.origin);

  async function isGone(record: CopyRecord, signal?: AbortSignal): Promise<boolean> {
    if (!isOurs(record)) return false;
    const { applicationId: id } = record;
    const { standing } = await http.call(standingOf, { params: { id }, signal });
    if (standing === 'kept') return false;
    // Of the site that the page may have left meanwhile nothing is shown.
    if (!(await isAllowed()) && isOurs(record)) page.show({ allowed: false });
    return true;
  }

  /** @returns whether all were answered */
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
