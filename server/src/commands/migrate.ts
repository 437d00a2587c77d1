import { readFileSync } from 'node:fs';
import { openDatabase } from '../db/open.ts';
import { postgresUrlProblem } from '../db/postgres/address.ts';
import { moveToServer } from '../moving/move-to-server.ts';
import { CommandError, EXIT, UsageError, type Call, type Command } from './command.ts';
import { join } from 'node:path';
import { createApp } from '../app/app.ts';
import { openDeps } from '../app/deps.ts';
import { createLog } from '../platform/log.ts';
import { seed } from '../seed/seed.ts';

export const migrateDatabase: Command = {
  summary: 'Brings the database up to date, or moves it to a PostgreSQL server with --to.',
  details: [
    'Stop the server first. An embedded database is copied before it is upgraded. For one on a',
    'PostgreSQL server make a backup first (pg_dump), and say so with --yes. With --to everything',
    'of DATA_DIR’s embedded database and its sealed files go into an empty database in one',
    'transaction, and both are read and compared. Nothing is changed here. The address holds no',
    'password: that comes by --password-stdin, PGPASSWORD or PGPASSFILE, or the whole address',
    'stands in a file that --to-file names.',
  ],
  args: [],
  options: {
    yes: { help: 'Confirms a backup of the PostgreSQL database: upgrades its tables.' },
    to: { value: 'url', help: 'postgres://name@host/database of an empty database.' },
    'to-file': { value: 'path', help: 'A file with that address; a password may be in it.' },
    'password-stdin': { help: 'Reads the password for --to from the first line of standard input.' },
  },
  async run(call) {
    const { config, terminal } = call;
    const target = await targetOf(call);
    if (target !== null && config.databaseUrl !== null) {
      throw new CommandError('DATABASE_URL names a server: an embedded database is what can be moved.');
    }
    const db = await openDatabase({
      ...config,
      confirmUpgrade: config.confirmUpgrade || call.isOn('yes'),
      now: Date.now(),
      onUpgradeCopy: (path) => terminal.say(`The database from before the upgrade is copied to ${path}.`),
    });
    try {
      if (target === null) terminal.say('The database is up to date.');
      else await move(call, db, target);
    } finally {
      await db.close();
    }
    return EXIT.done;
  },
};

async function move({ config, terminal }: Call, db: Awaited<ReturnType<typeof openDatabase>>, url: string) {
  const server = await openDatabase({ dataDir: config.dataDir, databaseUrl: url, now: Date.now() });
  try {
    const { counts } = await moveToServer(db, server);
    for (const [name, count] of Object.entries(counts)) {
      if (count > 0) terminal.say(`${name.padEnd(22)} ${String(count).padStart(9)}  the same`);
    }
    terminal.say(
      'All is on the server. Set DATABASE_URL to its address and start; the embedded database stays as it was.',
    );
  } finally {
    await server.close();
  }
}

/** Null without `--to`. @throws UsageError, without the typed URL, which may contain a password */
async function targetOf(call: Call): Promise<string | null> {
  const [url, ...others] = [...call.values('to'), ...call.values('to-file').map(readAddress)];
  if (url === undefined) {
    if (call.isOn('password-stdin')) throw new UsageError('--password-stdin belongs to --to.');
    return null;
  }
  if (others.length > 0) throw new UsageError('One of --to and --to-file is enough.');
  const problem = postgresUrlProblem(url);
  if (problem !== null) throw new UsageError(`The address ${problem}`);
  const address = new URL(url);
  const isTyped = call.values('to').length > 0;
  if (isTyped && (address.password !== '' || address.searchParams.has('password'))) {
    throw new UsageError('A password is no argument: every account of this machine can read arguments. See --help.');
  }
  if (call.isOn('password-stdin')) address.password = encodeURIComponent(await call.terminal.secret('Password', true));
  return address.href;
}

function readAddress(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new UsageError('The file of --to-file cannot be read.');
  }
}

const ALONE = 'Stop the server first: it needs the data folder for itself.';

export const seedDatabase: Command = {
  summary: 'Fills an empty database with a demonstration team and prints how to sign in, once.',
  details: [ALONE],
  args: [],
  options: {},
  async run({ config, terminal }) {
    const deps = await openDeps(config, createLog('silent'));
    const app = await createApp(deps, { webDir: join(config.dataDir, 'no-client') });
    try {
      const people = await seed(app, deps);
      terminal.say('The demonstration team is in place. These secrets are shown once and stored nowhere:\n');
      for (const { name, email, password, masterPassword } of people) {
        terminal.say(`${name}\n  e-mail           ${email}\n  password         ${password}`);
        terminal.say(`  master password  ${masterPassword}\n`);
      }
      return EXIT.done;
    } finally {
      await app.close();
      await deps.db.close();
    }
  },
};
