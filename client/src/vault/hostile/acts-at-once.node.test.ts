/**
 * Two concurrent changes on one page: both sign the next list, and the server accepts one of them
 * (docs/spec/crypto.md §9; M22).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roster } from '@passwordbroker/core/contract/groups/entry-groups';
import { startTestApp, type SignedIn, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { takeIn } from '../../testing/take-in.node.ts';
import { addSecret, groupWithSecret, mateOf, signUpAll, type Mate } from '../../testing/team.node.ts';

let app: TestApp;
let [ada, bob, eve]: SignedIn[] = [];

beforeAll(async () => {
  app = await startTestApp();
  [ada, bob, eve] = await signUpAll(app, ['ada', 'bob', 'eve']);
}, 60_000);
afterAll(async () => {
  await app.stop();
});

const ACTS = {
  add: { request: /POST .*\/users$/, begin: (mate: Mate, group: string) => takeIn(mate, group, eve!, 'member') },
  rotate: {
    request: /POST .*\/rotate$/,
    begin: (mate: Mate, group: string) => mate.write.members.rotate(group, { force: true }),
  },
} as const;

function settled() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve: () => resolve() };
}

/** Holds the first request of each change, and resolves `signed` when it is ready to be sent. */
function holding(mate: Mate) {
  const gate = (request: RegExp) => {
    return { request, signed: settled(), free: settled(), isPassed: false };
  };
  const gates = { add: gate(ACTS.add.request), rotate: gate(ACTS.rotate.request) };
  mate.before = async (request) => {
    const held = Object.values(gates).find((one) => !one.isPassed && one.request.test(request));
    if (held === undefined) return;
    held.isPassed = true;
    held.signed.resolve();
    await held.free.promise;
  };
  return gates;
}

test.each([
  ['add', 'rotate'],
  ['rotate', 'add'],
] as const)(
  'M22 %s is stored first although %s was signed last: there is no fork, and both succeed',
  async (winner, loser) => {
    const her = await mateOf(ada!);
    const path = await groupWithSecret(her, 'x');
    const group = path.entryGroupId;
    await takeIn(her, group, bob!, 'member');
    const gates = holding(her);
    const first = ACTS[winner].begin(her, group);
    await gates[winner].signed.promise;
    const second = ACTS[loser].begin(her, group);
    await gates[loser].signed.promise;
    gates[winner].free.resolve();
    await first;
    // This device knows the list that the server accepted, without another request.
    const again = await mateOf(ada!, her.deviceStore);
    await addSecret(again, path, 'y');
    expect(again.vault.memberships.trust(group)).toMatchObject({ state: 'confirmed' });
    gates[loser].free.resolve();
    await second;

    her.keyring.lock();
    const later = await mateOf(ada!, her.deviceStore);
    const added = await addSecret(later, path, 'z');
    expect(later.vault.memberships.trust(group)).toMatchObject({ state: 'confirmed' });
    expect(added.field.gk_version).toBe(2);
    const hers = await mateOf(eve!);
    expect((await hers.read.reveal(added)).text).toBe('z');
  },
);

test('M22 an outdated answer that another tab overtook is requested again; one that stays outdated is refused', async () => {
  const her = await mateOf(ada!);
  const path = await groupWithSecret(her, 'x');
  const group = path.entryGroupId;
  const before = await her.http.call(roster, { params: { g: group } });
  const [late, other] = [await mateOf(ada!, her.deviceStore), await mateOf(ada!, her.deviceStore)];
  let answers = 0;
  const asked = (request: string) => request.includes(`${group}/roster`);
  late.before = async (request) => {
    if (asked(request) && answers === 0) await takeIn(other, group, bob!, 'member');
  };
  late.forge = (path, honest) => (asked(path) && ++answers === 1 ? before : honest);
  await addSecret(late, path, 'y');
  expect(late.vault.memberships.trust(group)).toMatchObject({ state: 'confirmed' });
  expect(answers).toBe(2);

  late.keyring.lock();
  late.forge = (path, honest) => (asked(path) ? before : honest);
  await late.keyring.unlock(ada!.masterPassword);
  await expect(addSecret(late, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'rolled-back' });
});
