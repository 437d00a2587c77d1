/** Restores a deletion or one thing of it. Errors are shown at its row. */
import { useState } from 'react';
import type { TrashItem } from '@passwordbroker/core/contract/entities';
import { tellDone } from '../activity-log/tell.ts';
import { reasonOf } from '../lib/reason.ts';
import { freshSignIn } from '../session/fresh-sign-in.ts';
import { TRASH_TEXTS as TEXTS } from '../texts/trash.ts';
import type { VaultWrite } from '../vault/vault.ts';
import { useRefresh } from './use-refresh.ts';

type Thing = TrashItem['items'][number];

export function useRestore(item: TrashItem, write: VaultWrite | null) {
  const refresh = useRefresh();
  /** 'all', or the id of the thing that is being restored. */
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const run = async (thing: Thing | null) => {
    if (write === null) return;
    setProblem(null);
    setBusy(thing?.id ?? 'all');
    try {
      const items = thing === null ? [] : [[{ kind: thing.kind, id: thing.id }] as const];
      const done = await freshSignIn.tryRun(() => write.restore(item.operation_id, ...items));
      if (done === null) return;
      const title = thing?.title ?? TEXTS.titleOf(item.title, Math.max(0, item.items.length - 1));
      tellDone(TEXTS.restored(title));
      await refresh();
    } catch (failure) {
      setProblem(reasonOf(failure));
    } finally {
      setBusy(null);
    }
  };
  return { busy, problem, restore: (thing: Thing | null) => void run(thing) };
}
