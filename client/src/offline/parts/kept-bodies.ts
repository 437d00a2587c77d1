/**
 * File bodies of the copy up to the size limit, sealed as on the server, fetched one at a time after
 * everything else.
 */
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { CopiedFile } from '../../keyring/calls.ts';
import type { OfflinePage } from '../page.ts';

interface KeptBodies {
  /** Fetches missing bodies and deletes unneeded ones. */
  keepAll(): void;
  /** After a change. */
  keepChanged(files: readonly CopiedFile[], gone: readonly string[]): void;
  catchUp(): void;
  stop(): void;
}

interface Of {
  readonly page: OfflinePage;
  readonly name: string;
  readonly origin: string;
}

/** Failures that are retried at the next check. */
const AT_ONCE = 2;
/** Then the delay doubles up to this. */
const LONGEST_MS = 300_000;

export function keptBodies({ page, name, origin }: Of): KeptBodies {
  const { http, keyring, store } = page;
  const stop = new AbortController();
  let line: Promise<unknown> = Promise.resolve();
  /** After a failure everything is checked again. */
  let isOwing = false;
  let failures = 0;
  let notBefore = 0;

  function fail() {
    isOwing = true;
    failures += 1;
    if (failures <= AT_ONCE) return;
    notBefore = performance.now() + Math.min(LONGEST_MS, page.paces.database.retry * 2 ** (failures - AT_ONCE));
  }

  function next(work: () => Promise<void>) {
    line = line
      .then(async () => {
        if (stop.signal.aborted) return;
        // Another tab holds the lock and may not know of this work.
        if ((await page.exclusive(`${name} bodies`, async () => work().then(() => true))) === null) isOwing = true;
        failures = 0;
      })
      .catch(fail);
  }

  const record = async () => {
    const { fileLimit = 0, withoutFiles = false, applicationId = '' } = (await store.record(name)) ?? {};
    return { most: withoutFiles ? 0 : fileLimit, applicationId };
  };

  async function fetchAll(files: readonly CopiedFile[], known: ReadonlyMap<string, number>) {
    const { most, applicationId: user_application_id } = await record();
    if (most === 0) return;
    for (const { groupId: g, entryId: e, fieldId: f, rev, bodySize } of files) {
      stop.signal.throwIfAborted();
      if (bodySize > most || known.get(f) === rev) continue;
      const asked = {
        params: { g, e, f },
        query: { rev, user_application_id },
        signal: stop.signal,
        maxBytes: bodySize + 1,
      };
      const bytes = await http.bytes(fields.file, asked).catch((failure: unknown) => {
        if (failure instanceof AppError && GONE.has(failure.code)) return null;
        throw failure;
      });
      if (bytes !== null) await store.keepBody(name, { fieldId: f, rev, body: new Blob([bytes]) });
    }
  }

  async function bringAll() {
    isOwing = false;
    const { most } = await record();
    const kept = await store.bodies(name);
    if (most === 0 && kept.length === 0) return;
    const files = most === 0 ? [] : await keyring.call('copiedFiles', { origin });
    const wanted = new Map(files.filter(({ bodySize }) => bodySize <= most).map(({ fieldId, rev }) => [fieldId, rev]));
    const useless = kept.filter(({ fieldId, rev }) => wanted.get(fieldId) !== rev).map(({ fieldId }) => fieldId);
    await store.dropBodies(name, useless);
    await fetchAll(files, new Map(kept.map(({ fieldId, rev }) => [fieldId, rev])));
  }

  async function bringChanged(files: readonly CopiedFile[], gone: readonly string[]) {
    const kept = new Map((await store.bodies(name)).map(({ fieldId, rev }) => [fieldId, rev]));
    const replaced = files.filter(({ fieldId, rev }) => kept.has(fieldId) && kept.get(fieldId) !== rev);
    await store.dropBodies(name, [...gone, ...replaced.map(({ fieldId }) => fieldId)]);
    await fetchAll(files, kept);
  }

  return {
    keepAll: () => next(bringAll),
    keepChanged(files, gone) {
      if (files.length + gone.length > 0) next(() => (isOwing ? bringAll() : bringChanged(files, gone)));
    },
    catchUp() {
      if (isOwing && performance.now() >= notBefore) next(bringAll);
    },
    stop: () => stop.abort(),
  };
}

/** The file was removed, or the person has lost access. */
const GONE: ReadonlySet<string> = new Set(['not_found', 'forbidden']);
