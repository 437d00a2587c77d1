import { CONNECTION_TEXTS } from './connection.ts';

export const OFFLINE_COPY_TEXTS = {
  unusable: (reason: string) => `The local copy cannot be used: ${reason}`,
  refusals: {
    answer: CONNECTION_TEXTS.badAnswer,
    older: 'The answer of the server is older than the copy on this device',
    full: 'This browser has no room for the copy',
  },
  notYourKeys: 'The server sent keys that are not yours',
  saltOfOtherKeys: 'The salt is not the one of your keys',
  keyUnusable: 'its keys are missing or damaged',
  expired: 'it was not synchronized for 30 days',
  clockBehind:
    'the clock of this device is behind the last synchronization. Look at the clock, set it right, and try again.',
  noHistory: 'The local copy holds the present values only. Older ones can be seen again online.',
  notInCopy: 'This is not part of the local copy. It can be seen again online.',
  noBody: 'This file is not in the local copy: it is larger than the files that are kept, or was not downloaded yet.',
} as const;
