/** Forged archives: a valid one is unpacked, changed and packed again with matching digests. */
import { sha256 } from '../../platform/ids-and-digests.ts';
import type { Manifest } from '../archive/archive-format.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { archiveOf, restoreInto } from './archive.ts';
import { pack, unpack } from './repack.ts';
import type { Entry } from './repack.ts';
import { rm } from 'node:fs/promises';

export const entry = (name: string, content: string | Buffer = '', header: object = {}): Entry => ({
  header: { name, ...header },
  bytes: Buffer.from(content),
});

export interface Forge {
  /** The valid archive without a password. */
  readonly plain: string;
  readonly entries: readonly Entry[];
  /** The archive with an additional entry before the manifest. */
  withEntry(more: Entry): Entry[];
  /** The archive with a changed text in the first entry whose name starts with this prefix. */
  changed(name: string, change: (text: string) => string): Entry[];
  /** Error of restoring these entries; null if they are restored. */
  refused(made: readonly Entry[]): Promise<{ readonly fault: string; readonly detail: string } | null>;
}

/** Forges archives of this server's present state. */
export async function forgeOf(app: TestApp): Promise<Forge> {
  const plain = await archiveOf(app, { password: null });
  const entries = await unpack(plain);
  return {
    plain,
    entries,
    withEntry: (more) => [...entries.slice(0, -1), more, ...entries.slice(-1)],
    changed(name, change) {
      const index = entries.findIndex(({ header }) => header.name.startsWith(name));
      return entries.map((one, here) =>
        here === index ? { ...one, bytes: Buffer.from(change(one.bytes.toString())) } : one,
      );
    },
    async refused(made) {
      const path = await pack(`${plain}.forged`, made);
      return restoreInto(path, null).then(
        async ({ scratchDir }) => {
          await rm(scratchDir, { recursive: true });
          return null;
        },
        (error: unknown) => error as { fault: string; detail: string },
      );
    },
  };
}

/** Updates the manifest to the rows, bytes and digests of the tables and files. `more` changes it further. */
export function withDigests(made: readonly Entry[], more: (manifest: Manifest) => object = (same) => same): Entry[] {
  const last = made.at(-1);
  if (last?.header.name !== 'manifest.json') throw new Error('The manifest comes last');
  const manifest = JSON.parse(last.bytes.toString()) as Manifest;
  const parts = new Map<string, Buffer[]>(Object.keys(manifest.tables).map((table) => [table, []]));
  const bodies = { count: 0, bytes: 0 };
  for (const { header, bytes } of made) {
    const [folder, table = ''] = header.name.split('/');
    if (folder === 'tables') parts.set(table, [...(parts.get(table) ?? []), bytes]);
    if (folder === 'bodies') {
      bodies.count += 1;
      bodies.bytes += bytes.length;
    }
  }
  const tables = Object.fromEntries(
    [...parts].map(([table, pieces]) => {
      const all = Buffer.concat(pieces);
      const rows = all.toString().split('\n').length - 1;
      return [table, { rows, bytes: all.length, sha256: sha256(all).toString('hex') }];
    }),
  );
  return [...made.slice(0, -1), entry('manifest.json', JSON.stringify(more({ ...manifest, tables, bodies })))];
}
