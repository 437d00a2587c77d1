/**
 * Changes rows of the database behind an honest program; then a person works with the real client (T120,
 * T121).
 */
import type { Certificate, Field } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { Attacker } from '../../../server/src/server-crypto/testing/changed-rows.ts';
import { sceneMaker, type TrustScene } from '../../../server/src/server-crypto/testing/trust-scene.ts';
import { startTestApp, type TestApp } from '../../../server/src/testing/test-app.ts';
import { testPerson } from '../../../server/src/testing/test-person.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import type { EntryPath } from '../vault/vault.ts';
import { createOracle, type Leak } from './hostile/oracle.node.ts';
import { deviceStoreInMemory } from './device-store-in-memory.ts';
import { type Mate, mateOf } from './team.node.ts';
import type { DeviceStore } from '../keyring/trust/own-copy.ts';

export const PAGE_ACTS = ['reveal', 'write', 'change', 'add', 'role', 'child', 'move', 'undo', 'rotate'] as const;
export type PageAct = (typeof PAGE_ACTS)[number];

export type Memory = 'with memory' | 'without memory';

export interface ChangedScene extends TrustScene {
  /** Opens the page after the change, on the device used before or on a new one. */
  open(): Promise<void>;
  close(): void;
  /** 'done', or the code and detail of the refusal. */
  act(act: PageAct): Promise<string>;
  /** State and reason of the group, and the state of the account's record, as the page shows them. */
  states(): Promise<{ readonly group: string; readonly account: string | undefined }>;
  /** Everything that the attacker can open in sent requests and in values of the database. */
  leaks(): Promise<readonly (Leak | string)[]>;
}

export interface ChangedRows {
  readonly app: TestApp;
  readonly attacker: Attacker;
  /** A group whose only list is the attacker's. */
  readonly lure: string;
  /** Ada's record from before the scenes' groups. */
  readonly first: { readonly n: number; readonly blob: Buffer };
  scene(memory: Memory): Promise<ChangedScene>;
}

export async function changedRows(): Promise<ChangedRows> {
  const app = await startTestApp();
  const scenes = await sceneMaker(app);
  const mallory = await app.signUp('mallory');
  const attacker = await Attacker.of(app, mallory.userId);
  await attacker.dropChecks();
  const first = await attacker.document((await testPerson('ada')).userId);
  if (first === undefined) throw new Error('Ada has no record');
  const lured = await scenes.make();
  await attacker.rotate(lured.group.g, lured.ada, 'anew');
  const written = new Set<string>();
  const told = new Set<string>();
  const newText = () => {
    const text = `page ${app.deps.newId()}`;
    written.add(text);
    return text;
  };

  async function scene(memory: Memory): Promise<ChangedScene> {
    // The number of key bundles per hour is limited.
    app.clock.advance(3 * 60_000);
    const made = await scenes.make();
    const { group } = made;
    const { client, oracle } = await listening(app, attacker, made);
    const deviceStore = deviceStoreInMemory();
    if (memory === 'with memory') await usedBefore(made, deviceStore);
    let mate: Mate | null = null;
    const opened = () => {
      if (mate === null) throw new Error('The page is not open');
      return mate;
    };
    return {
      ...made,
      close() {
        mate?.keyring.lock();
      },
      async open() {
        mate = await mateOf(client, deviceStore);
      },
      async act(act) {
        try {
          await perform(opened(), made, act, newText);
          return 'done';
        } catch (error) {
          return toldBy(error);
        }
      },
      async states() {
        await opened()
          .read.examine(group.g)
          .catch(() => undefined);
        const { memberships, trust } = opened().vault;
        const judged = memberships.trust(group.g) ?? { state: 'none' };
        return { group: Object.values(judged).join(' '), account: trust.account()?.state };
      },
      async leaks() {
        const texts = (await attacker.readable()).filter(
          (value) => (written.has(value) || scenes.secrets.has(value)) && !told.has(value),
        );
        // A value that leaked in one scene is not reported in later ones.
        for (const text of texts) told.add(text);
        const wraps = (await oracle.openedWraps()).map(({ method, path }) => `wrap in ${method} ${path}`);
        return [...wraps, ...(await oracle.leaks()), ...texts];
      },
    };
  }
  return { app, attacker, lure: lured.group.g, first, scene };
}

