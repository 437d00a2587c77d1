/** A server that lies about who belongs to a group, against browsers with and without memory (docs/spec/crypto.md §9; M37, M38, M44, M45, M47, M48, M55). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EntryGroup, GroupUserWithCertificate, RosterAnswer } from '@passwordbroker/core/contract/entities';
import { listAll } from '@passwordbroker/core/contract/groups/entry-groups';
import { readRoster, signRoster } from '@passwordbroker/core/domain/rosters/roster';
import { startTestApp, type SignedIn, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { answerLists, listsOf } from '../../testing/forged-lists.node.ts';
import { withGhost, withOwnNext } from '../../testing/ghost-lists.node.ts';
import { deviceStoreInMemory } from '../../testing/device-store-in-memory.ts';
import { takeIn } from '../../testing/take-in.node.ts';
import { addSecret, groupWithSecret, mateOf, signUpAll, trustGroup, type Mate } from '../../testing/team.node.ts';
import { vaultOf } from '../../testing/real-vault.node.ts';
import { onlineVault } from '../online.ts';
import type { FieldPath } from '../vault.ts';

let app: TestApp;
let [ada, bob, eve, ghost, carol, dora]: SignedIn[] = [];
let her: Mate;
let path: FieldPath;
let group: string;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob, eve, ghost, carol, dora] = await signUpAll(app, ['ada', 'bob', 'eve', 'mallory', 'carol', 'dora']);
}, 60_000);
afterAll(() => app.stop());
/** Ada's group, with Bob as another admin. */
beforeEach(async () => {
  her = await mateOf(ada!);
  path = await groupWithSecret(her, 'q8-Rf3');
  group = path.entryGroupId;
  await takeIn(her, group, bob!, 'admin');
  await her.write.trust.readAgain();
});

const isWrite = (request: string) =>
  !request.startsWith('GET ') && !/documents\/trust|\/envelope|\/rosters$|csrf/.test(request);

/** All write requests of an unlock and the operations after it. */
async function workedOn(mate: Mate, answer: (asked: string, honest: unknown) => unknown): Promise<string[]> {
  mate.keyring.lock();
  mate.forge = answer;
  const watched = onlineVault(mate.http, mate.keyring, { onKeptUp: () => undefined });
  mate.requests.length = 0;
  await mate.keyring.unlock(mate.person.masterPassword);
  await watched.read.examine(group).catch(() => undefined);
  await mate.read.examine(group).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await addSecret(mate, path, 'never').catch(() => undefined);
  await mate.write.members.rotate(group, { force: true }).catch(() => undefined);
  await mate.write.members.changeRole(group, bob!.userId, 'member').catch(() => undefined);
  return mate.requests.filter(isWrite);
}

