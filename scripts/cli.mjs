#!/usr/bin/env node
/** The command line of the product: `npx passwordbroker <command>`, or `npm run cli -- <command>`. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildAll } from './build.mjs';
import { preparePackages } from './prepare.mjs';
import { ROOT } from './run.mjs';

await preparePackages();
await buildAll({ ifStale: true });
const cli = spawn(process.execPath, [join(ROOT, 'server', 'dist', 'cli.js'), ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'production' },
});
cli.on('close', (code) => process.exit(code ?? 1));
