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
        ...(keyFile === null ? {} : { keyFile: new Uint8Array(readFileSync(keyFile)) }),
      });
    },

    /** As a new tree, all or nothing, named like the file unless a tree has that name. */
    async storeFile({ handle, path }: { readonly handle: number; readonly path: string }): Promise<Imported> {
      await signedIn();
      const { imports } = write();
      const name = await imports.freeName(basename(path, extname(path)).slice(0, MOST_NAME) || 'import');
      return imports.store(handle, { rootName: name, without: [] });
    },

    async dropFile({ handle }: { readonly handle: number }): Promise<void> {
      write().imports.drop(handle);
    },
  };
}

/** Leaves room for ' (2)'. */
const MOST_NAME = 240;

/** In memory: a blob of a file on disk cannot go to the keyring. @throws CommandError if it is larger than any kind may be */
function fileOf(path: string): Blob {
  if (statSync(path).size > EXCHANGE_LIMITS.archiveBytes)
    throw wrongUsage(`The file is larger than ${formatFileSize(EXCHANGE_LIMITS.archiveBytes)}.`);
  return new Blob([readFileSync(path)]);
}
