import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import * as exports from '@passwordbroker/core/contract/entries/exports';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Outline } from '../../keyring/exports/export-calls.ts';
import { NetworkError, OfflineError } from '../../transport/exchange.ts';
import type { Http } from '../../transport/http.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { ExportWrites, WrittenExport } from '../vault.ts';
import { MAX_BODY_BYTES } from './online-reveals.ts';

/** Groups that are opened together share requests. */
const GROUPS_AT_ONCE = 100;
const TRIES = 3;

type Page = AnswerOf<typeof exports.release>;
type Value = exports.ReleasedValue;

export function onlineExports(http: Http, keyring: VaultKeyring, keys: OnlineKeys): ExportWrites {
  async function readOutline(exportId: string, signal: AbortSignal | undefined): Promise<Outline> {
    const groups: Outline['groups'][number][] = [];
    const entries: Outline['entries'][number][] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: AnswerOf<typeof exports.outline> = await http.call(exports.outline, {
        params: { exportId },
        query: { after },
        signal,
      });
      groups.push(...page.groups);
      entries.push(...page.entries);
      after = page.cursor;
    }
    return { groups, entries };
  }

  /** Nothing is released for a group that does not open. */
  async function openGroups({ groups }: Outline, signal: AbortSignal | undefined) {
    for (let at = 0; at < groups.length; at += GROUPS_AT_ONCE) {
      const some = groups.slice(at, at + GROUPS_AT_ONCE);
      await Promise.all(some.map(({ entry_group_id }) => keys.open(entry_group_id, undefined, signal)));
    }
  }

  /** A page may be asked for again: it is recorded once. */
  async function release(exportId: string, after: number, signal: AbortSignal | undefined): Promise<Page> {
    for (let tries = 1; ; tries += 1) {
      try {
        const body = { after, limit: LIMITS.exportPage };
        return await http.call(exports.release, { params: { exportId }, body, signal });
      } catch (failure) {
        const isLost = failure instanceof NetworkError && !(failure instanceof OfflineError);
        if (!isLost || tries === TRIES) throw failure;
      }
    }
  }

  /** Opens what a page has released. Returns how many do not open. */
  async function open(handle: number, { releases }: Page, signal: AbortSignal | undefined): Promise<number> {
    const versions = new Map(releases.map((value) => [`${value.entry_group_id} ${value.gk_version}`, value]));
    for (const { entry_group_id, gk_version } of versions.values()) await keys.open(entry_group_id, gk_version, signal);
    const texts = releases.filter(({ file }) => file === null).map((value) => ({ value }));
    let { failed } = await keyring.call('openForExport', { handle, values: texts }, { signal });
    for (const value of releases.filter(({ file }) => file !== null)) {
      const { buffer } = await bodyOf(value, signal);
      const values = [{ value, body: buffer }];
      failed += (await keyring.call('openForExport', { handle, values }, { signal, transfer: [buffer] })).failed;
    }
    return failed;
  }

  const bodyOf = (value: Value, signal: AbortSignal | undefined) =>
    http.bytes(fields.file, {
      params: { g: value.entry_group_id, e: value.entry_id, f: value.field_id },
      query: { rev: value.rev },
      signal,
      maxBytes: MAX_BODY_BYTES,
    });

  return {
    start: (request, signal) => http.call(exports.start, { body: request, signal }),

    async write(started, { name, password }, { signal, onProgress } = {}): Promise<WrittenExport> {
      const { export_id: exportId, format, counts } = started;
      const outline = await readOutline(exportId, signal);
      await openGroups(outline, signal);
      const { handle } = await keyring.call('beginExport', { name, outline }, { signal });
      let [released, gone, failed] = [0, 0, 0];
      try {
        for (let page = await release(exportId, 0, signal); ; page = await release(exportId, page.after, signal)) {
          released += page.releases.length;
          gone += page.gone.length;
          failed += await open(handle, page, signal);
          onProgress?.({ phase: 'opening', done: released + gone, total: counts.values });
          if (page.done) break;
        }
        const written = await keyring.call(
          'writeExport',
          { handle, format, password },
          { signal, onProgress: (work) => onProgress?.({ phase: 'writing', ...work }) },
        );
        await http.call(exports.finish, { params: { exportId }, body: { state: 'done' }, signal });
        return { ...written, values: released - failed, gone, failed };
      } finally {
        // After a lock nothing is left to drop.
        if (keyring.isOpen()) keyring.call('dropExport', { handle }).catch(() => undefined);
      }
    },

    cancel: (exportId) => http.call(exports.finish, { params: { exportId }, body: { state: 'cancelled' } }),
  };
}
