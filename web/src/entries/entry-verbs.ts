import { useCallback } from 'react';
import type { Entry, Field } from '@passwordbroker/core/contract/entities';
import { openableLink } from '@passwordbroker/core/domain/fields/link';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { tellDone, tellFailure } from '../activity-log/activity-log.ts';
import { problemText } from '../fields/table/problem-text.ts';
import { presentCode } from '../fields/totp/totp-clock.ts';
import { disagreementLines } from '../fields/value/use-field-verbs.ts';
import { clipboard } from '../lib/clipboard.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { FIELD_TEXTS } from '../texts/entries/fields.ts';
import { ENTRY_VERB_TEXTS as TEXTS } from '../texts/entries/search.ts';
import { useVault } from '../vault/use-vault.ts';

export const ENTRY_VERBS = ['password', 'login', 'link', 'code'] as const;
export type EntryVerb = (typeof ENTRY_VERBS)[number];

export type EntryToUse = Pick<Entry, 'entry_id' | 'entry_group_id' | 'title'>;
export type UseEntry = (entry: EntryToUse, verb: EntryVerb) => Promise<void>;

const KINDS = { password: 'password', login: 'password', link: 'link', code: 'TOTP' } as const;

/**
 * Copies from the first field of the kind, or opens its link. Asks for the master password if the vault is
 * locked. Every value is recorded as a reveal; a login is not secret. Shows the result as a notice.
 */
export function useEntryVerbs(): UseEntry {
  const { read } = useVault();
  const masterPassword = useMasterPassword();

  return useCallback(
    async ({ title, entry_id: entryId, entry_group_id: entryGroupId }, verb) => {
      const path = { entryGroupId, entryId };
      try {
        const fields = (await read.fields(path)).filter((field) => has(field, verb));
        const field = fields.at(0);
        if (field === undefined) {
          tellFailure(TEXTS.none[verb](title));
          return;
        }
        const done = TEXTS.done[verb](title, fields.length === 1 ? null : field.title || FIELD_TEXTS.untitled);
        if (verb === 'login') {
          await clipboard.copyPlain(loginOf(field));
          tellDone(done);
          return;
        }
        const opened = await masterPassword.use(() => read.reveal({ ...path, field }), {
          label: FIELD_TEXTS[verb === 'link' ? 'reveal' : 'copy'](field.title),
        });
        if (verb === 'link') openLink(opened.text);
        else await clipboard.copySecret(verb === 'code' ? presentCode(opened) : opened.text);
        tellDone(done);
        if (opened.disagreements.length > 0) tellFailure(disagreementLines(opened).join(' '));
      } catch (failure) {
        if (!(failure instanceof MasterPasswordCancelled)) tellFailure(TEXTS.failed[verb](title, problemText(failure)));
      }
    },
    [read, masterPassword],
  );
}

const loginOf = (field: Field) => (field.type === 'password' ? field.login : '');

const has = (field: Field, verb: EntryVerb) =>
  field.type === KINDS[verb] && (verb !== 'login' || loginOf(field) !== '');

/** With `noopener` the browser does not tell whether it blocked the tab, so asks first whether it would. */
function openLink(text: string): void {
  const address = openableLink(text);
  if (address === null) throw new Error(FIELD_TEXTS.notALink);
  if ('userActivation' in navigator && !navigator.userActivation.isActive) throw new Error(TEXTS.blocked);
  window.open(address.href, '_blank', 'noopener,noreferrer');
}
