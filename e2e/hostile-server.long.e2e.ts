/**
 * M81: generated lies of a hostile server against the real client in a real browser. Every request of the
 * page is tried with the attackers' keys. A failure prints the run; `HOSTILE_RUNS` and `HOSTILE_FROM` choose
 * the runs of the seed.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { decodeBase64, encodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { fingerprintWords } from '@passwordbroker/core/domain/keyring/fingerprint-words';
import { unwrapGroupSecret, wrapGroupSecret } from '@passwordbroker/core/domain/groups/grants';
import { hireAttackers, makeEnvelope } from '../client/src/testing/hostile/attackers.node.ts';
import { move } from '../client/src/testing/hostile/front.node.ts';
import { lie, prepareLies, type Lies, type View } from '../client/src/testing/hostile/lies.node.ts';
import { createOracle, type Sent } from '../client/src/testing/hostile/oracle.node.ts';
import type { KnownPast } from '../client/src/testing/hostile/past.node.ts';
import { openPage, remember } from './testing/browser/browser.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { hostileFront, recording } from './testing/lies/hostile-front.ts';
import { playWorld, unlock, type World } from './testing/lies/hostile-world.ts';
import { screenOf } from './testing/vault/screen.ts';
import { usersOf } from './testing/vault/users.ts';

const SEED = 20_261_124;
const RUNS = Number(process.env['HOSTILE_RUNS'] ?? 40);
const FROM = Number(process.env['HOSTILE_FROM'] ?? 0);
/** Timeout in milliseconds of a step that a lie may prevent. */
const PATIENCE = 2_500;