describe('M37 a ghost admin is added to the lists, and a rotation is called due', () => {
  async function lie(mate: Mate, proof: 'none' | 'copied') {
    const forged = new Map<string, RosterAnswer>();
    const certificate = { ...ghost!.bundle.certificate, fpr: ghost!.keyring.fingerprint, created_at: '' };
    const all = await listsOf(mate, group, 0);
    forged.set(group, await withGhost(all, ghost!, proof));
    return (asked: string, honest: unknown) => {
      if (asked.includes(`${group}/roster`)) return forged.get(group);
      if (asked.endsWith('/entryGroups'))
        return (honest as EntryGroup[]).map((one) => ({ ...one, rotation_due: true, rotation_pending: true }));
      if (asked.endsWith(`${group}/users`)) {
        const [first] = honest as GroupUserWithCertificate[];
        const row = { ...first!, user_id: ghost!.userId, role: 'admin', fpr: certificate.fpr, certificate };
        return [...(honest as GroupUserWithCertificate[]), row];
      }
      return honest;
    };
  }

  test.each(['none', 'copied'] as const)(
    'with memory, proof %s: the group is disputed or locked, and nothing is sent',
    async (proof) => {
      expect(await workedOn(her, await lie(her, proof))).toEqual([]);
      expect(['disputed', 'locked']).toContain(her.vault.memberships.trust(group)?.state);
    },
  );

  test.each(['none', 'copied'] as const)(
    'with the record alone, proof %s: the group is disputed or locked, and nothing is sent',
    async (proof) => {
      const fresh = await mateOf(ada!);
      expect(await workedOn(fresh, await lie(fresh, proof))).toEqual([]);
      expect(['disputed', 'locked']).toContain(fresh.vault.memberships.trust(group)?.state);
    },
  );

  test.each(['none', 'copied'] as const)(
    'of a group unknown to the record, proof %s: nothing is ever written',
    async (proof) => {
      const his = await mateOf(bob!);
      expect(await workedOn(his, await lie(his, proof))).toEqual([]);
      expect(['unconfirmed', 'locked']).toContain(his.vault.memberships.trust(group)?.state);
    },
  );

  test('an honest due rotation is made automatically by a browser with memory, and not by a new one', async () => {
    const due = (asked: string, honest: unknown) =>
      asked.endsWith('/entryGroups')
        ? (honest as EntryGroup[]).map((one) => ({ ...one, rotation_due: one.entry_group_id === group }))
        : honest;
    const isRotation = (request: string) => request.startsWith('POST') && request.endsWith(`${group}/rotate`);
    const unlocked = async (mate: Mate) => {
      mate.forge = (asked, honest) => {
        if (asked.endsWith(`entryGroups/${group}`)) {
          const answer = honest as { entryGroup: object };
          return { ...answer, entryGroup: { ...answer.entryGroup, rotation_due: true } };
        }
        return due(asked, honest);
      };
      onlineVault(mate.http, mate.keyring, { onKeptUp: () => undefined });
      await mate.keyring.unlock(mate.person.masterPassword);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return mate.requests.filter(isRotation).length;
    };
    const unused = Object.assign(vaultOf(ada!), {
      person: ada!,
      deviceStore: deviceStoreInMemory(),
    }) as unknown as Mate;
    expect(await unlocked(unused)).toBe(0);
    her.keyring.lock();
    expect(await unlocked(her)).toBeGreaterThan(0);
  });
});

describe('M38 an answer that makes the browser delete its storage', () => {
  test.each(['"storage"', '"*"', '"cache", "storage"'])(
    '%s locks the vault, is reported, and causes no question afterwards',
    async (header) => {
      let told = 0;
      her.keyring.onStorageCleared(() => (told += 1));
      her.clearing = (request) => (request.endsWith('/entryGroups') ? header : undefined);
      await her.http.call(listAll);
      await expect.poll(() => [her.keyring.isOpen(), told]).toEqual([false, 1]);
      her.clearing = null;
      const again = await mateOf(ada!, her.deviceStore);
      await addSecret(again, path, 'after');
      expect(again.vault.memberships.trust(group)).toMatchObject({ state: 'confirmed' });
      expect(again.vault.trust.account()).toMatchObject({ hasMemory: true });
    },
  );

  test('"cache" alone, as in an honest logout, locks nothing', async () => {
    her.clearing = () => '"cache"';
    await her.read.members(group);
    expect(her.keyring.isOpen()).toBe(true);
  });
});

test('M80 the first opening requests all lists: an answer that ends before the list just shown does not count', async () => {
  await takeIn(her, group, carol!, 'member');
  const earlier = await listsOf(her, group, 0);
  await her.write.members.remove(group, carol!.userId);
  await her.write.members.rotate(group, { force: true });
  const his = await mateOf(bob!);
  const asked: string[] = [];
  his.forge = (path, honest) => {
    if (!path.includes(`${group}/roster`)) return honest;
    asked.push(path.replace(/.*roster/, ''));
    return path.endsWith('?from=0') ? earlier : honest;
  };
  await trustGroup(his, group);
  expect(asked.slice(0, 2)).toEqual(['', '?from=0']);
  const members = his.vault.memberships.signed(group) ?? [];
  expect(members.map(({ userId }) => userId).toSorted()).toEqual([ada!.userId, bob!.userId].toSorted());
});

