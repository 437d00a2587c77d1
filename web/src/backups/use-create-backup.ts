/**
 * Waits three seconds, then requests a backup (docs/spec/product.md §4, §9). Leaving the page does not cancel
 * it.
 */
import { create } from '@passwordbroker/core/contract/site/backups';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { activityLog } from '../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { BACKUPS_KEY } from './use-backups.ts';
import { http } from '../page/page.ts';

const DELAY_MS = 3000;
/** The duration of a toast. */
const SAID_MS = 5000;

const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export function useCreateBackup() {
  const client = useQueryClient();
  const machine = useRef<CreateBackupState>('idle');
  const [state, setState] = useState<CreateBackupState>('idle');
  const pass = (event: CreateBackupEvent) => {
    machine.current = afterEvent(machine.current, event);
    setState(machine.current);
  };

  async function press(): Promise<void> {
    if (afterEvent(machine.current, 'press') === machine.current) return;
    pass('press');
    await after(DELAY_MS);
    pass('waited');
    try {
      await http.call(create);
    } catch (failure) {
      activityLog.add(`${TEXTS.create.failed}: ${reasonOf(failure)}`, { isFailure: true });
      return pass('refused');
    }
    activityLog.add(TEXTS.create.sent);
    pass('accepted');
    await client.invalidateQueries({ queryKey: BACKUPS_KEY });
    await after(SAID_MS);
    pass('read');
  }

  return { state, press };
}

export type CreateBackupState = 'idle' | 'waiting' | 'requesting' | 'sent' | 'failed';

export type CreateBackupEvent = 'press' | 'waited' | 'accepted' | 'refused' | 'read';

type Exits = Partial<Record<CreateBackupEvent, CreateBackupState>>;

const CREATE_BACKUP_STATES: Readonly<Record<CreateBackupState, Exits>> = {
  idle: { press: 'waiting' },
  waiting: { waited: 'requesting' },
  requesting: { accepted: 'sent', refused: 'failed' },
  sent: { read: 'idle' },
  failed: { press: 'waiting' },
};

/** An event that the state does not list changes nothing, such as a second press. */
export function afterEvent(state: CreateBackupState, event: CreateBackupEvent): CreateBackupState {
  return CREATE_BACKUP_STATES[state][event] ?? state;
}
