/** Exports. The file is written where the keys are: opened values never go to the command. */
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Export } from '@passwordbroker/core/contract/entries/exports';
import { AppError } from '@passwordbroker/core/contract/problem';
import { settings } from '@passwordbroker/core/contract/site/site';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import type { ExportBy } from '@passwordbroker/core/domain/exchange/export-formats';
import { exportedGroups, type ScopeGroup } from '@passwordbroker/client/vault/entries/export-scope';
import type { ExportRequest, VaultRead, VaultWrite, WrittenExport } from '@passwordbroker/client/vault/vault';
import { alreadyThere, CommandError, EXIT } from '../failure.ts';
import { encodeElement } from '../references.ts';
import { oneGroup } from './find.ts';
import type { Asked, NodeClient } from './node-platform.ts';

interface Named {
  readonly id: string;
  readonly path: string;
}

export interface Exportable {
  readonly exportBy: ExportBy;
  /** Whether files without encryption are allowed. */
  readonly withPlain: boolean;
  readonly groups: readonly Named[];
  /** Those that the person can read, but not export. */
  readonly refused: readonly Named[];
  /** Of the root, if the groups have no common one. */
  readonly name: string;
}

export type Opened = Omit<WrittenExport, 'file'> & {
  /** Names the file for `storeExport`, `readOpened` and `dropOpened`. */
  readonly exportId: string;
  /** Bytes. */
  readonly size: number;
};

type Group = ScopeGroup & { readonly path: string };

/** @param signedIn rejects unless somebody is signed in. @param demandTrusted rejects for a disputed group */
export function exportingOf(
  { http, keyring }: Pick<NodeClient, 'http' | 'keyring'>,
  read: Pick<VaultRead, 'tree'>,
  write: () => VaultWrite,
  signedIn: () => Promise<void>,
  demandTrusted: (groupId: string) => Promise<void>,
) {
  /** By export, written in memory: until it is stored or dropped, its command ends, or the vault locks. */
  const kept = new Map<string, Blob>();
  keyring.onLocked(() => kept.clear());
  /** The export that has begun and not ended. */
  let open: string | null = null;

  /** Returns how many values the export had released; null: unknown. An export that is left open expires by itself. */
  const end = async (exportId: string): Promise<number | null> => {
    if (open === exportId) open = null;
    const exports = await write().exports();
    return exports.cancel(exportId).then(
      ({ released }) => released,
      () => null,
    );
  };

  /** @throws CommandError if nothing is kept of this export */
  const keptOf = (exportId: string): Blob => {
    const file = kept.get(exportId);
    if (file === undefined) throw openedGone();
    return file;
  };

  return {
    /** @param groups names from the root down; `[]`: all groups */
    async exportable({ groups }: { readonly groups: readonly (readonly string[])[] }): Promise<Exportable> {
      await signedIn();
      const [tree, { export_by, export_plain }] = await Promise.all([read.tree(), http.call(settings)]);
      const chosen = groups.map((elements) => oneGroup(tree, elements));
      const tops =
        groups.length === 0
          ? tree.map((node) => groupOf(node, encodeElement(node.title)))
          : chosen.map(({ node, path }) => groupOf(node, path));
      const [top] = chosen;
      const scope = exportedGroups(tops, export_by);
      return {
        exportBy: export_by,
        withPlain: export_plain,
        groups: scope.groups.map(named),
        refused: scope.refused.map(named),
        name: top === undefined ? 'all' : chosen.length === 1 ? top.node.title : 'selection',
      };
    },

    /** Releases nothing yet. @param endsOther ends an export of the person that is under way */
    async startExport(
      { endsOther, ...request }: ExportRequest & { readonly endsOther: boolean },
      { gone, signal }: Asked,
    ): Promise<Export> {
      await signedIn();
      for (const groupId of request.scope.groups ?? []) await demandTrusted(groupId);
      const exports = await write().exports();
      const started = await exports.start(request, signal).catch(async (failure: unknown) => {
        const other = endsOther ? otherExport(failure) : null;
        if (other === null) throw failure;
        await exports.cancel(other);
        return exports.start(request, signal);
      });
      const { export_id } = started;
      open = export_id;
      const endLeft = () => (open === export_id ? void end(export_id) : undefined);
      gone.addEventListener('abort', endLeft, { once: true });
      return started;
    },

    async cancelExport({ exportId }: { readonly exportId: string }): Promise<void> {
      await end(exportId);
    },

    /**
     * Opens the values and writes the file in memory, under the id of the export. Ends the export if it fails.
     * @throws CommandError with exit 11 if it was cancelled
     */
    async openExport(
      { started, name, password }: { readonly started: Export; readonly name: string; readonly password: string },
      { gone, signal, onProgress }: Asked,
    ): Promise<Opened> {
      try {
        const exports = await write().exports();
        const { file, ...told } = await exports.write(started, { name, password }, { signal, onProgress });
        if (open === started.export_id) open = null;
        signal.throwIfAborted();
        kept.set(started.export_id, file);
        gone.addEventListener('abort', () => kept.delete(started.export_id), { once: true });
        return { ...told, exportId: started.export_id, size: file.size };
      } catch (failure) {
        const released = await end(started.export_id);
        if (signal.aborted) throw new CommandError(EXIT.givenUp, 'given_up', cancelledAfter(released));
        throw failure;
      }
    },

    /** @param path absolute @throws CommandError; then no part of the file is left, and a former one stays */
    async storeExport({
      exportId,
      path,
      isForced,
    }: {
      readonly exportId: string;
      readonly path: string;
      readonly isForced: boolean;
    }): Promise<void> {
      const file = keptOf(exportId);
      kept.delete(exportId);
      await storeFile(file, path, isForced);
    },

    /** A part of an encrypted file from this byte on, in base64; never ''. @throws CommandError if it is gone */
    async readOpened({ exportId, at }: { readonly exportId: string; readonly at: number }): Promise<string> {
      const part = keptOf(exportId).slice(at, at + CHUNK);
      if (part.size === 0) throw openedGone();
      return Buffer.from(await part.arrayBuffer()).toString('base64');
    },

    async dropOpened({ exportId }: { readonly exportId: string }): Promise<void> {
      kept.delete(exportId);
    },
  };
}

