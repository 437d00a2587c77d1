/** Groups as an offline copy has them, without their entries. */
import type { OfflineHead } from '@passwordbroker/core/contract/offline';
import { readRoster } from '@passwordbroker/core/domain/roster';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { asEntryGroup, asGrant, asGroupUser, asRoster } from '../entry-groups/group-answers.ts';
import { grouped } from './grouped.ts';
import {
  listAdmins,
  listCertificates,
  listGrants,
  listGroups,
  listNewestRosters,
  listRostersBefore,
} from './head-repository.ts';

type Reader = Database['read'];
type RosterRow = Tables['group_rosters'];

/** How many rosters are looked through at once for the version that is still in use. */
const AT_ONCE = 100;

/** Heads of these groups by id; few enough for one statement. Who is no member of one gets none of it. */
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
  const newest = new Map((await listNewestRosters(read, ids)).map((row) => [row.entry_group_id, row]));
  const rosters = new Map<string, readonly RosterRow[]>();
  for (const { entry_group_id: id } of groups) {
    const last = newest.get(id);
    const oldest = Math.min(...(grants.get(id) ?? []).map(({ gk_version }) => gk_version));
    rosters.set(id, last === undefined ? [] : await rostersFrom(read, last, oldest));
  }
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

/** Ascending: from the last one of that version of the key to this one, the newest. */
async function rostersFrom(read: Reader, newest: RosterRow, version: number): Promise<readonly RosterRow[]> {
  const found = [newest];
  for (;;) {
    const first = found.at(-1) ?? newest;
    if (versionOf(first) <= version || first.seq === 0) return found.reverse();
    const before = await listRostersBefore(read, newest.entry_group_id, first.seq, AT_ONCE);
    if (before.length === 0) return found.reverse();
    for (const row of before) {
      found.push(row);
      if (versionOf(row) <= version) return found.reverse();
    }
  }
}

/** It was checked when it was stored. */
const versionOf = ({ bytes }: RosterRow) => readRoster(new Uint8Array(bytes)).gkVersion;
