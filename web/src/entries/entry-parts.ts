import { useCallback } from 'react';
import type { Entry, Field } from '@passwordbroker/core/contract/entities';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { tellDone, tellFailure } from '../activity-log/activity-log.ts';
import { problemText } from '../fields/table/problem-text.ts';
import { presentCode } from '../fields/totp/totp-clock.ts';
import { copiedNotice } from '../fields/value/copied-notice.ts';
import { disagreementLines, openInNewTab } from '../fields/value/use-field-verbs.ts';
import { clipboard } from '../lib/clipboard.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { FIELD_TEXTS } from '../texts/entries/fields.ts';
import { ENTRY_PART_TEXTS as TEXTS } from '../texts/entries/search.ts';
import { desk } from '../page/vault.ts';
import { useVault } from '../vault/use-vault.ts';

export const ENTRY_PARTS = ['password', 'login', 'link', 'code'] as const;
export type EntryPart = (typeof ENTRY_PARTS)[number];

export type EntryToUse = Pick<Entry, 'entry_id' | 'entry_group_id' | 'title'>;
export type TakePart = (entry: EntryToUse, part: EntryPart) => Promise<void>;

const KINDS = { password: 'password', login: 'password', link: 'link', code: 'TOTP' } as const;

/**
 * Copies a part of the first field that has it, or opens the link. Asks for the master password if the vault is
 * locked. Every value is recorded as a reveal; a login is not secret. Shows the result as a notice.
 */
export function useTakePart(): TakePart {
  const { read } = useVault();
  const masterPassword = useMasterPassword();

  return useCallback(
    async ({ title, entry_id: entryId, entry_group_id: entryGroupId }, part) => {
      const path = { entryGroupId, entryId };
      try {
        const fields = (await read.fields(path)).filter((field) => has(field, part));
        const field = fields.at(0);
        if (field === undefined) {
          tellFailure(TEXTS.none[part](title));
          return;
        }
        const done = TEXTS.done[part](title, fields.length === 1 ? null : field.title || FIELD_TEXTS.untitled);
        if (part === 'login') {
          await clipboard.copyPlain(loginOf(field));
          desk.use(entryId);
          tellDone(done, null, FIELD_TEXTS.activity.loginCopied(field.title));
          return;
        }
        const opened = await masterPassword.use(
          () => read.reveal({ ...path, field }, undefined, part === 'link' ? 'show' : 'copy'),
          {
            label: FIELD_TEXTS[part === 'link' ? 'open' : 'copy'](field.title),
          },
        );
        if (part === 'link') {
          openInNewTab(opened.text);
          tellDone(done);
        } else {
          await clipboard.copySecret(part === 'code' ? presentCode(opened) : opened.text);
          tellDone(done, null, logOf(field));
        }
        if (opened.disagreements.length > 0) tellFailure(disagreementLines(opened).join(' '));
      } catch (failure) {
        if (!(failure instanceof MasterPasswordCancelled)) tellFailure(TEXTS.failed[part](title, problemText(failure)));
      }
    },
    [read, masterPassword],
  );
}

const loginOf = (field: Field) => (field.type === 'password' ? field.login : '');

const has = (field: Field, part: EntryPart) =>
  field.type === KINDS[part] && (part !== 'login' || loginOf(field) !== '');

/** The activity log names the field, as after a copy in its row. */
const logOf = ({ type, title }: Field) =>
  type === 'TOTP' ? FIELD_TEXTS.activity.totpCopied(title) : copiedNotice(type, title);
