import { ExchangeError } from '@passwordbroker/core/domain/exchange/exchange-error';
import type { FileArgon2 } from '@passwordbroker/core/domain/exchange/file-argon2';
import type { ExchangeTree } from '@passwordbroker/core/domain/exchange/tree';
import type { OpenSession } from '../open-session.ts';
import type { Services } from '../remote.ts';
import type { ImportCalls } from './import-calls.ts';

/** A person who has left the dialog open must not leave plain values behind. */
export const KEPT_MS = 10 * 60_000;

/** Rejects with the signal's reason, and then ends the derivation. */
export type DeriveForFile = (signal: AbortSignal) => FileArgon2;

/** The code that reads files loads with the first of them. One file is kept at a time. */
export function importServices(
  session: () => OpenSession,
  deriveForFile: DeriveForFile,
): Pick<Services, keyof ImportCalls> {
  let kept: { readonly handle: number; readonly tree: ExchangeTree } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let handles = 0;

  const drop = (handle: number) => {
    if (kept?.handle === handle) kept = null;
  };
  const stay = (handle: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => drop(handle), KEPT_MS);
  };
  const keep = (tree: ExchangeTree): number => {
    kept = { handle: (handles += 1), tree };
    stay(handles);
    return handles;
  };
  const take = (handle: number): ExchangeTree => {
    if (kept?.handle !== handle) throw new ExchangeError('gone', 'What was read is gone. Read the file again.');
    stay(handle);
    return kept.tree;
  };

  return {
    async detectImport({ file }) {
      const { detect } = await import('./read-file.ts');
      return detect(file);
    },
    async readImport(source, served) {
      session();
      kept = null;
      const { readFile, shown } = await import('./read-file.ts');
      const tree = await readFile(source, { ...served, argon2: deriveForFile(served.signal) });
      return { handle: keep(tree), ...shown(tree) };
    },
    async compareImport({ handle, existing }) {
      const tree = take(handle);
      const { sameEntries } = await import('./read-file.ts');
      return { same: sameEntries(tree, existing) };
    },
    async sealImport({ handle, ...how }, served) {
      const own = session();
      const { sealImport } = await import('./import-sealing.ts');
      return sealImport(own, take(handle), how, served);
    },
    dropImport: ({ handle }) => {
      drop(handle);
      return Promise.resolve(null);
    },
  };
}
