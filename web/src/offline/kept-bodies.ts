/** Bodies of files up to the limit that the person has set, kept as the server has them: sealed. One is fetched after the other, behind everything else. */
import * as fields from '@passwordbroker/core/contract/fields';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { CopiedFile } from '../keyring/calls.ts';
import type { OfflinePage } from './page.ts';

interface KeptBodies {
  /** All of the copy, and no others. */
  keepAll(): void;
  /** These, too. */
  keepMore(files: readonly CopiedFile[]): void;
  stop(): void;
}

interface Of {
  readonly page: OfflinePage;
  readonly name: string;
  readonly origin: string;
}

export function keptBodies({ page, name, origin }: Of): KeptBodies {
  const { http, keyring, store } = page;
  const stop = new AbortController();
  let line: Promise<unknown> = Promise.resolve();

  /** What fails is tried with the next copy: a file that is missing is said when somebody asks for it. */
  function next(work: () => Promise<void>) {
    line = line
      .then(() => (stop.signal.aborted ? undefined : page.exclusive(`${name} bodies`, work)))
      .catch(() => null);
  }

  const limit = async () => (await store.record(name))?.fileLimit ?? 0;

  async function fetchAll(files: readonly CopiedFile[], known: ReadonlyMap<string, number>) {
    const most = await limit();
    for (const { groupId: g, entryId: e, fieldId: f, rev, bodySize } of files) {
      stop.signal.throwIfAborted();
      if (bodySize > most || known.get(f) === rev) continue;
      const asked = { params: { g, e, f }, query: { rev }, signal: stop.signal, maxBytes: bodySize + 1 };
      // One that is gone by now is no reason to leave out the others.
      const bytes = await http.bytes(fields.file, asked).catch((failure: unknown) => {
        if (failure instanceof AppError) return null;
        throw failure;
      });
      if (bytes !== null) await store.keepBody(name, { fieldId: f, rev, body: new Blob([bytes]) });
    }
  }

  return {
    keepAll: () =>
      next(async () => {
        const most = await limit();
        const kept = await store.bodies(name);
        if (most === 0 && kept.length === 0) return;
        const files = most === 0 ? [] : await keyring.call('copiedFiles', { origin });
        const wanted = new Map(
          files.filter(({ bodySize }) => bodySize <= most).map(({ fieldId, rev }) => [fieldId, rev]),
        );
        const useless = kept.filter(({ fieldId, rev }) => wanted.get(fieldId) !== rev).map(({ fieldId }) => fieldId);
        await store.dropBodies(name, useless);
        await fetchAll(files, new Map(kept.map(({ fieldId, rev }) => [fieldId, rev])));
      }),
    keepMore: (files) => {
      if (files.length > 0) next(() => fetchAll(files, new Map()));
    },
    stop: () => stop.abort(),
  };
}
