/** Reads of the opened copy, judged by this browser's record (docs/spec/crypto.md §9). */
import type { Envelope } from '@passwordbroker/core/contract/entities';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { openField, openFile } from '@passwordbroker/core/domain/fields/field';
import { wipeContent } from '@passwordbroker/core/domain/fields/payload';
import { openedContent } from '../revisions/contents.ts';
import { failingAs } from '../describe-failure.ts';
import { openingKeyOf, type HeldGroup, type OpenSession } from '../open-session.ts';
import { KeyringError } from '../keyring-error.ts';
import { withOlderVersions, openHeldGroup } from '../groups/group-services.ts';
import type { OfflineCallName } from '../offline-calls.ts';
import type { Services } from '../remote.ts';
import { describeGroup } from '../trust/details.ts';
import { memoryOf } from '../trust/judging.ts';
import { nameOfCopy, type CopyStore } from './copy-store.ts';
import { groupAnswerOf, listedField, membersOf, type FoundField, type CopySnapshot, historyIn } from './snapshot.ts';
import type { TrustRecord } from '@passwordbroker/core/domain/trust/trust-record';
import type { PackedGroup } from './packed-copy.ts';
import { indexSnapshot, type SnapshotIndex } from './snapshot-search.ts';

type Reads = Pick<Services, Extract<OfflineCallName, `copied${string}` | `openCopied${string}`> & ReadName>;
type ReadName = Exclude<
  OfflineCallName,
  'prepareCopy' | 'checkCopy' | 'takeCopy' | 'openCopy' | 'closeCopy' | 'copiedFiles'
>;

/** `begin` builds the search index ahead. */
export function copyReads(
  session: () => OpenSession,
  store: CopyStore,
  opened: () => CopySnapshot,
): Reads & { readonly begin: () => void } {
  /** Apart from groups opened with the server's answers. */
  let held: {
    readonly of: CopySnapshot;
    readonly groups: Map<string, HeldGroup>;
    readonly index: Promise<SnapshotIndex>;
  } | null = null;

  function ofCopy() {
    const snapshot = opened();
    if (held?.of !== snapshot) held = { of: snapshot, groups: new Map(), index: indexSnapshot(snapshot.data) };
    return { snapshot, known: held };
  }

  async function heldGroup(group: PackedGroup): Promise<HeldGroup> {
    const { known } = ofCopy();
    const { entry_group_id: groupId } = group;
    const present = known.groups.get(groupId) ?? (await openGroup(session(), group));
    known.groups.set(groupId, present);
    return present;
  }

  /** Opens former versions for values not rewrapped yet. */
  async function keyOf(group: PackedGroup, version: number) {
    const present = await heldGroup(group);
    if (present.keys.has(version) || present.hasOlder) return openingKeyOf(present, version);
    const next = await withOlderVersions(session().keyring, present, group);
    ofCopy().known.groups.set(group.entry_group_id, next);
    return openingKeyOf(next, version);
  }

  async function contentOf({ group, field }: FoundField, type: Envelope['type']) {
    const { entry_group_id: entryGroupId, entry_id: entryId, field_id: fieldId, rev } = field;
    const key = await keyOf(group, field.gk_version);
    return openField(key, { entryGroupId, entryId, fieldId, type, rev }, field);
  }

  /** @throws KeyringError 'integrity' for a revision older than shown */
  function fieldAt(place: { groupId: string; entryId: string; fieldId: string; rev: number }): FoundField | null {
    const found = ofCopy().snapshot.field(place.groupId, place.entryId, place.fieldId);
    if (found !== null && found.field.rev < place.rev) throw new KeyringError({ code: 'integrity', detail: 'rev' });
    return found;
  }

  return {
    begin: () => void ofCopy(),

    async copiedGroup({ groupId }) {
      const group = ofCopy().snapshot.group(groupId);
      return group === null ? null : groupAnswerOf(group, session().keyring);
    },

    async copiedMembers({ groupId }) {
      const group = ofCopy().snapshot.group(groupId);
      return group === null ? null : membersOf(group, session().keyring);
    },

    copiedEntries: async ({ groupId }) => ofCopy().snapshot.entries(groupId),

    async copiedFields({ groupId, entryId }) {
      return ofCopy().snapshot.fields(groupId, entryId)?.map(listedField) ?? null;
    },

    copiedHistory: async (asked) => historyIn(ofCopy().snapshot, asked),

    async copiedSearch(request) {
      return (await ofCopy().known.index).search(request);
    },

    async copiedEntriesById({ entryIds }) {
      return (await ofCopy().known.index).byId(entryIds);
    },

    openCopiedGroup: ({ groupId }) =>
      failingAs('key_mismatch', async () => {
        const group = ofCopy().snapshot.group(groupId);
        if (group === null) return null;
        return describeGroup(session(), await heldGroup(group));
      }),

    async openCopiedField({ type, ...place }) {
      const found = fieldAt(place);
      if (found === null) return null;
      return { content: openedContent(await contentOf(found, type)), listed: listedField(found.field) };
    },

    async openCopiedFile({ origin, ...place }) {
      const found = fieldAt(place);
      if (found === null) return null;
      const { field } = found;
      const kept = await store.body(nameOfCopy(origin, session().keyring.userId), field.field_id);
      if (kept === null || kept.rev !== field.rev) return { kept: false };
      const content = await contentOf(found, 'file');
      if (content.type !== 'file') throw new CryptoError('payload');
      const body = new Uint8Array(await kept.body.arrayBuffer());
      const bytes = await openFile(field.field_id, content.file, [body]).finally(() => wipeContent(content));
      const blob = new Blob([bytes], { type: 'application/octet-stream' });
      return { kept: true, content: openedContent(content), listed: listedField(field), blob };
    },
  };
}

async function openGroup(session: OpenSession, group: PackedGroup): Promise<HeldGroup> {
  const { keyring, chains } = session;
  const { entry_group_id: groupId, gk_version, origin, rosters, grants } = group;
  const memory = memoryOf(session, groupId);
  const asked = { groupId, path: [], answer: { origin, gk_version, rosters, grants }, certificates: [] };
  return openHeldGroup({
    keyring,
    memory: { ...memory, record: withoutUnreachable(memory.record, groupId, rosters.at(0)?.seq ?? 0) },
    group: asked,
    follow: chains.follow,
    isCopy: true,
  });
}

/** A copy cannot prove a link to accepted lists older than its own: such a group counts as unknown. */
function withoutUnreachable(record: TrustRecord | null, groupId: string, oldest: number): TrustRecord | null {
  const heads = Object.values(record?.groups[groupId]?.heads ?? {});
  if (record === null || heads.length === 0 || heads.some(([seq]) => seq >= oldest)) return record;
  const { [groupId]: _, ...groups } = record.groups;
  return { ...record, groups };
}
