/** Checks whether a copy is stale as the server does, and counts statements and rows. */
import { type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import { createSealedPlace, type SealedPlace } from '../../testing/sealed-place.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { findApplication } from '../applications/application-repository.ts';
import { isDatabaseStale, type isKeyStale } from '../applications/applications.ts';
import { findNewestCopy } from '../copy-repository.ts';
import { type Device, deviceOf } from './device.ts';

/** Bob has a copy of his nine groups, and Ada has a group of her own. */
interface Site {
  readonly app: TestApp;
  readonly ada: SignedIn;
  readonly bob: SignedIn;
  readonly hers: SealedPlace;
  readonly place: SealedPlace;
  readonly device: Device;
}

export const rename = (person: SignedIn, at: SealedPlace) =>
  person.call(entries.rename, { params: at, body: { title: v7() } });

const NOTHING_NEW = 2;

/** Call once in a file, before its own hooks. */
export function withStaleChecks(take: (site: Site) => void) {
  let app: TestApp;
  let device: Device;
  beforeAll(async () => {
    app = await startTestApp();
    const [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
    const hers = await createSealedPlace(ada, { name: 'Hers', entry: 'Hers' });
    const place = await createSealedPlace(bob, { name: 'Operations', entry: 'Mail' });
    for (let at = 0; at < 8; at += 1) await createSealedPlace(bob, { name: `More ${at}`, entry: 'Another' });
    device = await deviceOf(bob);
    take({ app, ada, bob, hers, place, device });
  });
  afterAll(() => app.stop());

  /**
   * Result of a check, its statements, and the number of rows they read, without the query for a cursor on
   * PostgreSQL.
   */
  async function watched(check: typeof isDatabaseStale | typeof isKeyStale) {
    const nodes: RootOperationNode[] = [];
    let rows = 0;
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        if (node.kind !== 'RawNode') nodes.push(node);
        return node;
      },
      transformResult: async ({ result }) => {
        rows += result.rows.length;
        return result;
      },
    };
    const { db } = app.deps;
    const read = db.read.withPlugin(plugin);
    const row = await findApplication(db.read, device.applicationId);
    if (row === undefined) throw new Error('no application');
    const stale = await check({ ...app.deps, db: Object.create(db, { read: { value: read } }) as typeof db }, row);
    const executor = db.read.getExecutor();
    return { stale, rows, statements: nodes.map((node) => executor.compileQuery(node, { queryId: 'watched' })) };
  }
  type Statement = Awaited<ReturnType<typeof watched>>['statements'][number];

  /** Lines of the query plan that scan a table, except the small table of site settings. */
  async function walks({ sql: text, parameters }: Statement): Promise<string[]> {
    const values = parameters.map((value) => sql.lit(typeof value === 'number' ? value : String(value)));
    const parts = text.split('?');
    const filled = parts.flatMap((part, at) => (at < values.length ? [sql.raw(part), values[at]] : [sql.raw(part)]));
    const { rows } = await sql<{ readonly detail: string }>`explain query plan ${sql.join(filled, sql``)}`.execute(
      app.deps.db.read,
    );
    return rows
      .map(({ detail }) => detail)
      .filter((line) => line.startsWith('SCAN') && !/site_settings|CONSTANT/.test(line));
  }

  /**
   * SQLite reports changes exactly; PostgreSQL may report changes again that ran beside older transactions.
   */
  const isExact = () => app.deps.db.dialect === 'sqlite';

  /** Downloads until no earlier change is delivered again. */
  const fetchAnew = () =>
    vi.waitFor(async () => {
      await device.fetch();
      expect(await device.isStale()).toBe(false);
    }, 20_000);

  /** At the next check on SQLite; soon on PostgreSQL, where concurrent transactions may delay it. */
  async function expectsNothingNew(): Promise<void> {
    const once = async () => {
      const again = await watched(isDatabaseStale);
      expect([again.stale, again.statements.length, again.rows]).toEqual([false, NOTHING_NEW, NOTHING_NEW]);
    };
    await (isExact() ? once() : vi.waitFor(once, 20_000));
  }
  const stampOf = async () => Number((await findNewestCopy(app.deps.db, device.applicationId))?.stamp ?? Number.NaN);

  return { watched, walks, isExact, fetchAnew, expectsNothingNew, stampOf };
}
