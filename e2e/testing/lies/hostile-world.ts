/** An honest history on a real server behind a proxy, and one browser that remembers it (M81). */
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { type GroupSecret, unwrapGroupSecret } from '@passwordbroker/core/domain/groups/grants';
import { hashRoster, readRoster } from '@passwordbroker/core/domain/rosters/roster';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { openReader } from '../../../server/src/db/sqlite/connections.ts';
import type { KnownPast, PastGroup } from '../../../client/src/testing/hostile/past.node.ts';
import { storedRevisions } from '../../../client/src/testing/hostile/revisions.node.ts';
import { closePages, openPage, sharedBrowser } from '../browser/browser.ts';
import { AGES, type Recorded, recording } from './hostile-front.ts';
import { startHostileProxy } from './hostile-proxy.ts';
import { addPeople, type Person, signIn, signUpFirst } from '../people/people.ts';
import { type Screen, screenOf } from '../vault/screen.ts';
import { addSealedEntry, addSealedGroup } from '../vault/sealed-tree.ts';
import { freePort, startServer } from '../server/server.ts';
import { usersOf } from '../vault/users.ts';

const API = '/passwordBroker/api/entryGroups';

export type World = Awaited<ReturnType<typeof playWorld>>;

export async function unlock(screen: Screen, person: Person): Promise<void> {
  await screen.button(/^Master Pasword (not entered|is incorrect)$/).click();
  await screen.remember(person.masterPassword);
  await screen.button('Master Pasword validated').waitFor();
}

export async function playWorld() {
  const port = await freePort();
  const server = await startServer({ publicUrl: `http://localhost:${port}` });
  const proxy = await startHostileProxy(port, () => server.port);
  const browser = await sharedBrowser();
  const { page, context } = await openPage(browser);
  const { origin } = proxy;
  const recorded: Recorded = new Map();
  proxy.answerBy(recording(recorded));

  const ada = await signUpFirst(page, origin, 'Ada Adler');
  const screen = screenOf(page);
  const others = await addPeople(screen, server.dataDir, ['Bob Brandt', 'Carol Clark', 'Dave Dent', 'Eve Evans']);
  const [bob, , , eve] = others;
  const own = await addSealedGroup(screen, ada, 'Private');
  const shared = await addSealedGroup(screen, ada, 'Shared');
  for (const group of [own, shared]) await addSealedEntry(screen, group, { title: 'Ledger', fields: ['Root'] });

  const add = async (its: Page, adder: Person, groupId: string, name: string, role: 'Admin' | 'Member') => {
    const there = screenOf(its);
    const users = usersOf(its, there);
    await its.goto(`${origin}/entryGroup/${groupId}`);
    await unlock(there, adder);
    await users.open();
    await users.add(name, role);
    await there.button('Trust for now', there.dialog()).click();
    await users.row(name).waitFor();
  };
  await add(page, ada, shared.id, bob.name, 'Admin');
  await add(page, ada, shared.id, eve.name, 'Member');
  // A group made by another user.
  const atBobs = await openPage(browser);
  const bobs = await signIn(atBobs.page, origin, bob);
  const team = await addSealedGroup(bobs, bob, 'Team');
  await addSealedEntry(bobs, team, { title: 'Ledger', fields: ['Root'] });
  await add(atBobs.page, bob, team.id, ada.name, 'Admin');
  await atBobs.context.close();
  // Eve is removed and the key is rotated: an older list still contains her.
  await page.goto(`${origin}/entryGroup/${shared.id}`);
  await unlock(screen, ada);
  const users = usersOf(page, screen);
  await users.open();
  await users.remove(eve.name);
  await users.row(eve.name).waitFor({ state: 'detached' });
  await proxy.settled(3_000, 20_000);
  for (const { id } of [own, shared, team]) {
    await page.goto(`${origin}/entryGroup/${id}`);
    await unlock(screen, ada);
    await screen.entry('Ledger').waitFor();
    // The client writes automatically accepted lists some seconds later.
    await proxy.settled(2_500, 10_000);
  }
  const groups = new Map([
    [own.id, 'Private'],
    [shared.id, 'Shared'],
    [team.id, 'Team'],
  ]);
  const reader = openReader(join(server.dataDir, 'passwordbroker.sqlite'));
  const people = [ada, ...others];
  const secrets = new Map<string, GroupSecret>();

  /** What the attackers know, and the secrets and values that they must not learn. */
  async function past(): Promise<KnownPast> {
    const grants = await reader.selectFrom('group_grants').selectAll().execute();
    for (const one of grants) {
      const name = `${one.entry_group_id} ${one.gk_version}`;
      const keyring = people.find(({ userId }) => userId === one.user_id)?.keyring;
      if (keyring === undefined || secrets.has(name)) continue;
      secrets.set(name, await unwrapGroupSecret(keyring, new Uint8Array(one.wrapped)));
    }
    return {
      victim: ada,
      people,
      groups: await Promise.all([...groups].map(([id, name]) => groupOf(context, `${origin}${API}/${id}`, id, name))),
      revisions: await storedRevisions(reader),
      secrets,
      held: () => new Set(),
      older: { length: AGES },
    };
  }

  await page.close();
  return {
    origin,
    proxy,
    browser,
    /** The browser that has accepted the groups. */
    remembering: context,
    recorded,
    ada,
    people,
    /** Users whose keys Ada has confirmed. */
    decided: [ada, bob, eve],
    past,
    async stop() {
      await reader.destroy();
      await closePages(browser);
      await proxy.close();
      await server.stop();
    },
  };
}

async function groupOf(context: BrowserContext, address: string, id: string, name: string): Promise<PastGroup> {
  const answer = (await (await context.request.get(`${address}/roster?from=0`)).json()) as RosterAnswer;
  const lists = await Promise.all(
    answer.rosters.map(async (wire) => {
      const bytes = decodeBase64(wire.roster_base64);
      return { wire, content: readRoster(bytes), hash: await hashRoster(bytes) };
    }),
  );
  const newest = lists.at(-1)?.content.members ?? [];
  return { id, name, lists, members: new Map(newest.map(({ userId, role }) => [userId, role])) };
}
