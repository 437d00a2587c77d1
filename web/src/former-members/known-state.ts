/** State of a secret that a former member has known. */
import { FORMER_MEMBER_TEXTS as TEXTS } from '../texts/groups/former-members.ts';
import type { KnownSecret } from '@passwordbroker/client/vault/people';

/** A secret in the trash need not be changed; when restored, it counts again. */
export const isOpen = ({ changed, trashed }: KnownSecret) => !changed && !trashed;

export const stateOf = ({ changed, trashed }: KnownSecret) =>
  changed ? TEXTS.changed : trashed ? TEXTS.trashed : TEXTS.change;
