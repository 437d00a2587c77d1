import { importFile as importEndpoint } from '@passwordbroker/core/contract/entries/import';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import type { ImportWrites } from '../vault.ts';

/** The server is silent while it stores a large import. */
const STORING_SILENCE_MS = 300_000;

/** Maximum bytes of a form part around its body: boundary, name, headers. */
const PART_MOST = 512;

/** The sealed import exceeds one request, because attachments grow when unpacked. Nothing was sent. */
export class ImportTooLarge extends Error {
  override readonly name = 'ImportTooLarge';
  readonly size: number;
  readonly limit: number;

  constructor(size: number, limit: number) {
    super(`The sealed import has ${size} bytes, and ${limit} fit`);
    this.size = size;
    this.limit = limit;
  }
}

export function onlineImports(http: Http, keyring: VaultKeyring, onStored: () => void): ImportWrites {
  return {
    detect: (file) => keyring.call('detectImport', { file }),
    read: (source, { signal, onProgress } = {}) => keyring.call('readImport', source, { signal, onProgress }),
    async freeName(base, signal) {
      const { trees } = await http.call(groups.tree, { signal });
      return freeName(
        base,
        trees.map(({ title }) => title),
      );
    },
    async store(handle, choice, { signal, onProgress } = {}) {
      const { batch, bodies } = await keyring.call('sealImport', { handle, ...choice }, { signal, onProgress });
      const form = new FormData();
      form.set('batch', batch);
      for (const { name, body } of bodies) form.set(name, body, 'body');
      const total = bodies.reduce((sum, { body }) => sum + body.size, batch.size);
      if (total + (bodies.length + 1) * PART_MOST > importEndpoint.bodyLimit)
        throw new ImportTooLarge(total, importEndpoint.bodyLimit);
      onProgress?.({ phase: 'uploading', done: 0, total });
      const imported = await http.call(importEndpoint, {
        form,
        signal,
        silenceMs: STORING_SILENCE_MS,
        onSent: (done, total) => onProgress?.({ phase: done < total ? 'uploading' : 'storing', done, total }),
      });
      onStored();
      return imported;
    },
    drop(handle) {
      // After a lock nothing is left to drop.
      if (keyring.isOpen()) keyring.call('dropImport', { handle }).catch(() => undefined);
    },
  };
}

/** First of 'keepass', 'keepass (2)', … that no visible root has (docs/spec/decisions.md H7). */
export function freeName(base: string, taken: readonly string[]): string {
  const names = new Set(taken);
  if (!names.has(base)) return base;
  let count = 2;
  while (names.has(`${base} (${count})`)) count += 1;
  return `${base} (${count})`;
}
