import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { tellDone } from '../../activity-log/tell.ts';
import { EntryCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { ROTATION_TEXTS as TEXTS } from '../../texts/groups/trust.ts';
import type { Rotation, RotateOptions } from '@passwordbroker/client/vault/groups/people';
import { useVault } from '../../vault/use-vault.ts';
import type { NamedGroup } from '../changes/over-groups.ts';
import { useMembersReload } from '../table/use-members.ts';

/**
 * The rotation of this group's key on this page, or null (docs/spec/crypto.md §12). Reloads the group at its
 * end.
 */
export function useRotationOf({ id: groupId, title }: NamedGroup): Rotation | null {
  const { rotations } = useVault();
  const reload = useMembersReload();
  const subscribe = useCallback((listener: () => void) => rotations.subscribe(listener), [rotations]);
  const all = useSyncExternalStore(subscribe, () => rotations.list());
  const rotation = all.find((one) => one.groupId === groupId) ?? null;
  const { state, skipped = 0 } = rotation ?? {};
  const before = useRef(state);
  useEffect(() => {
    const hasEnded = state === 'done' && before.current !== 'done';
    before.current = state;
    if (!hasEnded) return;
    void reload([groupId]);
    // Not logged here: the vault logs it.
    tellDone(TEXTS.done(title, skipped), null, null);
  }, [state, skipped, reload, groupId, title]);
  return rotation;
}

interface Rotate {
  /** A rotation that was started here by hand; else null. */
  readonly running: { readonly fraction: number; readonly stop: () => void } | null;
  readonly problem: unknown;
  readonly start: (options?: Pick<RotateOptions, 'confirmed' | 'anew'>) => Promise<void>;
}

export function useRotate({ id, title }: NamedGroup): Rotate {
  const { write } = useVault();
  const masterPassword = useMasterPassword();
  const reload = useMembersReload();
  const stopping = useRef<AbortController | null>(null);
  const [fraction, setFraction] = useState<number | null>(null);
  const [problem, setProblem] = useState<unknown>(null);

  const start = useCallback(
    async (options: Pick<RotateOptions, 'confirmed' | 'anew'> = {}) => {
      if (write === null || stopping.current !== null) return;
      const stop = new AbortController();
      stopping.current = stop;
      setProblem(null);
      setFraction(0);
      const watched = { ...options, signal: stop.signal, onProgress: setFraction };
      try {
        const operation = () => write.members.rotate(id, watched);
        const { skipped } = await masterPassword.use(operation, { label: TEXTS.action(title), signal: stop.signal });
        tellDone(TEXTS.done(title, skipped));
      } catch (failure) {
        if (!(failure instanceof EntryCancelled) && !stop.signal.aborted) setProblem(failure);
      } finally {
        stopping.current = null;
        setFraction(null);
        void reload([id]);
      }
    },
    [write, masterPassword, reload, id, title],
  );
  const running = fraction === null ? null : { fraction, stop: () => stopping.current?.abort() };
  return { running, problem, start };
}
