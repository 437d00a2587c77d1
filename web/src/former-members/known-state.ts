/** What is to be done about a secret that somebody who left has known. */
import { LEAVER_TEXTS as TEXTS } from '../texts/leavers.ts';
import type { KnownSecret } from '../vault/people.ts';

/** In the trash there is nothing to change; restored, it is asked for again. */
export const isOpen = ({ changed, trashed }: KnownSecret) => !changed && !trashed;

export const stateOf = ({ changed, trashed }: KnownSecret) =>
  changed ? TEXTS.changed : trashed ? TEXTS.trashed : TEXTS.change;
