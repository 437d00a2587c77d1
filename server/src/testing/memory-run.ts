/**
 * Before a run whose tests start servers: their data folders lie in memory. Each write that is told is still asked to be on its medium, which takes no time
 * there; no test here takes the power away, and a process that is killed leaves its files as on a disk.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { memoryFolder } from './memory-folder.ts';

/** Many times what the tests of one run have at a time. */
const ROOM = 4 * 2 ** 30;

export default function start(): () => void {
  const folder = mkdtempSync(join(memoryFolder(ROOM), 'passwordbroker-run-'));
  // PostgreSQL runs as an account of its own, and has folders in here.
  chmodSync(folder, 0o755);
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true });
  };
}
