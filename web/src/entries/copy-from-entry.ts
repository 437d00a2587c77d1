import { useCallback } from 'react';
import type { Entry, Field } from '@passwordbroker/core/contract/entities';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { activityLog } from '../activity-log/activity-log.ts';
import { problemText } from '../fields/table/problem-text.ts';
import { copiedNotice } from '../fields/value/copied-notice.ts';
import { disagreementLines } from '../fields/value/use-field-verbs.ts';
import { clipboard } from '../lib/clipboard.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { ENTRY_TEXTS } from '../texts/entries/entries.ts';
import { FIELD_TEXTS } from '../texts/entries/fields.ts';
import { useVault } from '../vault/use-vault.ts';

export type CopyFromEntry = (
  entry: Pick<Entry, 'entry_id' | 'entry_group_id' | 'title'>,
  what: 'password' | 'login',
) => Promise<void>;

type PasswordField = Extract<Field, { type: 'password' }>;

/**
 * Copies the first password of an entry, or its login, without opening the entry. The password is a reveal, which the
 * server records; a locked vault asks for the master password first. A toast says what was copied or what failed.
 */
export function useCopyFromEntry(): CopyFromEntry {
  const { read } = useVault();
  const masterPassword = useMasterPassword();
  return useCallback(
    async ({ entry_id: entryId, entry_group_id: entryGroupId, title }, what) => {
      try {
        const fields = await read.fields({ entryGroupId, entryId });
        const field = fields.find((one): one is PasswordField => one.type === 'password');
        if (field === undefined || (what === 'login' && field.login === '')) {
          toast(what === 'login' ? ENTRY_TEXTS.noLogin(title) : ENTRY_TEXTS.noPassword(title));
          return;
        }
        if (what === 'login') {
          await clipboard.copyPlain(field.login);
          tellCopied(FIELD_TEXTS.activity.loginCopied(field.title));
          return;
        }
        const opened = await masterPassword.use(() => read.reveal({ entryGroupId, entryId, field }), {
          label: FIELD_TEXTS.copy(field.title),
        });
        await clipboard.copySecret(opened.text);
        tellCopied(copiedNotice(field.type, field.title));
        for (const line of opened.disagreements.length === 0 ? [] : disagreementLines(opened)) {
          toast(line, { tone: 'danger' });
        }
      } catch (failure) {
        if (!(failure instanceof MasterPasswordCancelled)) toast(problemText(failure), { tone: 'danger' });
      }
    },
    [read, masterPassword],
  );
}

function tellCopied(notice: string) {
  activityLog.add(notice);
  toast(notice, { tone: 'success' });
}
