/** Imports. The file is read where the keys are, from its path: the command and the agent run under the same account. */
import { readFileSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { EXCHANGE_LIMITS } from '@passwordbroker/core/domain/exchange/exchange-error';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { groupsInto } from '@passwordbroker/core/domain/import/groups-into';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import type {
  DetectedFile,
  ImportChoice,
  Imported,
  ReadFile,
  VaultRead,
  VaultWrite,
} from '@passwordbroker/client/vault/vault';
import { CommandError, EXIT, wrongUsage } from '../failure.ts';
import { oneGroup } from './find.ts';
import type { Asked } from './node-platform.ts';

export type Detected = Pick<DetectedFile, 'id' | 'label' | 'needs' | 'takesKeyFile' | 'better' | 'limit'> & {
  /** Bytes. */
  readonly size: number;
};

type IntoGroups = NonNullable<ImportChoice['into']>['groups'];

export interface Compared {
  readonly groups: IntoGroups;
  /** Indices of entries that look like existing ones of the same place. */
  readonly same: readonly number[];
  /** Those that look like ones of another group: index, its name. */
  readonly elsewhere: readonly (readonly [number, string])[];
  /** Of entries whose values were compared: index, titles of fields that differ. */
  readonly differing: readonly (readonly [number, readonly string[]])[];
}

/** @param signedIn rejects unless somebody is signed in */
export function importingOf(read: Pick<VaultRead, 'tree'>, write: () => VaultWrite, signedIn: () => Promise<void>) {
  return {
    /** @param path absolute */
    async detectFile({ path }: { readonly path: string }): Promise<Detected> {
      await signedIn();
      const file = fileOf(path);
      const { id, label, needs, takesKeyFile, better, limit } = await write().imports.detect(file);
      return { id, label, needs, takesKeyFile, better, limit, size: file.size };
    },

    /** What it holds, without values; they stay here until `storeFile`, `dropFile` or the end of the command. */
    async readFile(
      {
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
      },
      { gone }: Pick<Asked, 'gone'>,
    ): Promise<ReadFile> {
      await signedIn();
      const { imports } = write();
      const file = await imports.read({
        file: fileOf(path),
        kind,
        ...(password === null ? {} : { password }),
        ...(keyFile === null ? {} : { keyFile: bytesOf(keyFile, MOST_KEY_FILE) }),
      });
      const drop = () => imports.drop(file.handle);
      if (gone.aborted) drop();
      gone.addEventListener('abort', drop, { once: true });
      return file;
    },

    /**
     * Existing groups for those of the file, and the entries of the file that look like existing ones.
     * @throws CommandError with exit 11 if it was cancelled
     */
    async compareFile(
      {
        handle,
        groups,
        into,
        values,
      }: {
        readonly handle: number;
        readonly groups: ReadFile['groups'];
        /** Names from the root down. */
        readonly into: readonly string[];
        /** Whether the present values of duplicates are opened and compared. */
        readonly values: boolean;
      },
      { signal }: Pick<Asked, 'signal'>,
    ): Promise<Compared> {
      await signedIn();
      const found = groupsInto(groups, existingOf(oneGroup(await read.tree(), into).node));
      const { imports } = write();
      try {
        const { same, elsewhere } = await imports.compare(handle, found, signal);
        const differing = values ? [...(await imports.compareValues(handle, found, [...same], { signal }))] : [];
        signal.throwIfAborted();
        return { groups: found, same: [...same], elsewhere: [...elsewhere], differing };
      } catch (error) {
        if (!signal.aborted) throw error;
        throw new CommandError(EXIT.givenUp, 'given_up', values ? CANCELLED_COMPARING : CANCELLED);
      }
    },

    /** All or nothing, and can be cancelled: into groups, or as a new tree that is named like the file unless a tree has that name. */
    async storeFile(
      {
        handle,
        path,
        into,
      }: {
        readonly handle: number;
        readonly path: string;
        readonly into: {
          readonly groups: IntoGroups;
          readonly without: readonly number[];
          readonly revise: readonly number[];
        } | null;
      },
      { signal }: Pick<Asked, 'signal'>,
    ): Promise<Imported> {
      await signedIn();
      const { imports } = write();
      let isSending = false;
      const onProgress = ({ phase }: { readonly phase: string }) => (isSending ||= SENDING.has(phase));
      const options = { signal, onProgress };
      try {
        if (into !== null) {
          const { without, ...choice } = into;
          return await imports.store(
            handle,
            { rootName: '', without, into: { ...choice, sameMembers: true } },
            options,
          );
        }
        const name = await imports.freeName(basename(path, extname(path)).slice(0, MOST_NAME) || 'import');
        return await imports.store(handle, { rootName: name, without: [] }, options);
      } catch (error) {
        if (!signal.aborted) throw error;
        throw new CommandError(EXIT.givenUp, 'given_up', isSending ? CANCELLED_LATE : CANCELLED);
      } finally {
        imports.drop(handle);
      }
    },

    async dropFile({ handle }: { readonly handle: number }): Promise<void> {
      write().imports.drop(handle);
    },
  };
}

const existingOf = ({ entry_group_id: id, title, role, children }: TreeNode): Parameters<typeof groupsInto>[1] => ({
  id,
  title,
  role,
  children: children.map(existingOf),
});

const SENDING: ReadonlySet<string> = new Set(['uploading', 'storing']);
const CANCELLED = 'The import was cancelled. Nothing was stored.';
const CANCELLED_COMPARING = `${CANCELLED} What it had opened is recorded.`;
const CANCELLED_LATE =
  'The import was cancelled. Nothing was stored, unless the server had all of it already: look with pb ls, take it back with pb undo.';

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