const groupOf = ({ entry_group_id: id, title, role, children }: TreeNode, path: string): Group => ({
  id,
  title,
  role,
  path,
  children: children.map((child) => groupOf(child, `${path}/${encodeElement(child.title)}`)),
});

const named = ({ id, path }: Group): Named => ({ id, path });

function otherExport(failure: unknown): string | null {
  const id = failure instanceof AppError && failure.code === 'conflict' ? failure.details?.['export_id'] : null;
  return typeof id === 'string' ? id : null;
}

const cancelledAfter = (released: number | null): string => {
  if (released === null) return 'The export was cancelled. What it had opened is recorded.';
  if (released === 0) return 'The export was cancelled. No value had been opened.';
  const values = released === 1 ? '1 value had been opened and is' : `${released} values had been opened and are`;
  return `The export was cancelled. ${values} recorded.`;
};

const openedGone = () => new CommandError(EXIT.failed, 'gone', 'What was opened is gone. Export again.');

/** Copied at a time. */
const CHUNK = 4 * 1024 * 1024;

/** Writes a new file beside it, which then takes the name. It is for this account alone. */
async function storeFile(file: Blob, path: string, isForced: boolean): Promise<void> {
  const part = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.part`);
  let opened: number | null = null;
  try {
    opened = openSync(part, 'wx', 0o600);
    for (let at = 0; at < file.size; at += CHUNK) {
      const bytes = new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer());
      for (let done = 0; done < bytes.length;) done += writeSync(opened, bytes, done);
    }
    fsyncSync(opened);
    if (isForced) renameSync(part, path);
    else placeAnew(part, path);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(EXIT.failed, 'no_file', `${path} cannot be written: ${messageOf(error)}`);
  } finally {
    if (opened !== null) closeSync(opened);
    rmSync(part, { force: true });
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Never over a file that appeared meanwhile. */
function placeAnew(part: string, path: string): void {
  try {
    linkSync(part, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw alreadyThere(path);
    // This file system has no hard links.
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw alreadyThere(path);
    renameSync(part, path);
  }
}
