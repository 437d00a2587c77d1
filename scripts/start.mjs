/** `npm start`: on a fresh clone installs, builds, migrates and serves everything on http://localhost:8080. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { preparePackages } from './prepare.mjs';
import { ROOT } from './run.mjs';

await preparePackages();
const { buildAll } = await import('./build.mjs');
await buildAll({ ifStale: true });

const server = spawn(process.execPath, ['--enable-source-maps', join(ROOT, 'server', 'dist', 'main.cjs')], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'production' },
});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.kill(signal));
server.on('close', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)));
