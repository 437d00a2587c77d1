/**
 * An honest past of three to six people, played on the real server, for the generated hostile server (M80). Older states of the server can still
 * be asked, and the last one can be restored in a millisecond.
 */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import * as entriesApi from '@passwordbroker/core/contract/entries/entries';
import * as groupsApi from '@passwordbroker/core/contract/groups/entry-groups';
import * as fieldsApi from '@passwordbroker/core/contract/entries/fields';
import * as membersApi from '@passwordbroker/core/contract/groups/members';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { type GroupSecret, unwrapGroupSecret } from '@passwordbroker/core/domain/groups/grants';
import type { Role } from '@passwordbroker/core/domain/policy';
import { hashRoster, readRoster, type RosterContent } from '@passwordbroker/core/domain/rosters/roster';
import { createApp } from '../../../../server/src/app/app.ts';
import { readConfig } from '../../../../server/src/app/config.ts';
import { openDeps } from '../../../../server/src/app/deps.ts';
import { BetterSqlite } from '../../../../server/src/db/sqlite/connections.ts';
import { createLog } from '../../../../server/src/platform/log.ts';
import { type SignedIn, startTestApp, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { TestClient } from '../../../../server/src/testing/test-client.ts';
import { testClock } from '../../../../server/src/testing/test-clock.ts';
import { TEST_ACCOUNT_PASSWORDS, TEST_KDF, TEST_WORK_FACTOR } from '../../../../server/src/testing/test-person.ts';
import { emptyDevice, deviceStoreInMemory, type StoredRecords } from '../device-store-in-memory.ts';
import { takeIn } from '../take-in.node.ts';
import { mateOf, type Mate } from '../team.node.ts';
import { storedRevisions } from './revisions.node.ts';

/** A list that honest people signed. */
export interface HonestList {
  readonly wire: RosterAnswer['rosters'][number];
  readonly content: RosterContent;
  readonly hash: string;
}

export interface PastGroup {
  readonly id: string;
  readonly name: string;
  /** From the first one on. */
  readonly lists: readonly HonestList[];
  /** Members now. */
  readonly members: ReadonlyMap<string, Role>;
}

/** A stored revision: where it was, and its ciphertext, which the server has. */
export interface PastRevision {
  readonly groupId: string;
  readonly entryId: string;
  readonly fieldId: string;
  readonly type: FieldType;
  readonly rev: number;
  readonly gkVersion: number;
  readonly cekBase64: string;
  readonly valueBase64: string;
}

interface OlderServer {
  readonly ask: (client: TestClient) => TestClient;
  stop(): Promise<void>;
}

/** A person with an open keyring. */
export type Party = Pick<SignedIn, 'userId' | 'name' | 'keyring'> & {
  readonly bundle: Pick<SignedIn['bundle'], 'certificate'>;
};

/** All that attackers and the oracle need to know of a past. */
export interface KnownPast {
  readonly victim: Party;
  /** All people, including the victim. */
  readonly people: readonly Party[];
  readonly groups: readonly PastGroup[];
  /** Every revision in every group where it has ever been. */
  readonly revisions: readonly PastRevision[];
  /** Secrets of all groups by `groupId version`. */
  readonly secrets: ReadonlyMap<string, GroupSecret>;
  /** Keys of the secrets that a person has held. */
  readonly held: (userId: string) => ReadonlySet<string>;
  /** Earlier states of the server. */
  readonly older: { readonly length: number };
}

export interface Past extends KnownPast {
  readonly seed: number;
  readonly app: TestApp;
  readonly victim: SignedIn;
  readonly people: readonly SignedIn[];
  /** Earlier states of the server, oldest first. */
  readonly older: readonly OlderServer[];
  /** Contents of the victim's device store: at the end (`full`) and in the middle (`half`) of the past. */
  readonly memories: { readonly full: StoredRecords; readonly half: StoredRecords };
  /** Restores the server's state at the end of the past. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/** Numbers from a seed: the same past again. */
function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const VICTIM = 'bob';
const OTHERS = ['carol', 'dave', 'eve', 'fay'];
const MINUTE = 60_000;

export async function playPast(seed: number): Promise<Past> {
  const draw = seeded(seed);
  const chance = (percent: number) => draw(100) < percent;
  const app = await startTestApp();
  const names = ['ada', VICTIM, ...OTHERS.slice(0, 1 + draw(OTHERS.length))];
  const people: SignedIn[] = [];
  for (const name of names) people.push(await app.signUp(name));
  const [ada, victim, carol, dave] = people as [SignedIn, SignedIn, SignedIn, SignedIn | undefined];
  const file = join(app.dataDir, 'passwordbroker.sqlite');
  const older: OlderServer[] = [];
  const revisions = new Map<string, PastRevision>();
  const secrets = new Map<string, GroupSecret>();
  const texts = { count: 0 };
  const text = () => `past value ${(texts.count += 1)}`;

  const devices = new Map<string, StoredRecords>(people.map(({ userId }) => [userId, emptyDevice()]));
  const mates = new Map<string, Mate>();
  /** Each person keeps one device. */
  async function as(person: SignedIn): Promise<Mate> {
    const known = mates.get(person.userId);
    const mate = known ?? (await mateOf(person, deviceStoreInMemory(devices.get(person.userId))));
    mates.set(person.userId, mate);
    return mate;
  }
  /** Unlocks again, so that everything is read from the server again. */
  async function anew(person: SignedIn): Promise<Mate> {
    mates.get(person.userId)?.keyring.lock();
    mates.delete(person.userId);
    return as(person);
  }
  async function note() {
    app.clock.advance(MINUTE);
    const wraps = await app.deps.db.read.selectFrom('group_grants').selectAll().execute();
    for (const one of wraps) {
      const name = `${one.entry_group_id} ${one.gk_version}`;
      const keyring = people.find(({ userId }) => userId === one.user_id)?.keyring;
      if (keyring === undefined || secrets.has(name)) continue;
      secrets.set(name, await unwrapGroupSecret(keyring, new Uint8Array(one.wrapped)));
    }
    for (const one of await storedRevisions(app.deps.db.read)) {
      revisions.set(`${one.groupId} ${one.fieldId} ${one.rev} ${one.gkVersion}`, one);
    }
  }
  async function checkpoint() {
    older.push(await olderServer(app, file));
  }
  const newGroup = async (who: SignedIn, name: string, parentId: string | null = null) => {
    const { write } = await as(who);
    const { entryGroup } = await write.createGroup({ name, parentId, sameMembers: false });
    return entryGroup.entry_group_id;
  };
  const newValues = async (who: SignedIn, group: string, count: number) => {
    const { write } = await as(who);
    const { entry_id: entryId } = await write.createEntry(group, `Entry ${texts.count}`);
    for (let at = 0; at < count; at += 1) {
      const field = { type: 'password', title: 'Root', login: 'root', value: text() } as const;
      await write.createField({ entryGroupId: group, entryId }, field);
    }
    await note();
    return entryId;
  };
  const share = async (who: SignedIn, group: string, whom: SignedIn, role: Role) => {
    await takeIn(await as(who), group, whom, role);
    await note();
  };
  const remove = async (who: SignedIn, group: string, whom: SignedIn, isRotated: boolean) => {
    const mate = await as(who);
    // An admin is not removed at once.
    await mate.write.members.changeRole(group, whom.userId, 'member').catch(() => undefined);
    if (isRotated) {
      await mate.write.members.remove(group, whom.userId);
      await rotated(mate, group);
    } else await who.call(membersApi.remove, { params: { g: group, u: whom.userId } });
    await note();
  };

  const production = await newGroup(ada, 'Production');
  await newValues(ada, production, 2);
  await share(ada, production, victim, chance(60) ? 'admin' : 'moderator');
  const billing = await newGroup(carol, 'Billing');
  await newValues(carol, billing, 1);
  await share(carol, billing, victim, chance(50) ? 'admin' : 'member');
  const notes = await newGroup(victim, 'Notes');
  const noted = await newValues(victim, notes, 1);
  await share(ada, production, carol, chance(70) ? 'admin' : 'member');
  await checkpoint();
  const shared = await newGroup(victim, 'Shared');
  await newValues(victim, shared, 1);
  await share(victim, shared, carol, chance(60) ? 'admin' : 'member');
  const groups = [production, billing, notes, shared];
  if (dave !== undefined) await share(ada, production, dave, 'member');
  if (chance(50)) {
    const mate = await as(ada);
    const listed = await mate.read.members(production);
    const { entryGroup } = await mate.write.createGroup({
      name: 'Servers',
      parentId: production,
      sameMembers: listed,
    });
    groups.push(entryGroup.entry_group_id);
    await newValues(ada, entryGroup.entry_group_id, 1);
  }
  if (chance(50)) groups.push(await madeByServer(ada, victim, { isSigned: chance(50), as, text: text() }));
  if (chance(40)) await (await as(ada)).write.members.rotate(production, { force: true });
  await note();
  // Groups of people whose keys the victim never confirms stay unconfirmed.
  const confirmed = groups.filter(() => chance(70));
  await lookAround(await anew(victim), groups, confirmed);
  await pendingWrites(mates);
  const half = structuredClone(devices.get(victim.userId) as StoredRecords);
  await checkpoint();
  if (chance(60)) await remove(ada, production, carol, true);
  if (chance(50)) await remove(victim, shared, carol, true);
  await newValues(ada, production, 1);
  if (chance(60)) await (await as(victim)).write.moveEntries(notes, [noted], shared);
  await note();
  if (dave !== undefined && chance(40)) await remove(ada, production, dave, chance(50));
  if (chance(30)) await newValues(victim, shared, 1);
  await lookAround(await anew(victim), groups, confirmed);
  await pendingWrites(mates);
  const full = structuredClone(devices.get(victim.userId) as StoredRecords);
  for (const mate of mates.values()) mate.keyring.lock();
  await note();

  const known = await Promise.all(groups.map((id) => groupOf(app, people, id)));
  const snapshot = join(app.dataDir, 'end.snapshot');
  await copyDatabase(file, snapshot);
  const keys = new Map<string, ReadonlySet<string>>();
  return {
    seed,
    app,
    victim,
    people,
    groups: known,
    revisions: [...revisions.values()],
    secrets,
    held(userId) {
      const present =
        keys.get(userId) ??
        new Set(
          known.flatMap(({ id, lists }) =>
            lists.flatMap(({ content }) =>
              content.members.some((one) => one.userId === userId) ? [`${id} ${content.gkVersion}`] : [],
            ),
          ),
        );
      keys.set(userId, present);
      return present;
    },
    older,
    memories: { full, half },
    restore: () => copyDatabase(snapshot, file),
    async stop() {
      for (const one of older) await one.stop();
      await app.stop();
    },
  };
}

/** Made through the API, with a key that the server made; perhaps signed by its admin since. */
async function madeByServer(
  admin: SignedIn,
  victim: SignedIn,
  { isSigned, as, text }: { isSigned: boolean; as: (person: SignedIn) => Promise<Mate>; text: string },
): Promise<string> {
  const { masterPassword: master_password } = admin;
  const { entryGroup } = await admin.call(groupsApi.create, { body: { name: 'Interface', master_password } });
  const g = entryGroup.entry_group_id;
  const { entry_id: e } = await admin.call(entriesApi.create, { params: { g }, body: { title: 'Robot' } });
  const field = { type: 'password', title: 'Root', login: 'root', value: text, master_password };
  await admin.call(fieldsApi.create, { params: { g, e }, body: field });
  await admin.call(membersApi.add, {
    params: { g },
    body: { target_user_id: victim.userId, role: 'admin', master_password },
  });
  if (!isSigned) return g;
  const mate = await as(admin);
  const listed = await mate.read.members(g);
  const confirmed = listed.map(({ user_id, role, certificate }) => ({
    userId: user_id,
    role,
    fingerprint: certificate?.fpr ?? '',
  }));
  await mate.write.members.rotate(g, { confirmed });
  return g;
}

/** Opens every group, as a person who uses them, and compares the keys of some signers. */
async function lookAround({ read, write, vault }: Mate, groups: readonly string[], confirmed: readonly string[]) {
  await read.tree();
  for (const group of groups) {
    await read.examine(group).catch(() => undefined);
    const { trust, newest } = vault.trust?.details(group) ?? {};
    if (trust?.state !== 'unconfirmed' || newest === undefined || newest === null || !confirmed.includes(group))
      continue;
    const { userId, fingerprint } = newest.signer;
    await write.trust?.confirmSigner(
      group,
      { hash: newest.hash, signer: { userId, fingerprint, name: newest.signer.name ?? 'Ada' } },
      'words',
    );
  }
}

/** Waits for the rotation that follows a removal. */
async function rotated({ vault }: Mate, groupId: string) {
  for (let tries = 0; tries < 2_000; tries += 1) {
    const one = vault.rotations.list().find((rotation) => rotation.groupId === groupId);
    if (one !== undefined && one.state !== 'waiting' && one.state !== 'running') return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error('The group was not rotated');
}

/** Waits for the trust records, which clients write a little later. */
async function pendingWrites(mates: ReadonlyMap<string, Mate>) {
  for (const { write } of mates.values()) await write.trust?.recordWords();
}

async function groupOf(app: TestApp, people: readonly SignedIn[], id: string): Promise<PastGroup> {
  const users = await app.deps.db.read
    .selectFrom('group_members')
    .select(['user_id', 'role'])
    .where('entry_group_id', '=', id)
    .execute();
  const members = new Map(users.map(({ user_id, role }) => [user_id, role]));
  const reader = people.find(({ userId }) => members.get(userId) === 'admin') as SignedIn;
  const { entryGroup } = await reader.call(groupsApi.get, { params: { g: id } });
  const answer = await reader.call(groupsApi.roster, { params: { g: id }, query: { from: 0 } });
  const lists = await Promise.all(
    answer.rosters.map(async (wire): Promise<HonestList> => {
      const bytes = decodeBase64(wire.roster_base64);
      return { wire, content: readRoster(bytes), hash: await hashRoster(bytes) };
    }),
  );
  return { id, name: entryGroup.name, lists, members };
}

async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new BetterSqlite(from, { readonly: true });
  try {
    await source.backup(to);
  } finally {
    source.close();
  }
}

/** A copy of the server's folder, whose answers stay as of this time. */
async function olderServer(app: TestApp, file: string): Promise<OlderServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'passwordbroker-older-'));
  for (const name of await readdir(app.dataDir)) {
    if (/sqlite|lock|snapshot/.test(name)) continue;
    await cp(join(app.dataDir, name), join(dataDir, name), { recursive: true });
  }
  await copyDatabase(file, join(dataDir, 'passwordbroker.sqlite'));
  const config = readConfig({ DATA_DIR: dataDir });
  const deps = await openDeps(config, createLog('error', { write: () => undefined }), {
    clock: testClock(app.clock.now()),
    kdf: TEST_KDF,
    accountPasswords: TEST_ACCOUNT_PASSWORDS,
    archiveWorkFactor: TEST_WORK_FACTOR,
    timeZone: 'UTC',
  });
  const server = await createApp(deps, { webDir: join(dataDir, 'no-client') });
  await server.ready();
  return {
    ask(client) {
      const asking = new TestClient(() => server);
      for (const [name, value] of client.cookies) asking.cookies.set(name, value);
      return asking;
    },
    async stop() {
      await server.close();
      await deps.db.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
