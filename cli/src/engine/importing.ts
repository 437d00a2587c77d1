/** Imports. The file is read where the keys are, from its path: the command and the agent run under the same account. */
import { readFileSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { EXCHANGE_LIMITS } from '@passwordbroker/core/domain/exchange/exchange-error';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import type { DetectedFile, Imported, ReadFile, VaultWrite } from '@passwordbroker/client/vault/vault';
import { wrongUsage } from '../failure.ts';

export type Detected = Pick<DetectedFile, 'id' | 'label' | 'needs' | 'takesKeyFile' | 'better' | 'limit'> & {
  /** Bytes. */
  readonly size: number;
};

/** @param signedIn rejects unless somebody is signed in */
export function importingOf(write: () => VaultWrite, signedIn: () => Promise<void>) {
  return {
    /** @param path absolute */
    async detectFile({ path }: { readonly path: string }): Promise<Detected> {
      await signedIn();
      const file = fileOf(path);
      const { id, label, needs, takesKeyFile, better, limit } = await write().imports.detect(file);
      return { id, label, needs, takesKeyFile, better, limit, size: file.size };
    },

    /** What it holds, without values; they stay here until `storeFile` or `dropFile`. */
    async readFile({
      path,
      kind,
      password,
      keyFile,
    }: {
      readonly path: string;
      readonly kind: string;
      readonly password: string | null;
      /** Absolute path. */
      readonly keyFile: string | null;
    }): Promise<ReadFile> {
      await signedIn();
      return write().imports.read({
        file: fileOf(path),
        kind,
        ...(password === null ? {} : { password }),
        ...(keyFile === null ? {} : { keyFile: bytesOf(keyFile, MOST_KEY_FILE) }),
      });
    },

    /** As a new tree, all or nothing, named like the file unless a tree has that name. */
    async storeFile({ handle, path }: { readonly handle: number; readonly path: string }): Promise<Imported> {
      await signedIn();
      const { imports } = write();
      try {
        const name = await imports.freeName(basename(path, extname(path)).slice(0, MOST_NAME) || 'import');
        return await imports.store(handle, { rootName: name, without: [] });
      } finally {
        imports.drop(handle);
      }
    },

    async dropFile({ handle }: { readonly handle: number }): Promise<void> {
      write().imports.drop(handle);
    },
  };
}

/** Leaves room for ' (2)'. */
const MOST_NAME = 240;

const MOST_KEY_FILE = 1024 * 1024;

/** In memory: a blob of a file on disk cannot go to the keyring. */
const fileOf = (path: string): Blob => new Blob([bytesOf(path, EXCHANGE_LIMITS.archiveBytes)]);

/** @throws CommandError unless it is a file of at most so many bytes */
function bytesOf(path: string, most: number): Uint8Array<ArrayBuffer> {
  const found = statSync(path);
  // A pipe would stop everything else, locking too.
  if (!found.isFile()) throw wrongUsage(`${path} is no file.`);
  if (found.size > most) throw wrongUsage(`The file is larger than ${formatFileSize(most)}.`);
  return new Uint8Array(readFileSync(path));
}
