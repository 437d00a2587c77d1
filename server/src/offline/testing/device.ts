/** A device with an offline copy that it updates as the client does; an unfitting delta is an error. */
import { v7 } from 'uuid';
import * as offline from '@passwordbroker/core/contract/account/offline';
import type { OfflineAnswer, OfflineData, OfflineDelta } from '@passwordbroker/core/contract/account/offline';
import { applyOfflineDelta } from '@passwordbroker/core/domain/offline/offline-delta';
import { isConsistentCopy, isConsistentDelta } from '@passwordbroker/core/domain/offline/offline-consistency';
import type { SignedIn } from '../../testing/test-app.ts';

export interface Device {
  readonly applicationId: string;
  /** Downloads the full copy. */
  fetch(): Promise<OfflineAnswer>;
  /** Downloads and applies the changes since the last download. Returns the delta. */
  follow(): Promise<OfflineDelta>;
  /** The present copy, sorted. */
  copy(): OfflineData;
  isStale(): Promise<boolean>;
}

export async function deviceOf(person: SignedIn): Promise<Device> {
  const { userApplication } = await person.call(offline.openApplication, { body: { clientId: v7() } });
  const { user_application_id } = userApplication;
  await person.call(offline.setMode, { params: { id: user_application_id }, body: { status: true } });
  let copy: OfflineData = { trees: [], groups: [] };
  let cursor = '';
  return {
    applicationId: user_application_id,
    async fetch() {
      const answer = await person.call(offline.entryGroupsWithFields, { query: { user_application_id } });
      if (answer.data === undefined) throw new Error('Not all of it');
      if (!isConsistentCopy(answer.data, person.userId)) throw new Error('What was fetched does not fit together');
      copy = answer.data;
      ({ cursor } = answer);
      return answer;
    },
    async follow() {
      const answer = await person.call(offline.entryGroupsWithFields, {
        query: { user_application_id, since: cursor },
      });
      if (answer.delta === undefined) throw new Error('No delta');
      const { trees, groups } = applyOfflineDelta(copy, answer.delta);
      copy = { trees: [...trees], groups: groups.map((group) => ({ ...group, entries: [...group.entries] })) };
      const isSound = isConsistentDelta(answer.delta, person.userId) && isConsistentCopy(copy, person.userId);
      if (!isSound) throw new Error(`The delta does not fit: ${JSON.stringify(answer.delta)}`);
      ({ cursor } = answer);
      return answer.delta;
    },
    copy: () => inOrder(copy),
    isStale: async () =>
      (await person.call(offline.isDatabaseStale, { params: { id: user_application_id }, query: { since: cursor } }))
        .status,
  };
}

const by = <T>(rows: readonly T[], keyOf: (row: T) => string): T[] =>
  rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

/** Sorts lists whose order the contract leaves open. */
export function inOrder({ trees, groups }: OfflineData): OfflineData {
  const ordered = groups.map((group) => ({
    ...group,
    admins: by(group.admins, ({ id }) => id),
    entries: by(group.entries, ({ entry_id }) => entry_id),
  }));
  return { trees, groups: by(ordered, ({ entry_group_id }) => entry_group_id) };
}
