/** Actions in the search box, found by name. */
import { foldText } from '@passwordbroker/core/domain/fold-text';
import { ENTRY_GROUP_TEXTS } from '../texts/groups/entry-groups.ts';
import { FRAME_TEXTS } from '../texts/frame.ts';
import { KEYBOARD_TEXTS } from '../texts/keyboard.ts';
import { MASTER_PASSWORD_TEXTS } from '@passwordbroker/client/texts/master-password';
import { TRASH_TEXTS } from '../texts/entries/trash.ts';
import type { Suggestion } from './suggestion.ts';

/** State of the page that decides which actions are possible. */
export interface Present {
  readonly theme: 'dark' | 'light';
  readonly isUnlocked: boolean;
  /** False while the database is offline. */
  readonly canWrite: boolean;
}

/** Matches names that contain every word; blank text matches all. */
export function suggestActions(query: string, present: Present): readonly Suggestion[] {
  const words = foldText(query).split(/\s+/u).filter(Boolean);
  return actionsOf(present).filter(({ title }) => words.every((word) => foldText(title).includes(word)));
}

function actionsOf({ theme, isUnlocked, canWrite }: Present): readonly Suggestion[] {
  return [
    ...(canWrite
      ? [
          action(ENTRY_GROUP_TEXTS.addTree, { action: 'add tree' }),
          action(ENTRY_GROUP_TEXTS.importFile, { action: 'import' }),
        ]
      : []),
    ...(isUnlocked ? [action(MASTER_PASSWORD_TEXTS.lockNow, { action: 'lock' })] : []),
    action(FRAME_TEXTS.activityLog, { action: 'log' }),
    ...(canWrite ? [action(TRASH_TEXTS.page, { address: '/trash' })] : []),
    action(theme === 'dark' ? FRAME_TEXTS.lightTheme : FRAME_TEXTS.darkTheme, { action: 'theme' }),
    action(KEYBOARD_TEXTS.title, { action: 'keys' }),
    ...(canWrite ? [action(FRAME_TEXTS.adminPanel, { address: '/admin' })] : []),
    action(FRAME_TEXTS.logout, { address: '/identity/logout' }),
  ];
}

const action = (title: string, target: Suggestion['target']): Suggestion => ({
  id: `action-${'action' in target ? target.action.replace(' ', '-') : target.address.slice(1).replace('/', '-')}`,
  kind: 'action',
  title,
  above: '',
  role: null,
  target,
});
