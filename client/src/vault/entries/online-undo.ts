/** Takes operations back; the former values of an import into existing groups are sealed anew here. */
import * as z from 'zod/mini';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import { AppError } from '@passwordbroker/core/contract/problem';
import { FIELD_TYPES } from '@passwordbroker/core/domain/fields/field-kinds';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import { KeyringError } from '../../keyring/keyring-error.ts';
import type { Http } from '../../transport/http.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { PastFieldPath, VaultWrite } from '../vault.ts';
import { fieldParams, onlineReleases, placeOf } from './online-reveals.ts';

const STORING_SILENCE_MS = 120_000;

/** `details.fields` of a refused undo (docs/spec/api.md §3.10). Ids are null for what is gone. */
const Revised = z.object({
  fields: z.array(
    z.object({
      entry_group_id: z.nullable(z.string()),
      entry_id: z.nullable(z.string()),
      field_id: z.string(),
      type: z.nullable(z.enum(FIELD_TYPES)),
      base_rev: z.number(),
      is_changed: z.boolean(),
    }),
  ),
});

interface Former {
  readonly path: PastFieldPath;
  /** The revision of the import. */
  readonly rev: number;
}

export function onlineUndo(http: Http, keyring: VaultKeyring, keys: OnlineKeys): VaultWrite['undo'] {
  const releases = onlineReleases(http, keyring, keys);

  async function sealFormer({ path, rev }: Former) {
    const row = await rowBefore(path, rev);
    const from = await releases.ofRow(path, row);
    // A file keeps its stored body.
    const { revision } = await keyring.call('reseal', { place: placeOf(path, rev + 1), from });
    return { field_id: path.field.field_id, base_rev: rev, revision };
  }

  /** The history row that wrote the revision before. */
  async function rowBefore(path: PastFieldPath, rev: number) {
    for (let before: string | undefined; ;) {
      const query = { limit: LIMITS.historyPage, ...(before === undefined ? {} : { before }) };
      const rows = await http.call(fields.history, { params: fieldParams(path), query });
      const found = rows.find((row) => row.rev === rev - 1 && WRITTEN.has(row.event_type));
      if (found !== undefined) return found;
      before = rows.at(-1)?.field_edit_log_id;
      if (rows.length < LIMITS.historyPage || before === undefined) {
        throw new KeyringError({ code: 'integrity', detail: 'rev' });
      }
    }
  }

  return async (operationId) => {
    const call = (body: object) =>
      http.call(operations.undo, { params: { operationId }, body, silenceMs: STORING_SILENCE_MS });
    const revised = await call({}).then(
      (undone) => undone,
      (error: unknown) => revisedIn(error),
    );
    if (!Array.isArray(revised)) return { ...revised, stays: staysOf(revised) };
    if (!keyring.isOpen()) throw new KeyringError({ code: 'locked' });
    const formers = revised.flatMap(formerOf);
    const leave = revised.filter(({ is_changed }) => is_changed).map(({ field_id }) => field_id);
    const groupIds = [...new Set(formers.map(({ path }) => path.entryGroupId))];
    const undone = await keys.withCurrentKeys(groupIds, async () => {
      const updates = [];
      for (const former of formers) updates.push(await sealFormer(former));
      return call({ updates, leave });
    });
    return { ...undone, stays: staysOf(undone) + leave.length };
  };
}

const WRITTEN: ReadonlySet<string> = new Set(['created', 'updated']);

type RevisedField = z.output<typeof Revised>['fields'][number];

/** @throws the error unless it names what the undo needs */
function revisedIn(error: unknown): RevisedField[] {
  const isRefusal = error instanceof AppError && error.code === 'conflict';
  const read = isRefusal ? z.safeParse(Revised, error.details) : null;
  if (read === null || !read.success || read.data.fields.length === 0) throw error;
  return read.data.fields;
}

function formerOf({ entry_group_id, entry_id, field_id, type, base_rev, is_changed }: RevisedField): Former[] {
  if (is_changed || entry_group_id === null || entry_id === null || type === null) return [];
  return [{ path: { entryGroupId: entry_group_id, entryId: entry_id, field: { field_id, type } }, rev: base_rev }];
}

const staysOf = ({ left }: { readonly left?: Readonly<Record<string, number>> | undefined }): number =>
  left === undefined ? 0 : Object.values(left).reduce((sum, count) => sum + count, 0);
