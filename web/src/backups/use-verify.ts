/** Test-restores a backup. Asks for its archive password if it has one, and again after a wrong one. */
import { type Backup, verify } from '@passwordbroker/core/contract/site/backups';
import { AppError } from '@passwordbroker/core/contract/problem';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { tellDone, tellFailure } from '../activity-log/tell.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { BACKUPS_KEY } from './use-backups.ts';
import { http } from '../page/page.ts';

/** As long as a recovery of the same file may take. */
const SILENCE_MS = 30 * 60_000;

export type VerifyState =
  | { readonly state: 'idle' | 'verifying' }
  /** `problem`: the error about the previous password. */
  | { readonly state: 'asking'; readonly problem: string | null };

/** The server's error about the password; null for other errors. */
export function passwordProblem(failure: unknown): string | null {
  if (!(failure instanceof AppError) || failure.code !== 'validation') return null;
  return failure.errors?.['password']?.[0] ?? null;
}

export function useVerify({ backup_id, file_name, has_password }: Backup) {
  const client = useQueryClient();
  const [view, setView] = useState<VerifyState>({ state: 'idle' });

  async function verifyWith(password: string | undefined): Promise<void> {
    setView({ state: 'verifying' });
    const body = password === undefined ? {} : { password };
    try {
      await http.call(verify, { params: { id: backup_id }, body, silenceMs: SILENCE_MS });
      tellDone(TEXTS.verifiedNow(file_name));
    } catch (failure) {
      const problem = passwordProblem(failure);
      if (problem !== null) return setView({ state: 'asking', problem });
      tellFailure(TEXTS.verifyFailed(reasonOf(failure)));
    }
    // The row has also changed if the backup is damaged.
    await client.invalidateQueries({ queryKey: BACKUPS_KEY });
    setView({ state: 'idle' });
  }

  return {
    view,
    begin: () => (has_password ? setView({ state: 'asking', problem: null }) : void verifyWith(undefined)),
    verifyWith,
    giveUp: () => setView({ state: 'idle' }),
  };
}
