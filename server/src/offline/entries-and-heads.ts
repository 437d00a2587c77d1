import { toFieldLists } from '@passwordbroker/core/domain/fields/field-kinds';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OfflineEntry, OfflineField, OfflineHead } from '@passwordbroker/core/contract/account/offline';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database } from '../db/database.ts';
import { asEntry } from '../entries/entry-repository.ts';
import { asEnvelope, asField, byKindAndTitle } from '../fields/field-answers.ts';
import { type SealedFieldRow, listSealedFields } from '../fields/field-repository.ts';
import { listEntries, grouped } from './copy-repository.ts';
import { readRoster } from '@passwordbroker/core/domain/rosters/roster';
import type { Tables } from '../db/schema/tables.ts';
import { asEntryGroup, asGrant, asGroupUser, asRoster } from '../groups/group-answers.ts';
import {
  listAdmins,
  listCertificates,
  listGrants,
  listGroups,
  listNewestRosters,
  listRostersBefore,
} from './head-repository.ts';

/** A few milliseconds before other requests run. */
const AT_ONCE = 150;

/** In the order of `ids`. */
export async function* entriesInOrder(
  read: Database['read'],
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<OfflineEntry> {
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    await nextTurn();
    // The client has disconnected.
    if (signal.aborted) throw new AppError('unavailable', { retryAfter: 1 });
    const portion = ids.slice(at, at + AT_ONCE);
    const entries = new Map((await listEntries(read, portion)).map((row) => [row.entry_id, row]));
    const fields = grouped(await listSealedFields(read, portion), ({ entry_id }) => entry_id);
    for (const id of portion) {
      const entry = entries.get(id);
      if (entry !== undefined) yield asOfflineEntry(entry, fields.get(id) ?? []);
    }
  }
}

function asOfflineEntry(
  entry: Awaited<ReturnType<typeof listEntries>>[number],
  rows: readonly SealedFieldRow[],
): OfflineEntry {
  const fields = rows.map((row) => asOfflineField(entry.entry_group_id, row)).sort(byKindAndTitle);
  return Object.assign(asEntry(entry), toFieldLists(fields));
}

function asOfflineField(groupId: string, row: SealedFieldRow): OfflineField {
  const place = { groupId, entryId: row.entry_id, fieldId: row.field_id, type: row.type };
  const { cek_wrapped_base64, encrypted_value_base64, initialization_vector_base64, ...more } = asEnvelope(place, row);
  const { file, site_sealed_base64 } = more;
  const sealed = { entry_group_id: groupId, cek_wrapped_base64, encrypted_value_base64, initialization_vector_base64 };
  const site = site_sealed_base64 === undefined ? {} : { site_sealed_base64 };
  return Object.assign(asField(row), sealed, { file }, site);
}

type Reader = Database['read'];
type RosterRow = Tables['group_rosters'];

/** The last key rotation is usually a few rosters ago, otherwise long ago. */
const AT_FIRST = 10;
const HEADS_AT_ONCE = 100;

/**
 * Groups without entries, by id; omits those that the person does not belong to. `groupIds` must fit into one
 * query.
 */
export async function headsOf(
  read: Reader,
  userId: string,
  groupIds: readonly string[],
): Promise<Map<string, OfflineHead>> {
  if (groupIds.length === 0) return new Map();
  const groups = await listGroups(read, userId, groupIds);
  const ids = groups.map(({ entry_group_id }) => entry_group_id);
  if (ids.length === 0) return new Map();
  const admins = grouped(await listAdmins(read, ids), ({ entry_group_id }) => entry_group_id);
  const grants = grouped(await listGrants(read, userId, ids), ({ entry_group_id }) => entry_group_id);
  const oldestOf = (id: string) => Math.min(...(grants.get(id) ?? []).map(({ gk_version }) => gk_version));
  const rosters = await rostersInUse(read, await listNewestRosters(read, ids), oldestOf);
  const signers = [...new Set([...rosters.values()].flat().map(({ signer_fpr }) => signer_fpr))];
  const certificates = new Map((await listCertificates(read, signers)).map((row) => [row.fpr, row]));
  const heads = groups.map((group): [string, OfflineHead] => [
    group.entry_group_id,
    {
      ...asEntryGroup(group, group.role),
      admins: (admins.get(group.entry_group_id) ?? []).map(asGroupUser),
      grants: (grants.get(group.entry_group_id) ?? []).map(asGrant),
      rosters: (rosters.get(group.entry_group_id) ?? []).map((row) =>
        asRoster({ ...row, certificate: certificates.get(row.signer_fpr) ?? null }),
      ),
    },
  ]);
  return new Map(heads);
}

/** Ascending, from the last roster of the oldest key version with a grant. Usually one query. */
async function rostersInUse(
  read: Reader,
  newest: readonly RosterRow[],
  oldestOf: (groupId: string) => number,
): Promise<ReadonlyMap<string, readonly RosterRow[]>> {
  const found = new Map(newest.map((row) => [row.entry_group_id, [row]]));
  const isOpen = (row: RosterRow) => row.seq > 0 && versionOf(row) > oldestOf(row.entry_group_id);
  let open = newest.filter(isOpen);
  for (let most = AT_FIRST; open.length > 0; most = HEADS_AT_ONCE) {
    const before = grouped(await listRostersBefore(read, open, most), ({ entry_group_id }) => entry_group_id);
    open = open.flatMap(({ entry_group_id: id }) => {
      const rows = before.get(id) ?? [];
      const end = rows.findIndex((row) => !isOpen(row));
      found.get(id)?.unshift(...rows.slice(0, end < 0 ? rows.length : end + 1).toReversed());
      const last = end < 0 ? rows.at(-1) : undefined;
      return last === undefined ? [] : [last];
    });
  }
  return found;
}

/** Cannot fail: rosters are checked when stored. */
const versionOf = ({ bytes }: RosterRow) => readRoster(new Uint8Array(bytes)).gkVersion;
