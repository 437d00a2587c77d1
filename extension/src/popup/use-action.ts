import { useRef, useState } from 'react';

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