const act = fc.record({
  what: fc.constantFrom('read', 'save', 'add'),
  group: fc.nat({ max: 3 }),
  person: fc.nat({ max: 3 }),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const run = fc.record({
  /** `careful` confirms genuine keys, `never` confirms none. */
  kind: fc.constantFrom('never', 'careful'),
  isFresh: fc.boolean(),
  lies: fc.array(lie, { minLength: 1, maxLength: 3 }),
  moves: fc.array(move, { maxLength: 2 }),
  acts: fc.array(act, { minLength: 1, maxLength: 3 }),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

const NOBODY: Omit<Sent, 'method' | 'path' | 'body'> = {
  browser: 0,
  unlock: 0,
  act: null,
  decisions: 0,
  seen: new Map(),
  rows: new Set(),
};

let world: World;
let hire: Awaited<ReturnType<typeof hireAttackers>>;
const twins = new Map<string, View>();
let isForgotten = false;
/** Ids of users whose keys Ada has confirmed. */
const decided = new Set<string>();
beforeAll(async () => {
  world = await playWorld();
  for (const { userId } of world.decided) decided.add(userId);
  hire = await hireAttackers(await world.past());
}, 180_000);
afterAll(() => world.stop());

test('M81 without lies every action succeeds', async () => {
  const acts = (['read', 'save', 'add'] as const).map((what, person): Act => ({ what, group: person % 2, person: 1 }));
  for (const isFresh of [true, false]) {
    const one: Run = { kind: 'careful', isFresh, lies: [], moves: [], acts: isFresh ? acts : acts.slice(0, 2) };
    const { done, violations, prevented } = await play(one, 1_000);
    expect(violations).toEqual([]);
    expect(prevented).toEqual([]);
    expect(done).toBe(one.acts.length);
  }
});

test('M81 generated lies extract no secret and no value from a real browser', { timeout: 1_200_000 }, async () => {
  const drawn = fc.sample(run, { numRuns: FROM + RUNS, seed: SEED }).slice(FROM);
  const total = { done: 0, tried: 0, told: 0, heard: 0 };
  for (const [index, one] of drawn.entries()) {
    const { violations, done, told, writes, prevented } = await play(one, index);
    total.done += done;
    total.tried += one.acts.length;
    total.told += Number(told.size > 0);
    total.heard += writes;
    expect.soft(violations, `run ${FROM + index}: ${JSON.stringify({ ...one, prevented })}`).toEqual([]);
  }
  if (RUNS < 40) return;
  // Without successful actions and lies that reach the client, the runs would prove nothing.
  expect(total.done, JSON.stringify(total)).toBeGreaterThan(total.tried / 5);
  expect(total.told).toBeGreaterThan(RUNS / 2);
  expect(total.heard).toBeGreaterThan(RUNS / 4);
});

test('M81 the oracle detects a secret and a value that a page sends to attackers', async () => {
  const past = await world.past();
  const attackers = hire(null);
  const oracle = createOracle(past, attackers);
  const [group] = past.groups;
  const place = `${group?.id} ${group?.lists.at(-1)?.content.gkVersion}`;
  const secret = past.secrets.get(place);
  const revision = past.revisions.find(({ groupId }) => groupId === group?.id);
  if (group === undefined || secret === undefined || revision === undefined) throw new Error('no group');
  const wrapped = encodeBase64(await wrapGroupSecret(secret, attackers.ghost.keyring.identity));
  const { entryId, fieldId } = revision;
  const sealed = await makeEnvelope(secret, { groupId: group.id, entryId, fieldId, rev: 9 }, 1);
  const lies = await prepareLies(past, attackers, [], twins);
  world.proxy.answerBy(
    hostileFront({
      past,
      oracle,
      lies,
      moves: [],
      recorded: world.recorded,
      context: () => NOBODY,
      onLie: () => undefined,
    }),
  );
  const page = await world.remembering.newPage();
  await page.goto(world.origin);
  const path = `/passwordBroker/api/entryGroups/${group.id}`;
  const value = {
    rev: 9,
    gk_version: 1,
    cek_wrapped: sealed.cek_wrapped_base64,
    value_encrypted: sealed.encrypted_value_base64,
  };
  const grants = [{ user_id: attackers.ghost.userId, encrypted_aes_password: wrapped }];
  // The server refuses both requests; the oracle has recorded them.
  await page.evaluate(
    async ([path, place, grants, value]) => {
      const post = (to: string, body: unknown) => fetch(to, { method: 'POST', body: JSON.stringify(body) });
      await post(`${path}/rotate`, { grants });
      await post(`${path}/entries/${place}`, value);
    },
    [path, `${entryId}/fields/${fieldId}`, grants, value] as const,
  );
  await page.close();
  const leaks = await oracle.leaks();
  expect(leaks.map((leak) => (leak.kind === 'secret' ? leak.place : leak.text))).toEqual(
    expect.arrayContaining([place, `evil ${group.id}`]),
  );
  expect(await strangers(oracle.sent, past, () => true)).toHaveLength(1);
});

async function play(one: Run, index: number) {
  if (!one.isFresh && isForgotten) await remind();
  const past = await world.past();
  const attackers = hire(null);
  const oracle = createOracle(past, attackers);
  const lies = await prepareLies(past, attackers, one.lies, twins);
  const told = new Set<string>();
  const state = { act: null as string | null };
  const hasMemory = !one.isFresh;
  const front = hostileFront({
    past,
    oracle,
    lies,
    moves: one.moves,
    recorded: world.recorded,
    context: () => ({ ...NOBODY, unlock: index, act: state.act }),
    onLie(what) {
      told.add(what);
      if (what === 'wiped' && !one.isFresh) isForgotten = true;
    },
  });
  const violations: string[] = [];
  const prevented: string[] = [];
  const page = await pageOf(one.isFresh);
  const isHonest = one.lies.length === 0;
  if (isHonest) page.setDefaultTimeout(20_000);
  const person = personAt(page, { past, kind: one.kind, turns: isHonest ? 120 : 18 });
  let done = 0;
  try {
    world.proxy.answerBy(front);
    const [first] = one.acts;
    await tried(prevented, () => page.goto(`${world.origin}/entryGroup/${placeOf(past, lies, first?.group ?? 0).id}`));
    await tried(prevented, () => unlock(screenOf(page), world.ada));
    // A due rotation starts by itself about now.
    await world.proxy.settled(1_500, 6_000);
    await person.closeUnlock();
    if ((await person.questions().count()) > 0)
      violations.push(`(g) a dialog without an act: ${await person.questions().first().innerText()}`);
    for (const wanted of one.acts) {
      const whom = past.people.find(({ name }) => name === nameOf(wanted));
      state.act = wanted.what === 'add' ? `add ${whom?.userId}` : wanted.what;
      const place = placeOf(past, lies, wanted.group);
      const success = await tried(prevented, () => perform(person, wanted, place, index));
      if (success !== null) done += 1;
      const isSound = hasMemory || (lies.record === null && lies.allOlder === null && one.moves.length === 0);
      if (success?.includes('evil') === true && isSound && /Private|Shared/.test(place.name) && !place.isTwin)
        violations.push(`(e) a forged value in ${place.name}: ${success}`);
      await person.leave();
      await world.proxy.settled(400, 4_000);
      state.act = null;
      if ((await person.questions().count()) > 0) violations.push('(g) a dialog after the act had ended');
    }
  } finally {
    await (one.isFresh ? page.context().close() : page.close());
    world.proxy.answerBy(recording(world.recorded));
  }
  const unasked = oracle.sent.filter(({ act: during }) => during === null);
  const newest = membersOf(past);
  for (const path of await strangers(unasked, past, (group, user) => hasMemory && newest(group, user)))
    violations.push(`(c) unasked: ${path}`);
  const isDecided = (group: string, user: string, during: string | null) =>
    newest(group, user) || (decided.has(user) && during === `add ${user}`);
  for (const path of await strangers(oracle.sent, past, isDecided)) violations.push(`(d) ${path}`);
  for (const leak of await oracle.leaks())
    violations.push(
      `(a) ${leak.kind} ${leak.kind === 'secret' ? leak.place : `${leak.text} of ${leak.groupId}`}, ${leak.sent.act ?? 'unasked'}: ${leak.sent.method} ${leak.sent.path}`,
    );
  const writes = oracle.sent.filter(({ path }) => path.includes('/entryGroups/')).length;
  return { violations, done, told, writes, prevented };
}

/** Unlocks without lies after the storage of the remembering browser was deleted. */
async function remind() {
  const page = await pageOf(false);
  page.setDefaultTimeout(20_000);
  await page.goto(world.origin);
  await unlock(screenOf(page), world.ada);
  await world.proxy.settled(1_500, 6_000);
  await page.close();
  isForgotten = false;
}

/** A page in a new browser with only a session, or in the remembering one. */
async function pageOf(isFresh: boolean): Promise<Page> {
  const made = isFresh ? await openPage(world.browser) : null;
  if (made !== null) await made.context.addCookies(await world.remembering.cookies());
  const page = made?.page ?? (await world.remembering.newPage());
  if (made === null) remember(page);
  page.setDefaultTimeout(PATIENCE);
  return page;
}

/** Null if a lie, or the client's reaction to it, prevented the step. */
async function tried<T>(prevented: string[], work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof Error && /Timeout|net::ERR|prevented/.test(`${failure.name} ${failure.message}`)) {
      prevented.push(failure.message);
      return null;
    }
    throw failure;
  }
}

const nameOf = ({ person }: Act): string => ['Carol Clark', 'Dave Dent', 'Eve Evans', 'Bob Brandt'][person] ?? '';

interface KnownGroup {
  readonly id: string;
  readonly name: string;
  readonly isTwin: boolean;
}

/**
 * A known group; the last number selects a forged group if there is one, or one that the server lies about.
 */
function placeOf(past: KnownPast, lies: Lies, drawn: number): KnownGroup {
  const view = lies.views.find(({ twinOf }) => twinOf !== null) ?? lies.views[0];
  const known = past.groups[drawn % past.groups.length];
  const isDirected = drawn === past.groups.length && view !== undefined;
  const id = isDirected ? view.groupId : (known?.id ?? '');
  const group = (isDirected ? view.twinOf : null) ?? past.groups.find((one) => one.id === id) ?? known;
  return { id, name: group?.name ?? '', isTwin: isDirected && view.twinOf !== null };
}

const membersOf = (past: KnownPast) => (groupId: string, userId: string) =>
  past.groups.find(({ id }) => id === groupId)?.members.has(userId) === true;

/** Paths of requests that wrap a group secret for users without permission. */
async function strangers(
  sent: readonly Sent[],
  { people }: KnownPast,
  isAllowed: (groupId: string, userId: string, act: string | null) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const { method, path, body, act: during } of sent) {
    const groupId = /entryGroups\/([0-9a-f-]{36})/.exec(path)?.[1] ?? '';
    for (const [, wrapped = ''] of JSON.stringify(body).matchAll(/"encrypted_aes_password":"([^"]+)"/g)) {
      let reader: string | null = null;
      for (const { userId, keyring } of people)
        await unwrapGroupSecret(keyring, decodeBase64(wrapped)).then(
          () => (reader = userId),
          () => undefined,
        );
      if (reader === null || !isAllowed(groupId, reader, during))
        found.push(`${method} ${path} wraps for ${reader ?? 'nobody known'}`);
    }
  }
  return found;
}

