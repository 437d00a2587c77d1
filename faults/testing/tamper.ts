/** System calls of a running server that fail on purpose, by strace. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Attaches to the process and all of its threads; their calls fail as `inject` says (`fsync:error=EIO:when=1`, see strace(1)), only those on `path` where one
 * is given.
 * @returns a function that detaches
 */
export async function tamper(pid: number, calls: string, inject: string, path?: string): Promise<() => Promise<void>> {
  const only = path === undefined ? [] : ['-P', path];
  const tracing = ['-f', '-o', '/dev/null', ...only, '-e', `trace=${calls}`, '-e', `inject=${calls}:${inject}`];
  const strace = spawn('strace', [...tracing, '-p', String(pid)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(strace, 'close');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    strace.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('attached')) resolve();
    });
    strace.once('close', () => reject(new Error(`strace ended: ${said}`)));
  });
  return async () => {
    strace.kill('SIGINT');
    await ended;
  };
}
