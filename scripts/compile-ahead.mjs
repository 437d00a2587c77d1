/** Starts the server of the given `main.cjs` in this process and, when it is ready, writes beside it what has been compiled. Part of `build-process.mjs`. */
import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

const { script, filename } = createRequire(import.meta.url)(process.argv[2]);

const status = () =>
  new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port: process.env.PORT, path: '/ready', agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    });
    asked.on('error', () => resolve(0));
  });

while ((await status()) !== 200) await pause(20);
const path = `${filename}.compiled`;
writeFileSync(`${path}.part`, script.createCachedData());
// Whoever may read the program may read this: the server itself makes its files its own.
chmodSync(`${path}.part`, 0o644);
renameSync(`${path}.part`, path);
process.kill(process.pid, 'SIGTERM');
