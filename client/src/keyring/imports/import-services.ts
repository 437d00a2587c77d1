import { ExchangeError } from '@passwordbroker/core/domain/exchange/exchange-error';
import type { FileArgon2 } from '@passwordbroker/core/domain/exchange/file-argon2';
import type { ExchangeTree } from '@passwordbroker/core/domain/exchange/tree';
import type { OpenSession } from '../open-session.ts';
import { keptPlain } from '../kept-plain.ts';
import type { Services } from '../remote.ts';
import type { ImportCalls } from './import-calls.ts';
import type { Revising } from './revising.ts';

/** Rejects with the signal's reason, and then ends the derivation. */
export type DeriveForFile = (signal: AbortSignal) => FileArgon2;

/** The code that reads files loads with the first of them. One file is kept at a time. */
export function importServices(
  session: () => OpenSession,
  deriveForFile: DeriveForFile,
): Pick<Services, keyof ImportCalls> {
  const kept = keptPlain<{ readonly tree: ExchangeTree; revising: Revising | null }>();
  const take = (handle: number) => {
    const read = kept.take(handle);
    if (read === null) throw ExchangeError.gone();
    return read;
  };

  return {
    async detectImport({ file }) {
      const { detect } = await import('./read-file.ts');
      return detect(file);
    },
    async readImport(source, served) {
      session();
      kept.clear();
      const { readFile, shown } = await import('./read-file.ts');
      const tree = await readFile(source, { ...served, argon2: deriveForFile(served.signal) });
      return { handle: kept.keep({ tree, revising: null }), ...shown(tree) };
    },
    async compareImport({ handle, existing }) {
      const { tree } = take(handle);
      const { sameEntries } = await import('./read-file.ts');
      return sameEntries(tree, existing);
    },
    async pairImport({ handle, entries }) {
      const read = take(handle);
      const { revising } = await import('./revising.ts');
      read.revising = revising(read.tree, entries);
      return read.revising.pairs;
    },
    async compareValues({ handle, values }) {
      const { revising } = take(handle);
      return revising === null ? [] : revising.compare(session(), values);
    },
    async sealImport({ handle, ...how }, served) {
      const own = session();
      const { sealImport } = await import('./import-sealing.ts');
      const { tree, revising } = take(handle);
      return sealImport(own, tree, { ...how, revising }, served);
    },
    dropImport: ({ handle }) => {
      kept.drop(handle);
      return Promise.resolve(null);
    },
  };
}
