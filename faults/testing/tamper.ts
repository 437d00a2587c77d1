/** Makes system calls of a running server fail, with strace. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Attaches to all threads of the process; their calls fail as in `inject` (`error=EIO:when=1`, see
 * strace(1)).
 * @param path only calls on this path fail
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
