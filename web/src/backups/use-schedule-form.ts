import { type BackupSettings, changeSettings } from '@passwordbroker/core/contract/site/backups';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { useState } from 'react';
import { refusedLines } from '../admin/user-form/create-user.ts';
import { activityLog } from '../activity-log/activity-log.ts';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';

export interface ScheduleDraft {
  /** Ascending. */
  readonly schedule: readonly number[];
  readonly enable: boolean;
  readonly email_enable: boolean;
  readonly email: string;
  readonly keep: number;
  /** 0: no limit. */
  readonly keep_days: number;
  /** '' keeps the current password. */
  readonly archivePassword: string;
  readonly isPasswordRemoved: boolean;
}

export type SaveState =
  | { readonly state: 'none' | 'saving' | 'saved' }
  | { readonly state: 'refused'; readonly lines: readonly string[] };

export function draftOf({ schedule, enable, email_enable, email, keep, keep_days }: BackupSettings): ScheduleDraft {
  return {
    schedule,
    enable,
    email_enable,
    email: email ?? '',
    keep,
    keep_days,
    archivePassword: '',
    isPasswordRemoved: false,
  };
}

/** An absent archive password stays, '' removes it (docs/spec/api.md §3.11). */
export function bodyOf(draft: ScheduleDraft): BodyOf<typeof changeSettings> {
  const { schedule, enable, email_enable, email, keep, keep_days, archivePassword, isPasswordRemoved } = draft;
  const password =
    archivePassword !== '' ? { archive_password: archivePassword } : isPasswordRemoved ? { archive_password: '' } : {};
  return { schedule: [...schedule], enable, email_enable, email, keep, keep_days, ...password };
}

/** The next archive will not be encrypted (docs/spec/decisions.md H4). */
export const isReadable = ({ archivePassword, isPasswordRemoved }: ScheduleDraft, isSet: boolean): boolean =>
  archivePassword === '' && (!isSet || isPasswordRemoved);

export function useScheduleForm(settings: BackupSettings, onSaved: (settings: BackupSettings) => void) {
  const [draft, setDraft] = useState(() => draftOf(settings));
  const [save, setSave] = useState<SaveState>({ state: 'none' });

  async function submit(): Promise<void> {
    if (save.state === 'saving') return;
    if (draft.schedule.length === 0) return setSave({ state: 'refused', lines: [TEXTS.timeMissing] });
    setSave({ state: 'saving' });
    try {
      const saved = await freshSignIn.tryRun(() => http.call(changeSettings, { body: bodyOf(draft) }));
      if (saved === null) return setSave({ state: 'none' });
      setDraft(draftOf(saved));
      onSaved(saved);
      activityLog.add(TEXTS.saved);
      setSave({ state: 'saved' });
    } catch (failure) {
      setSave({ state: 'refused', lines: refusedLines(failure).map(TEXTS.notSaved) });
    }
  }

  return {
    draft,
    save,
    set: (change: Partial<ScheduleDraft>) => {
      setDraft({ ...draft, ...change });
      if (save.state !== 'saving') setSave({ state: 'none' });
    },
    submit,
  };
}
