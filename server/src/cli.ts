/** The command line: what an operator does while the server is stopped. Secrets come from the environment or a file, never from an argument. */
import { join } from 'node:path';
import { createApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { SchemaError } from './db/migrate.ts';
import { DataDirInUse } from './db/sqlite.ts';
import { openDeps } from './deps.ts';
import { createLog } from './platform/log.ts';
import { NotEmpty, seed } from './seed/seed.ts';

const EXIT = { done: 0, failed: 1, usage: 2 } as const;
type Exit = (typeof EXIT)[keyof typeof EXIT];

interface Command {
  readonly summary: string;
  run(config: Config): Promise<void>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: { summary: 'Brings the database of DATA_DIR up to date, or makes it.', run: migrateDatabase },
  seed: {
    summary: 'Fills an empty database with a demonstration team and prints how to sign in, once.',
    run: seedDatabase,
  },
};

const HELP = `Usage: npm run cli -- <command>

Commands:
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
  .join('\n')}

  --help    This text.

The configuration is that of the server: DATA_DIR and the other variables of the
environment. Stop the server first: a data folder belongs to one process.

Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong usage.
`;

async function migrateDatabase({ dataDir }: Config): Promise<void> {
  const db = await openDatabase({ dataDir, now: Date.now() });
  await db.close();
  console.log('The database is up to date.');
}

async function seedDatabase(config: Config): Promise<void> {
  const deps = await openDeps(config, createLog('silent'));
  const app = await createApp(deps, { webDir: join(config.dataDir, 'no-client') });
  try {
    const people = await seed(app, deps);
    console.log('The demonstration team is in place. These secrets are shown once and stored nowhere:\n');
    for (const { name, email, password, masterPassword } of people) {
      console.log(
        `${name}\n  e-mail           ${email}\n  password         ${password}\n  master password  ${masterPassword}\n`,
      );
    }
  } finally {
    await app.close();
    await deps.db.close();
  }
}

async function main(args: readonly string[]): Promise<Exit> {
  const [name, ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(HELP);
    return EXIT.done;
  }
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined || rest.length > 0) {
    console.error(HELP);
    return EXIT.usage;
  }
  try {
    await command.run(readConfig(process.env));
    return EXIT.done;
  } catch (error) {
    console.error(sentenceOf(error));
    return EXIT.failed;
  }
}

/** What went wrong, for a person; a stack only for what nobody foresaw. */
function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError) {
    return `The configuration is wrong:\n${error.problems.map((problem) => `  - ${problem}`).join('\n')}`;
  }
  const isExpected = error instanceof NotEmpty || error instanceof SchemaError || error instanceof DataDirInUse;
  if (isExpected) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : 'Something went wrong.';
}

process.umask(0o077);
process.exitCode = await main(process.argv.slice(2));
