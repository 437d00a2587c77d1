/**
 * Writes the sealed trust record with compare-and-set. No operation fails because of a failed write, which
 * stays pending.
 */
import { readDocument, writeDocument } from '@passwordbroker/core/contract/account/own-keys';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { OutputOf } from '../../keyring/calls.ts';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import { isLocked } from '../../keyring/keyring-error.ts';
import type { Http } from '../../transport/http.ts';
import { reasonOf } from '../../transport/reason.ts';

export interface TrustSync {
  /** Writes 200 ms after an operation of the person. */
  soon(): void;
  /**
   * Five seconds after the last automatic acceptance; at most once a minute, large records every 10 minutes.
   */
  later(): void;
  /** Resolves when the write ended, even in failure, or after two seconds. */
  flush(): Promise<void>;
  /** Reads and merges the server's record. Rejects if the request fails. */
  read(): Promise<void>;
}

const TRIES = 5;
const SOON_MS = 200;
const LATER_MS = 5_000;
const REST_MS = 60_000;
/** Maximum wait of `flush`. */
const LONGEST_MS = 2_000;
/** Base64 length of 256 KiB. */
const LARGE_BASE64 = (256 * 1024 * 4) / 3;
const LARGE_REST_MS = 600_000;

/** 50 to 500 ms, so that two browsers do not collide again. */
const jitter = () => 50 + ((crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) / 255) * 450;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** @param onChange called when the account's state may have changed */
export function trustSync(http: Http, keyring: VaultKeyring, onChange: () => void): TrustSync {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isUrgent = false;
  let restUntil = 0;
  let running: Promise<void> | null = null;

  function schedule(ms: number) {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), ms);
  }

  const flush = (): Promise<void> => Promise.race([writeAll(), pause(LONGEST_MS)]);

  async function writeAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    isUrgent = false;
    if (running !== null) await running;
    running ??= write().finally(() => (running = null));
    await running;
  }

  async function write(): Promise<void> {
    if (!keyring.isOpen()) return;
    try {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const sealed = await keyring.call('sealTrust', null);
        if (sealed === null || (await isTaken(sealed))) break;
        await read();
        await pause(jitter());
      }
    } catch (failure) {
      if (isLocked(failure) || !keyring.isOpen()) return;
      await keyring.call('trustFailed', { reason: reasonOf(failure) }).catch(() => undefined);
    }
    onChange();
  }

  /** False: another browser has written meanwhile. */
  async function isTaken({ replaces, version, blob_base64 }: NonNullable<OutputOf<'sealTrust'>>): Promise<boolean> {
    const isLarge = blob_base64.length > LARGE_BASE64;
    restUntil = Date.now() + (isLarge ? LARGE_REST_MS : REST_MS);
    try {
      const body = { version, blob_base64 };
      const stored = await http.call(writeDocument, { params: { name: 'trust' }, ifMatch: replaces, body });
      await keyring.call('trustStored', { version: stored.version });
      keyring.tellDocuments([{ name: 'trust', version: stored.version }]);
      return true;
    } catch (failure) {
      if (failure instanceof AppError && failure.code === 'slot_conflict') return false;
      throw failure;
    }
  }

  async function read(): Promise<void> {
    const document = await http.call(readDocument, { params: { name: 'trust' } }).catch((failure: unknown) => {
      if (failure instanceof AppError && failure.code === 'not_found') return null;
      throw failure;
    });
    keyring.applyJudgements(await keyring.call('readTrust', { document }));
    onChange();
  }

  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    isUrgent = false;
  };
  keyring.onLocked(stop);

  return {
    soon() {
      if (isUrgent && timer !== undefined) return;
      isUrgent = true;
      schedule(SOON_MS);
    },
    later() {
      if (isUrgent && timer !== undefined) return;
      schedule(Math.max(LATER_MS, restUntil - Date.now()));
    },
    flush,
    read,
  };
}
