/** `npm run dev`: the server restarts and the page reloads when a source changes. API on 8080, page on 5173. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { preparePackages } from './prepare.mjs';
import { ROOT } from './run.mjs';

await preparePackages();
const bin = (name) => join(ROOT, 'node_modules', '.bin', name);
const env = { ...process.env, PUBLIC_URL: process.env['PUBLIC_URL'] ?? 'http://localhost:5173' };
const children = [
  spawn(process.execPath, [bin('tsx'), 'watch', '--clear-screen=false', 'server/src/app/main.ts'], {
    cwd: ROOT,
    stdio: 'inherit',
    env,
  }),
  spawn(process.execPath, [bin('vite'), 'web', '--port', '5173', '--strictPort'], { cwd: ROOT, stdio: 'inherit', env }),
];

let stopping = false;
function stop(code) {
  if (stopping) return;
  stopping = true;
  for (const child of children) child.kill('SIGTERM');
  process.exitCode = code;
}
for (const child of children) child.on('close', (code) => stop(code ?? 0));
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop(0));
