/** Names of the actor, the program and the action in rows of the histories of fields and groups. */
import type { FieldHistory } from '@passwordbroker/core/contract/entities';
import { GROUP_HISTORY_TEXTS as TEXTS } from '../texts/groups/groups.ts';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';

/** With the program, unless it is the web client. @param removed stands for a deleted account */
export function actorOf({ user, via }: FieldHistory, removed: string): string {
  const name = user?.name ?? removed;
  const who = user?.kind === 'service' ? TEXTS.service(name) : name;
  if (via === undefined || via === 'web') return who;
  return `${who}, ${ACCOUNT_TEXTS.programs[via === 'service' ? 'api' : via]}`;
}

/** In lower case. */
export function actionOf({ event_type, purpose = 'show', label = '…' }: FieldHistory): string {
  if (purpose === 'show') return TEXTS.events[event_type].toLowerCase();
  const opened = TEXTS.opened[purpose];
  return typeof opened === 'string' ? opened : opened(label);
}