describe('M44 the signer of a group that is unknown to the record', () => {
  async function sharedByAda() {
    const shared = await groupWithSecret(her, 'x');
    await takeIn(her, shared.entryGroupId, bob!, 'member');
    return shared;
  }
  const trustIn = async (mate: Mate, { entryGroupId }: FieldPath) => {
    await mate.read.examine(entryGroupId);
    return mate.vault.memberships.trust(entryGroupId);
  };

  test('causes one question if never decided, and none once decided, for any number of groups', async () => {
    const his = await mateOf(bob!);
    const [one, two] = [await sharedByAda(), await sharedByAda()];
    const asked = await trustIn(his, one);
    await trustGroup(his, one.entryGroupId);
    expect(['unconfirmed', 'confirmed']).toContain(asked?.state);
    expect(await trustIn(his, two)).toMatchObject({ state: 'confirmed' });
    await addSecret(his, one, 'y').catch(() => undefined);
    expect(await trustIn(his, await sharedByAda())).toMatchObject({ state: 'confirmed' });
  });

  test('causes a question again after leaving the last common list, and none while in another open group', async () => {
    const his = await mateOf(bob!);
    await trustGroup(his, group);
    const hers = await mateOf(eve!);
    const other = await groupWithSecret(hers, 'of eve');
    await takeIn(hers, other.entryGroupId, ada!, 'member');
    await takeIn(hers, other.entryGroupId, bob!, 'member');
    await trustGroup(his, other.entryGroupId);
    await hers.write.members.remove(other.entryGroupId, ada!.userId);
    await hers.write.members.rotate(other.entryGroupId, { force: true });
    his.keyring.lock();
    await his.keyring.unlock(bob!.masterPassword);
    // Bob's browser sees that Ada was removed from Eve's group, but shares another open group with her.
    expect(await trustIn(his, other)).toMatchObject({ state: 'confirmed' });
    await his.read.examine(group);
    expect(await trustIn(his, await sharedByAda())).toMatchObject({ state: 'confirmed' });
    await his.write.trust.readAgain();

    his.keyring.lock();
    await his.keyring.unlock(bob!.masterPassword);
    const late = await sharedByAda();
    expect(await trustIn(his, late)).toEqual({ state: 'unconfirmed', why: 'left' });
    await expect(addSecret(his, late, 'never')).rejects.toMatchObject({ code: 'group_unconfirmed', detail: 'left' });
  });

  test('with another key than the decided one makes the group disputed', async () => {
    const his = await mateOf(bob!);
    await trustGroup(his, group);
    await his.write.members.confirmKey(ada!, 'a'.repeat(64), 'words');
    expect(await trustIn(his, await sharedByAda())).toEqual({ state: 'disputed', why: 'key' });
    await his.write.members.confirmKey(ada!, ada!.keyring.fingerprint, 'words');
  });
});

describe('M45 key proofs of lists', () => {
  const changed = (all: RosterAnswer, change: (proof: string | null, at: number) => string | null): RosterAnswer => ({
    ...all,
    rosters: all.rosters.map((one, at) => ({ ...one, roster_proof_base64: change(one.roster_proof_base64, at) })),
  });
  const flipped = (proof: string | null) =>
    proof === null ? null : `${proof.startsWith('A') ? 'B' : 'A'}${proof.slice(1)}`;

  test('missing, of another list, or with a flipped bit: the group is locked', async () => {
    const all = await listsOf(her, group, 0);
    const lies = [
      changed(all, () => null),
      changed(all, () => all.rosters[0]!.roster_proof_base64),
      changed(all, flipped),
    ];
    for (const lie of lies) {
      const again = await mateOf(ada!, her.deviceStore);
      answerLists(again, group, () => lie);
      await expect(addSecret(again, path, 'never')).rejects.toMatchObject({ code: 'key_mismatch', detail: 'proof' });
      expect(again.vault.memberships.trust(group)).toEqual({ state: 'locked', why: 'proof' });
    }
  });

  test('missing or wrong for a later version: older versions do not open, and nothing is rewrapped', async () => {
    await her.write.members.rotate(group, { force: true });
    const all = await listsOf(her, group, 0);
    for (const proof of [null, flipped(all.rosters.at(-1)!.roster_proof_prev_base64)]) {
      const again = await mateOf(ada!, her.deviceStore);
      answerLists(again, group, (honest) => ({
        ...honest,
        rosters: honest.rosters.map((one) => ({ ...one, roster_proof_prev_base64: proof })),
      }));
      const created = (await again.read.history(path)).at(-1)!;
      await again.read.revealRevision(path, created).catch(() => undefined);
      again.requests.length = 0;
      await again.write.members.rotate(group, { force: true }).catch(() => undefined);
      expect(again.requests.filter((request) => request.includes('rewraps'))).toEqual([]);
    }
  });

  test('a group of release 1.0 without a proof, signed by a compared person, is readable without a question', async () => {
    const his = await mateOf(bob!);
    await trustGroup(his, group);
    const fresh = await groupWithSecret(her, 'x');
    await takeIn(her, fresh.entryGroupId, bob!, 'member');
    const all = await listsOf(his, fresh.entryGroupId);
    const newest = all.rosters.at(-1)!;
    const content = JSON.parse(Buffer.from(newest.roster_base64, 'base64').toString()) as Record<string, unknown>;
    expect(content['proof']).toBe(1);
    const { hasProof: _, ...unproved } = readRoster(Buffer.from(newest.roster_base64, 'base64'));
    const signed = await signRoster(ada!.keyring, { ...unproved, seq: 0, prev: '' });
    answerLists(his, fresh.entryGroupId, () => ({
      ...all,
      rosters: [{ ...newest, ...signed, seq: 0, roster_proof_base64: null }],
    }));
    await his.read.examine(fresh.entryGroupId);
    expect(his.vault.memberships.trust(fresh.entryGroupId)).toEqual({ state: 'unconfirmed', why: 'no-proof' });
    expect((await his.read.reveal(fresh)).text).toBe('x');
    await expect(addSecret(his, fresh, 'never')).rejects.toMatchObject({ detail: 'no-proof' });
  });
});