interface Mind {
  readonly past: KnownPast;
  readonly kind: Run['kind'];
  /** Number of checks before an action is given up. */
  readonly turns: number;
}

function personAt(page: Page, { past, kind, turns }: Mind) {
  const at = fieldsOf(page);
  const questions = () => page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const password = () => at.box('Master password', at.dialog());

  /** Id of the user whose key words the dialog shows; null if they are forged. */
  async function isTrue(): Promise<string | null> {
    const words = await at.dialog().getByRole('list').first().getByRole('listitem').allInnerTexts();
    const text = await at.dialog().innerText();
    const whose = past.people.find(
      ({ keyring }) => fingerprintWords(keyring.fingerprint).join(' ') === words.join(' '),
    );
    return whose !== undefined && text.includes(whose.name) ? whose.userId : null;
  }

  return {
    at,
    page,
    users: usersOf(page, screenOf(page)),
    questions,
    /** Waits for a running key derivation, then closes the unlock dialog. */
    async closeUnlock() {
      await at.dialog().getByText('Unlocking', { exact: true }).waitFor({ state: 'hidden', timeout: 20_000 });
      if ((await password().count()) > 0) await page.keyboard.press('Escape');
      await page.waitForTimeout(100);
    },
    /** Answers dialogs during an action until `end` returns true. */
    async answerUntil(this: void, end: () => Promise<boolean>) {
      for (let turn = 0; turn < turns; turn += 1) {
        if (await end()) return;
        const trust = at.button('Trust for now', at.dialog());
        if ((await password().count()) > 0) {
          await password().fill(world.ada.masterPassword);
          await page.keyboard.press('Enter');
          await password().waitFor({ state: 'detached' });
        } else if ((await trust.count()) > 0) {
          const whose = kind === 'careful' ? await isTrue() : null;
          if (whose === null) throw new Error('prevented: the key is not confirmed');
          decided.add(whose);
          await trust.click();
        } else if ((await page.getByRole('alertdialog').count()) > 0) throw new Error('prevented: a question');
        await page.waitForTimeout(150);
      }
      throw new Error('prevented: the act did not end');
    },
    /** Closes all dialogs. */
    async leave() {
      for (let turns = 0; turns < 5 && (await questions().count()) > 0; turns += 1) {
        await page.keyboard.press('Escape');
        await page.waitForTimeout(200);
        const discard = page.getByRole('button', { name: /^Discard/ });
        if ((await discard.count()) > 0) await discard.first().click();
      }
    },
  };
}

