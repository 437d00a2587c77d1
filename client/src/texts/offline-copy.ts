import { catalogue } from '@passwordbroker/core/texts';
import { CONNECTION_TEXTS } from './connection.ts';

export const OFFLINE_COPY_TEXTS = catalogue('offlineCopy', {
  unusable: (reason: string) => `The local copy cannot be used: ${reason}`,
  refusals: {
    answer: CONNECTION_TEXTS.badAnswer,
    older: 'The answer of the server is older than the copy on this device',
    full: 'This browser has no room for the copy',
  },
  notYourKeys: 'The server sent keys that are not yours',
  saltOfOtherKeys: 'The server sent data that does not belong to your keys',
  keyUnusable: 'its keys are missing or damaged',
  expired: 'it was not updated for 30 days',
  clockBehind:
    'the clock of this device is behind: it shows a time before the last update. Correct the clock and try again.',
  noHistory: 'The local copy contains only the current values. Go online to see older ones.',
  notInCopy: 'This is not in the local copy. Go online to see it.',
  noBody: 'This file is not in the local copy: it is too large for the copy, or was not downloaded yet.',
});