describe('M47 a removal', () => {
  test('that the server ignores: no browser of the account wraps a key for that person', async () => {
    await takeIn(her, group, eve!, 'member');
    her.swallow = (request) => (request.startsWith('DELETE') && request.includes(eve!.userId) ? {} : null);
    await her.write.members.remove(group, eve!.userId).catch(() => undefined);
    her.swallow = null;
    await her.write.trust.readAgain();
    for (const mate of [await mateOf(ada!, her.deviceStore), await mateOf(ada!)]) {
      const sent: string[] = [];
      const call = mate.http.call.bind(mate.http);
      mate.http.call = (async (endpoint: never, options: { body?: unknown }) => {
        sent.push(JSON.stringify(options?.body ?? ''));
        return call(endpoint, options as never);
      }) as typeof call;
      await mate.write.members.rotate(group, { force: true }).catch(() => undefined);
      const grants = sent.filter((body) => body.includes('"grants"'));
      expect(grants.length).toBeGreaterThan(0);
      expect(grants.some((body) => body.includes(eve!.userId))).toBe(false);
    }
  });

  test('from a group that is not confirmed yet is remembered too', async () => {
    const shared = await groupWithSecret(her, 'x');
    await takeIn(her, shared.entryGroupId, dora!, 'admin');
    await takeIn(her, shared.entryGroupId, eve!, 'member');
    const hers = await mateOf(dora!);
    await hers.read.examine(shared.entryGroupId);
    expect(hers.vault.memberships.trust(shared.entryGroupId)?.state).toBe('unconfirmed');
    hers.swallow = (request) => (request.startsWith('DELETE') && request.includes(eve!.userId) ? {} : null);
    await hers.write.members.remove(shared.entryGroupId, eve!.userId).catch(() => undefined);
    hers.swallow = null;
    await trustGroup(hers, shared.entryGroupId);
    expect(hers.vault.memberships.trust(shared.entryGroupId)?.state).toBe('confirmed');
    let sent = '';
    const call = hers.http.call.bind(hers.http);
    hers.http.call = (async (endpoint: never, options: { body?: unknown }) => {
      const body = JSON.stringify(options?.body ?? '');
      if (body.includes('"grants"')) sent = body;
      return call(endpoint, options as never);
    }) as typeof call;
    await hers.write.members.rotate(shared.entryGroupId, { force: true }).catch(() => undefined);
    expect(sent).toContain(dora!.userId);
    expect(sent).not.toContain(eve!.userId);
  });

  test('that another admin’s list reverts makes the group disputed, and the person decides', async () => {
    await takeIn(her, group, eve!, 'member');
    const before = await listsOf(her, group, 0);
    const { grants } = await listsOf(await mateOf(bob!), group);
    her.swallow = (request) => (request.startsWith('DELETE') && request.includes(eve!.userId) ? {} : null);
    await her.write.members.remove(group, eve!.userId).catch(() => undefined);
    her.swallow = null;
    const seq = before.rosters.at(-1)!.seq;
    const members = [
      { person: ada!, role: 'admin' as const },
      { person: bob!, role: 'admin' as const },
      { person: eve!, role: 'member' as const },
    ];
    const named = await withOwnNext(before, seq, { admin: bob!, grants, members });
    const again = await mateOf(ada!, her.deviceStore);
    answerLists(again, group, () => named);
    await expect(addSecret(again, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'returned' });
    const { returned, newest } = again.vault.trust.details(group)!;
    expect(returned.map(({ userId }) => userId)).toEqual([eve!.userId]);
    await again.write.trust.decideReturned(group, newest!.hash, eve!.userId, 'may-stay');
    expect(again.vault.memberships.trust(group)).toMatchObject({ state: 'confirmed' });
  });
});

