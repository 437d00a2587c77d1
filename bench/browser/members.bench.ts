/**
 * Adds a member to a tree of 100 groups (goal 1 s) and removes one from a group of 5,000 fields (goal 2 s), in
 * Chromium. `npx tsx bench/browser/members.bench.ts`, after `npm run build`.
 */
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { browserOptions, openPage } from '../../e2e/testing/browser/browser.ts';
import { addPeople, signUpFirst, type Person } from '../../e2e/testing/people/people.ts';
import { screenOf, type Screen } from '../../e2e/testing/vault/screen.ts';
import { addSealedEntry, addSealedGroup, addSealedTree } from '../../e2e/testing/vault/sealed-tree.ts';
import { startServer } from '../../e2e/testing/server/server.ts';
import { usersOf } from '../../e2e/testing/vault/users.ts';
import { openWriter } from '../../server/src/db/sqlite/connections.ts';
import { addManyFields } from '../data/many-fields.ts';
import { processorTime } from '../tools/process.ts';
import { printTable } from '../tools/table.ts';

const GROUPS = 100;
const FIELDS = 5_000;
const API = '/passwordBroker/api';

type Row = Record<string, string | number>;

const server = await startServer({ env: { LOG_LEVEL: 'warn' } });
const program = await chromium.launchServer(browserOptions());
const browser = await chromium.connect(program.wsEndpoint());
const browserPid = program.process().pid ?? 0;

/** Milliseconds by the page's clock from the next press to the text. Playwright polls too rarely to time it from outside. */
function shownAfterPress(page: Page, text: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        let pressed = Number.NaN;
        addEventListener('pointerdown', () => (pressed = performance.now()), { capture: true, once: true });
        const look = new MutationObserver(() => {
          if (!(document.body.textContent ?? '').includes(wanted)) return;
          look.disconnect();
          // After the next frame.
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)));
        });
        look.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
    text,
  );
}

/** Milliseconds of wall-clock time, and of processor time of server and browser; requests by kind. */
async function measured(page: Page, what: string, limit: number | '', act: () => Promise<number | void>): Promise<Row> {
  const requests = new Map<string, number>();
  const count = (request: { method(): string; url(): string }) => {
    const path = new URL(request.url()).pathname.replace(API, '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id');
    const name = `${request.method()} ${path}`;
    requests.set(name, (requests.get(name) ?? 0) + 1);
  };
  page.on('request', count);
  const [server0, browser0] = [processorTime(server.pid()), processorTime(browserPid)];
  const started = performance.now();
  const shownAfter = await act();
  const ms = shownAfter ?? performance.now() - started;
  const row = {
    what,
    ms,
    'limit ms': limit,
    'server, processor ms': processorTime(server.pid()) - server0,
    'browser, processor ms': processorTime(browserPid) - browser0,
    requests: [...requests.values()].reduce((sum, one) => sum + one, 0),
  };
  page.off('request', count);
  printTable(
    what,
    [...requests].map(([request, times]) => ({ request, times })),
  );
  return row;
}

async function share(page: Page, screen: Screen, ada: Person, people: readonly Person[]): Promise<Row[]> {
  const tree = await addSealedTree(screen, ada, 'Company', GROUPS);
  await page.goto(`${server.origin}/entryGroup/${tree[0]?.id}`);
  const users = usersOf(page, screen);
  await users.open();
  await page.getByLabel(`Also in the ${GROUPS - 1} child groups where you are admin`).check();
  const rows: Row[] = [];
  for (const [at, person] of people.entries()) {
    await users.add(person.name, 'Moderator');
    if (at === 0) await screen.remember(ada.masterPassword);
    await screen.button('Compared, verified', screen.dialog()).waitFor();
    const what = `${person.name} into ${GROUPS} groups${at === 0 ? ', none of them opened before' : ', again'}`;
    rows.push(
      await measured(page, what, 1000, async () => {
        const shown = shownAfterPress(page, `${person.name} added as Moderator in ${GROUPS} groups`);
        await screen.button('Compared, verified', screen.dialog()).click();
        return shown;
      }),
    );
  }
  return rows;
}

async function rotate(page: Page, screen: Screen, ada: Person, bob: Person): Promise<Row[]> {
  const large = await addSealedGroup(screen, ada, 'Large');
  const { entryId } = await addSealedEntry(screen, large, { title: 'Many', fields: [] });
  const { queries } = openWriter(join(server.dataDir, 'passwordbroker.sqlite'));
  const place = { g: large.id, e: entryId, groupKey: large.groupKey };
  const fields = { count: FIELDS, makerId: ada.userId, readerIds: [ada.userId, bob.userId] };
  await addManyFields((work) => queries.transaction().execute(work), place, fields);
  const left = () =>
    queries
      .selectFrom('field_revisions')
      .innerJoin('fields', 'fields.field_id', 'field_revisions.field_id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('fields.entry_id', '=', entryId)
      .where('field_revisions.gk_version', '=', 1)
      .executeTakeFirstOrThrow();
  await page.goto(`${server.origin}/entryGroup/${large.id}`);
  const users = usersOf(page, screen);
  await users.open();
  await users.add(bob.name, 'Member');
  await screen.remember(ada.masterPassword);
  await users.row(bob.name).waitFor();
  await screen.button(`Remove ${bob.name}`).click();
  await users.question().getByText(`has opened`).waitFor();
  const rotated = page.waitForResponse(
    (answer) => answer.url().endsWith('/rotate') && answer.request().method() === 'POST',
  );
  let inForeground = 0;
  const row = await measured(
    page,
    `${bob.name} removed, the key of ${FIELDS} fields changed, all wrapped anew`,
    '',
    async () => {
      const started = performance.now();
      await screen.button('Remove', users.question()).click();
      await Promise.all([users.row(bob.name).waitFor({ state: 'detached' }), rotated]);
      inForeground = performance.now() - started;
      while (Number((await left()).count) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  );
  await queries.destroy();
  const first = {
    what: 'of this in the foreground: he is out, and the new key is in use',
    ms: inForeground,
    'limit ms': 2000,
  };
  return [first, row];
}

try {
  const { page } = await openPage(browser);
  page.setDefaultTimeout(90_000);
  const ada = await signUpFirst(page, server.origin, 'Ada Adler');
  const screen = screenOf(page);
  const people = await addPeople(screen, server.dataDir, ['Bob Brandt', 'Eve Evans']);
  const [bob] = people;
  if (bob === undefined) throw new Error('nobody to share with');
  const rows = [...(await share(page, screen, ada, people)), ...(await rotate(page, screen, ada, bob))];
  printTable('Sharing and rotating in the browser', rows);
} finally {
  await browser.close();
  await program.close();
  await server.stop();
}
