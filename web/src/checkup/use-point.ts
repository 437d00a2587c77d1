/** Operations on one point of the checkup: fix, accept as it is, reopen. */
import { type CheckupPoint, keepPoint } from '@passwordbroker/core/contract/site/checkup';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refusedLines } from '../admin/user-form/create-user.ts';
import { tellDone } from '../activity-log/tell.ts';
import { CHECKUP_TEXTS as TEXTS } from '../texts/admin/checkup.ts';
import type { Press } from './fixes.ts';
import { checkAgain } from './use-checkup.ts';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';

/** @param onDone the buttons of the point have changed, so the focus must move */
export function usePoint({ point }: CheckupPoint, onDone: () => void) {
  const client = useQueryClient();
  const [busy, setBusy] = useState<'fix' | 'keep' | null>(null);
  const [lines, setLines] = useState<readonly string[]>([]);
  const { title } = TEXTS.points[point];

  async function run(which: 'fix' | 'keep', operation: () => Promise<{ readonly said: string | null }>, words: string) {
    if (busy !== null) return;
    setBusy(which);
    setLines([]);
    try {
      const done = await freshSignIn.tryRun(operation);
      if (done !== null) {
        await checkAgain(client);
        tellDone(done.said ?? words);
        onDone();
      }
    } catch (failure) {
      setLines(refusedLines(failure));
    }
    setBusy(null);
  }

  return {
    busy,
    lines,
    settle: (fix: Press) => run('fix', fix.run, TEXTS.done(title)),
    keep: (kept: boolean) =>
      run(
        'keep',
        async () => {
          await http.call(keepPoint, { body: { point, kept } });
          return { said: null };
        },
        kept ? TEXTS.keptDone(title) : TEXTS.reopened(title),
      ),
  };
}