test('M48 two own browsers that were shown two forks dispute the group once their records are merged', async () => {
  const all = await listsOf(her, group, 0);
  const { grants } = await listsOf(await mateOf(bob!), group);
  const members = [ada!, bob!].map((person) => ({ person, role: 'admin' as const }));
  const seq = all.rosters.at(-1)!.seq;
  const forks = await Promise.all([11, 12].map((ts) => withOwnNext(all, seq, { admin: bob!, grants, members, ts })));
  const browsers = [await mateOf(ada!, her.deviceStore), await mateOf(ada!)];
  for (const [at, mate] of browsers.entries()) {
    answerLists(mate, group, () => forks[at]!);
    await mate.read.examine(group);
    expect(mate.vault.memberships.trust(group)).toMatchObject({ state: 'confirmed' });
    await mate.write.trust.readAgain();
  }
  for (const mate of browsers) {
    mate.keyring.lock();
    await mate.keyring.unlock(ada!.masterPassword);
    await expect(addSecret(mate, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'forked' });
  }
});

describe('M55 answers for many groups at once', () => {
  const isMany = (asked: string) => asked.includes('/rosters');
  interface Many {
    rosters: RosterAnswer[];
  }
  async function opened(mate: Mate, groupIds: readonly string[]) {
    await Promise.all(groupIds.map((id) => mate.read.examine(id).catch(() => undefined)));
    return groupIds.map((id) => mate.vault.memberships.trust(id));
  }

  test('are judged like those for one group, with a ghost, exchanged rows or missing rows', async () => {
    const groups = [group];
    for (let at = 0; at < 3; at += 1) groups.push((await groupWithSecret(her, 'x')).entryGroupId);
    await her.write.trust.readAgain();
    const ghostly = await withGhost(await listsOf(her, group, 0), ghost!, 'copied');
    let wereMany = false;
    const forging = async (forge: (many: Many) => Many) => {
      const mate = await mateOf(ada!, her.deviceStore);
      await mate.read.tree();
      mate.forge = (asked, honest) => {
        if (!isMany(asked)) return honest;
        wereMany = true;
        return forge(honest as Many);
      };
      return opened(mate, groups);
    };
    expect(await forging((many) => many)).toEqual(groups.map(() => ({ state: 'confirmed', how: 'remembered' })));
    expect(wereMany).toBe(true);
    const withOne = await forging(({ rosters }) => ({
      rosters: rosters.map((one) => (one.entry_group_id === group ? ghostly : one)),
    }));
    expect(withOne[0]).toMatchObject({ state: expect.stringMatching(/disputed|locked/) as string });
    expect(withOne.slice(1).every((trust) => trust?.state === 'confirmed')).toBe(true);
    const exchanged = await forging(({ rosters: [one, two, ...others] }) => ({
      rosters: [
        { ...two!, entry_group_id: one!.entry_group_id },
        { ...one!, entry_group_id: two!.entry_group_id },
        ...others,
      ],
    }));
    expect(exchanged.filter((trust) => trust?.state === 'locked')).toHaveLength(2);
    const missing = await forging(({ rosters: [, ...others] }) => ({ rosters: others }));
    expect(missing.every((trust) => trust?.state === 'confirmed')).toBe(true);
  });
});

