import { catalogue } from '@passwordbroker/core/texts';
import { counted } from '../counted.ts';

export const SHARING_TEXTS = catalogue('sharing', {
  share: 'Share',
  shareLabel: (group: string) => `Share “${group}”`,
  search: 'Find people',
  choose: (name: string) => `Choose ${name}`,
  chosen: 'People to share with',
  role: 'Role',
  they: 'They',
  drop: (name: string) => `Leave out ${name}`,
  lookingUp: 'Looking up the key',
  lookUpAgain: (name: string) => `Look up the key of ${name} again`,
  compareText:
    'Compare the eight words with each person, on the phone or face to face: they are under “Your key words” in the lock menu.',
  laterText: 'You can also share now and compare later. Until then, the list of users shows “trusted for now”.',
  strictText: 'Here you can share only with people whose words you have compared.',
  later: 'Share now, compare later',
  now: 'Share now',
  sharing: 'Sharing',
  waiting: 'waiting',
  done: 'shared',
  failed: 'not shared',
  stop: 'Stop',
  again: 'Try these again',
  cancel: 'Cancel',
  close: 'Close',
  nobodyChosen: 'Choose at least one person.',
  keyUnknown: (name: string) => `The key of ${name} is not known yet.`,
  compareFirst: (name: string) => `Compare the words with ${name} first, or leave ${name} out.`,
  progress: (done: number, all: number) => `Shared with ${done} of ${counted(all, 'person', 'people')}`,
});
