/** The two parts that the popup calls, and how its buttons call them. */
import { useRef, useState } from 'react';
import { api } from '../browser-api.ts';
import { callBackground, connectKeeper } from '../calls.ts';
import type { BackgroundOperations } from '../background/operations.ts';
import type { KeeperOperations } from '../keeper/operations.ts';
import type { Status } from '../keeper/session.ts';
import { sitePattern } from '../site-pattern.ts';

export const background = callBackground<BackgroundOperations>();
export const keeper = connectKeeper<KeeperOperations>(() => background('keeperStarted'));

/** Forgets the server, and gives its permission back: it would count as the wish for offers to save there. */
export async function unpair(server: string | null): Promise<Status> {
  const status = await keeper('unpair');
  // Rejected for a permission that an administrator has given.
  if (server !== null) await api.permissions.remove({ origins: [sitePattern(server)] }).catch(() => false);
  return status;
}

/**
 * One action at a time: while one runs, presses of any button do nothing.
 * @returns the name of the running action, and a function that starts one. `failed` gets what the action throws
 */
export function useAction<Name extends string>(failed: (failure: unknown) => void) {
  const [running, setRunning] = useState<Name | null>(null);
  const isRunning = useRef(false);
  const run = (name: Name, action: () => Promise<unknown>): void => {
    if (isRunning.current) return;
    isRunning.current = true;
    setRunning(name);
    action()
      .catch(failed)
      .finally(() => {
        isRunning.current = false;
        setRunning(null);
      });
  };
  return [running, run] as const;
}