describe('M54 the policy that requires compared keys', () => {
  const site = (isStrict: boolean) => (asked: string, honest: unknown) =>
    asked.endsWith('/setup') ? { ...(honest as object), require_verified_members: isStrict } : honest;
  async function under(isStrict: boolean, deviceStore = deviceStoreInMemory()): Promise<Mate> {
    const mate = await mateOf(eve!, deviceStore);
    mate.keyring.lock();
    mate.forge = site(isStrict);
    await mate.keyring.unlock(eve!.masterPassword);
    await expect.poll(() => mate.vault.trust.account()?.isStrict).toBe(true);
    await expect.poll(() => mate.vault.trust.account()?.asksStrict).toBe(!isStrict);
    return mate;
  }

  test('is stored in the record: if the site switches it off, the person is asked once and it applies meanwhile', async () => {
    const deviceStore = deviceStoreInMemory();
    const strict = await under(true, deviceStore);
    const own = (await groupWithSecret(strict, 'x')).entryGroupId;
    const forNow = { userId: carol!.userId, fingerprint: carol!.keyring.fingerprint };
    const deciding = strict.write.members.confirmKey(carol!, forNow.fingerprint, 'first-use');
    await expect(deciding).rejects.toMatchObject({ code: 'must_compare' });
    await strict.write.trust.readAgain();

    for (const mate of [await under(false, deviceStore), await under(false)]) {
      const adding = mate.write.members.add(own, forNow, 'member');
      await expect(adding).rejects.toMatchObject({ code: 'key_unconfirmed' });
    }
    const asked = await under(false, deviceStore);
    await asked.write.trust.setStrict(true);
    expect(asked.vault.trust.account()).toMatchObject({ isStrict: true, asksStrict: false });
    await asked.write.trust.setStrict(false);
    expect(asked.vault.trust.account()).toMatchObject({ isStrict: false, asksStrict: false });
    await asked.write.members.confirmKey(carol!, forNow.fingerprint, 'first-use');
    await asked.write.members.add(own, forNow, 'member');
  });

  test('blocks a rotation for members who were only trusted for now', async () => {
    const mate = await mateOf(eve!);
    const own = (await groupWithSecret(mate, 'x')).entryGroupId;
    await mate.write.members.confirmKey(dora!, dora!.keyring.fingerprint, 'first-use');
    await mate.write.members.add(own, { userId: dora!.userId, fingerprint: dora!.keyring.fingerprint }, 'member');
    await mate.write.trust.setStrict(true);
    const rotating = mate.write.members.rotate(own, { force: true });
    await expect(rotating).rejects.toMatchObject({ code: 'members_unsure', userIds: [dora!.userId] });
    await mate.write.trust.setStrict(false);
  });
});

test('R56, M51 after a restored backup, later decisions are restored automatically, groups are disputed, one admin is asked, and the others follow', async () => {
  const other = await mateOf(bob!);
  await trustGroup(other, group);
  const tables = ['group_rosters', 'group_members', 'group_grants', 'user_documents'] as const;
  const rowsOf = (table: (typeof tables)[number]) => app.deps.db.read.selectFrom(table).selectAll().execute();
  const backup = new Map<string, object[]>();
  for (const table of tables) backup.set(table, await rowsOf(table));
  const entryGroups = await app.deps.db.read.selectFrom('entry_groups').selectAll().execute();

  await takeIn(her, group, eve!, 'member');
  await her.write.members.confirmKey(ghost!, ghost!.keyring.fingerprint, 'words');
  await her.write.trust.readAgain();
  await other.read.members(group);
  await other.read.examine(group);
  await other.write.trust.readAgain();
  for (const mate of [her, other]) mate.keyring.lock();

  await app.deps.db.transact(async (tx) => {
    for (const table of tables) {
      await tx.deleteFrom(table).execute();
      for (const row of backup.get(table) ?? [])
        await tx
          .insertInto(table)
          .values(row as never)
          .execute();
    }
    for (const { entry_group_id, roster_seq } of entryGroups) {
      await tx.updateTable('entry_groups').set({ roster_seq }).where('entry_group_id', '=', entry_group_id).execute();
    }
  });
  const [again, his] = [await mateOf(ada!, her.deviceStore), await mateOf(bob!, other.deviceStore)];
  expect(again.vault.trust.account()?.state).toBe('behind');
  await expect.poll(() => again.vault.trust.account()?.state, { timeout: 5_000 }).toBe('sound');
  expect(again.vault.trust.account()?.wasPutBack).toBe(true);
  expect(await (await mateOf(ada!)).read.keyTrust(ghost!)).toMatchObject({ state: 'trusted', how: 'words' });

  for (const mate of [again, his]) {
    await expect(addSecret(mate, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'rolled-back' });
  }
  const { newest, mayGoOn } = again.vault.trust.details(group)!;
  expect(mayGoOn).toBe('admin');
  await again.write.trust.goOn(group, newest!.hash);
  await addSecret(again, path, 'after');
  his.keyring.lock();
  await his.keyring.unlock(bob!.masterPassword);
  await addSecret(his, path, 'too');
  expect(his.vault.memberships.trust(group)).toMatchObject({ state: 'confirmed' });
});
