#!/usr/bin/env node
/** The command line of the product: `npx passwordbroker <command>`, or `npm run cli -- <command>`. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAll } from '../build/build.mjs';
import { preparePackages } from './prepare.mjs';
import { ROOT } from './run.mjs';

await preparePackages();
await buildAll({ ifStale: true });
const environment = JSON.parse(readFileSync(join(ROOT, 'deploy', 'process-environment.json'), 'utf8'));
const cli = spawn(process.execPath, [join(ROOT, 'server', 'dist', 'cli.js'), ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, ...environment },
});
cli.on('close', (code) => process.exit(code ?? 1));
