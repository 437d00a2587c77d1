/** Connections that a process and its threads open, recorded by strace. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';

/** Checks on a short-lived process that strace exists and may trace others. */
export const hasStrace =
  spawnSync('sh', ['-c', 'sleep 0.3 & strace -qq -o /dev/null -p $!'], { timeout: 5000 }).status === 0;
export const named = (name: string) => (hasStrace ? name : `${name} (skipped: strace is not here, or may not trace)`);

export interface Watch {
  /** `address:port` of every connection or datagram so far; only the path for sockets in the file system. */
  targets(): readonly string[];
  stop(): Promise<void>;
}

/** Attaches strace to a running process. */
export async function watchConnections(pid: number): Promise<Watch> {
  const strace: ChildProcess = spawn('strace', ['-f', '-qq', '-e', 'trace=connect,sendto,sendmsg', '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  strace.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  // strace does not report that it has attached, so poll for a tracer.
  for (let tries = 0; tries < 100 && !isTraced(pid); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    targets: () => targetsIn(text),
    stop: () =>
      new Promise((resolve) => {
        strace.once('close', () => resolve());
        strace.kill('SIGINT');
      }),
  };
}

const isTraced = (pid: number) =>
  spawnSync('grep', ['-q', '^TracerPid:[[:space:]]*[1-9]', `/proc/${pid}/status`]).status === 0;

function targetsIn(text: string): string[] {
  const internet = [
    ...text.matchAll(/sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/g),
    ...text.matchAll(/sin6_port=htons\((\d+)\).*?inet_pton\(AF_INET6, "([^"]+)"/g),
  ].map(([, port, address]) => `${address}:${port}`);
  const local = [...text.matchAll(/sun_path="([^"]+)"/g)].map(([, path]) => path ?? '');
  return [...new Set([...internet, ...local])].toSorted();
}
