/** Runs `doctor` on the folder of a stopped server. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../server/dist/cli.js', import.meta.url));

export interface Findings {
  readonly code: number;
  readonly output: string;
}

/** Runs `doctor`. Code 0: no damage. `databaseUrl` for PostgreSQL. */
export function examine(dataDir: string, databaseUrl = ''): Promise<Findings> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [CLI, 'doctor'],
      { env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl }, timeout: 60_000 },
      (error, stdout, stderr) =>
        resolve({
          code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
          output: stdout + stderr,
        }),
    );
  });
}
