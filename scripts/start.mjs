/** `npm start`: on a fresh clone installs, builds, migrates and serves everything on http://localhost:8080. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { preparePackages } from './prepare.mjs';
import { ROOT } from './run.mjs';

await preparePackages();
const { buildAll } = await import('../build/build.mjs');
await buildAll({ ifStale: true });

// The same variables as in the unit and the image of `deploy/` (docs/operations.md, Sizing).
const environment = JSON.parse(readFileSync(join(ROOT, 'deploy', 'process-environment.json'), 'utf8'));
const server = spawn(process.execPath, [join(ROOT, 'server', 'dist', 'main.cjs')], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, ...environment },
});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.kill(signal));
server.on('close', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)));