/** The device knows both groups from an earlier unlock. */
async function usedBefore({ ada, group, other }: TrustScene, deviceStore: DeviceStore): Promise<void> {
  const mate = await mateOf(ada, deviceStore);
  await mate.read.examine(group.g);
  await mate.read.examine(other.g);
  mate.keyring.lock();
}

async function perform(mate: Mate, scene: TrustScene, act: PageAct, newText: () => string): Promise<unknown> {
  const { read, write } = mate;
  const { group, other, bob, carol, moved } = scene;
  const { g, e, f } = group;
  const place: EntryPath = { entryGroupId: g, entryId: e };
  const field = async () => (await read.fields(place)).find(({ field_id }) => field_id === f) as Field;
  switch (act) {
    case 'reveal':
      return read.reveal({ ...place, field: await field() });
    case 'write':
      return write.createField(place, { type: 'note', title: 'Note', value: newText() });
    case 'change':
      return write.updateField({ ...place, field: await field() }, { type: 'note', title: 'Note', value: newText() });
    case 'add': {
      const trust = await read.keyTrust(carol);
      if (trust.state !== 'trusted') throw new Declined(trust.state);
      return write.members.add(g, { userId: carol.userId, fingerprint: trust.current.fingerprint }, 'member');
    }
    case 'role':
      return write.members.changeRole(g, bob.userId, 'member');
    case 'child':
      return write.createGroup({ name: 'Child', parentId: g, sameMembers: await read.members(g) });
    case 'move':
      return write.moveEntries(other.g, [other.e], g);
    case 'undo': {
      const row = (await read.journal(1)).data.find(({ operation_id }) => operation_id === moved);
      if (row === undefined || row.from === null || row.to === null) throw new Declined('gone');
      const { from: fromGroupId, to: toGroupId, target_ids: entryIds } = row;
      return write.undoEntryMove({ operationId: moved, fromGroupId, toGroupId, entryIds });
    }
    case 'rotate':
      return write.members.rotate(g, { force: true });
  }
}

/** The person sees an unconfirmed key, or no move to undo, and stops. */
class Declined extends Error {}

/** @throws anything that is not a refusal */
function toldBy(error: unknown): string {
  if (error instanceof Declined) return `declined ${error.message}`;
  if (error instanceof AppError) return error.code;
  if (!(error instanceof KeyringError)) throw error;
  return error.detail === undefined ? error.code : `${error.code} ${error.detail}`;
}

/** A client of this person, with an oracle that records its requests. */
async function listening(app: TestApp, attacker: Attacker, { ada, group, other }: TrustScene) {
  const rows = await app.deps.db.read
    .selectFrom('field_revisions')
    .innerJoin('fields', 'fields.field_id', 'field_revisions.field_id')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .select(['entries.entry_group_id', 'fields.entry_id', 'fields.field_id', 'fields.type', 'field_revisions.rev'])
    .select(['field_revisions.gk_version', 'field_revisions.cek_wrapped', 'field_revisions.value'])
    .where('entries.entry_group_id', 'in', [group.g, other.g])
    .execute();
  const revisions = rows.map((row) => ({
    groupId: row.entry_group_id,
    entryId: row.entry_id,
    fieldId: row.field_id,
    type: row.type,
    rev: row.rev,
    gkVersion: row.gk_version,
    cekBase64: row.cek_wrapped.toString('base64'),
    valueBase64: row.value.toString('base64'),
  }));
  const { userId, keyring } = attacker.ghost;
  const certificate = { ...attacker.ghost.certificate, fpr: keyring.fingerprint, created_at: '' } as Certificate;
  const oracle = createOracle(
    { revisions, secrets: new Map(), groups: [] },
    {
      ghost: { userId, keyring, certificate },
      // All keys that the attacker puts into rows share one pair for wrapping.
      keyrings: [keyring],
      groups: new Set([group.g, other.g]),
      get secrets() {
        return attacker.secrets();
      },
    },
  );
  const client = ada.copy();
  const request = client.request.bind(client);
  client.request = (sent) => {
    const { method = 'GET', path, raw } = sent;
    const body: unknown = typeof raw === 'string' && raw !== '' ? JSON.parse(raw) : undefined;
    oracle.hear({ method, path, body, ...NOBODY_ASKED });
    return request(sent);
  };
  return { client: Object.assign(client, await testPerson('ada')), oracle };
}

/** The oracle of generated histories expects more data than is needed here. */
const NOBODY_ASKED = { browser: 0, unlock: 0, act: null, decisions: 0, seen: new Map(), rows: new Set<string>() };