/** The value read, or the name of the action; throws if it was prevented. */
async function perform(
  { at, page, users, answerUntil }: ReturnType<typeof personAt>,
  wanted: Act,
  { id, name }: KnownGroup,
  index: number,
): Promise<string> {
  const { what } = wanted;
  if (!page.url().includes(id)) {
    const row = page.getByRole('treegrid').getByRole('row', { name: new RegExp(`^${name}, `) });
    await row.first().click();
  }
  if (what === 'add') {
    await users.open();
    const whom = nameOf(wanted);
    await users.add(whom, 'Member');
    await answerUntil(async () => (await users.row(whom).count()) > 0);
    return what;
  }
  await page.getByRole('tab', { name: /^Entries/ }).click();
  await at.entry('Ledger').or(at.entry('Root')).first().click();
  const row = at.row('Root');
  if (what === 'read') {
    await at.button('Show', row).click();
    await answerUntil(async () => (await at.button('Hide', row).count()) > 0);
    return row.innerText();
  }
  await at.button('Edit Root', row).click();
  await answerUntil(async () => (await at.button('Save', at.dialog()).count()) > 0);
  await at.box('Value', at.dialog()).fill(`saved in run ${index}`);
  await at.button('Save', at.dialog()).click();
  await answerUntil(async () => (await page.getByRole('dialog').count()) === 0);
  return what;
}
