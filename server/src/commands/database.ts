import { join } from 'node:path';
import { createApp } from '../app/app.ts';
import { openDeps } from '../app/deps.ts';
import { createLog } from '../platform/log.ts';
import { seed } from '../seed/seed.ts';
import { EXIT } from './command.ts';
import type { Command } from './command.ts';

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
