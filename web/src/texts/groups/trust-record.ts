import { groups } from '../counted.ts';

export const TRUST_RECORD_TEXTS = {
  title: 'Trust record',
  hint: 'It holds whose keys you have confirmed and which members of your groups you have accepted. Only your keys open it.',
  locked: 'Unlock the vault to see it.',
  states: {
    sound: (n: number, time: string) => `Record ${n}, last changed ${time}.`,
    behind: (n: number) =>
      `The server shows an older record than this browser has. This browser keeps record ${n} and puts it back.`,
  },
  browsers: 'Browsers that used your account',
  browsersHint: 'The last twenty. Look for one that is not yours.',
  thisBrowser: 'this browser',
  lastUsed: (time: string) => `last used ${time}`,
  firstUsed: (time: string) => `since ${time}`,
  unknownBrowser: 'Unknown browser',

  missingTitle: 'Your trust record is missing',
  missing:
    'It says whose keys you have confirmed. The server should have it, and does not show it. You can read, and nothing is written from this browser.',
  missingAdvice:
    'Unlock a browser in which you have used this account: it puts the record back. If there is none, you can begin a new record.',
  doubtedTitle: 'You have doubted your trust record',
  doubted:
    'What the server shows may be an older state of your account. You can read, and nothing is written from this browser.',
  doubtedAdvice:
    'Compare this browser with another one of yours, or unlock one that you have used since: it puts the newer record back. If there is none, you can begin a new record.',
  noneTitle: 'Your account gets a trust record',
  none: 'It keeps whose keys you have confirmed. This browser has not been used with your account before. If you have one that was, unlock it first: then nothing is asked here.',
  setUp: 'Set it up here',
  tryAgain: 'Try again',
  trying: 'Looking',
  stillMissing: 'The server still does not show it.',
  beginNew: 'Begin a new record',
  whatToDo: 'What to do',
  notPutBack: (reason: string) => `Your trust record could not be put back: ${reason}`,
  notStored: (reason: string) => `Your trust record could not be stored on the server: ${reason}`,

  newTitle: 'Begin a new trust record?',
  newText:
    'Every group and every key will be new to you. Unless a backup was lost, ask the people who run the server first: an attacker who controls the server may want you to accept wrong members.',
  newEmail: 'Type your email address to confirm',
  newMismatch: 'This is not the email address of your account.',
  beginAction: 'begin a new trust record',
  readAction: 'read your trust record',
  setUpAction: 'set up your trust record',
  beginning: 'Beginning',
  begun: 'A new trust record was begun',
  failed: (reason: string) => `It did not work: ${reason}`,

  setUpTitle: 'Set up your trust record',
  setUpText: 'These groups are signed with your own key. Leave those ticked whose members are right.',
  setUpPeople: 'Keys that you have confirmed before',
  setUpGroups: 'Groups',
  setUpNothing: 'There is nothing to take over. The record begins empty, and you are asked about each person once.',
  setUpMembers: (names: string) => `Members: ${names}`,
  right: 'These are right',
  settingUp: 'Setting up',
  isSetUp: (count: number) => `Your trust record is set up with ${groups(count)}`,

  lastUseTitle: 'Is this when you last used your account?',
  lastUse: (time: string, browser: string) => `${time}, ${browser}`,
  lastUseIn: (time: string, browser: string, group: string) => `${time}, ${browser}; last in “${group}”`,
  lastUseWhy:
    'This browser is new. A server that shows an older state of your account could hide from you whom you have removed since.',
  yes: 'Yes',
  no: 'No, I have used it since',
  answering: 'Keeping',
  newBrowser: (time: string, browser: string) => `New browser. Your account was last used ${time} in ${browser}.`,
  compare: 'Compare browsers',
  compareTitle: 'Compare two of your browsers',
  compareText:
    'Open this in the other browser, too. Both must show the same number and the same words. If they differ, the server shows your browsers different states.',
  compareNumber: (n: number) => `Record ${n}`,
  compareWords: 'Words of the record',
  compareAction: 'compare your browsers',
  reading: 'Reading the record',
  same: 'They are the same',
  differ: 'They differ',
  compared: 'Your browsers have the same trust record',

  strictTitle: 'This site used to ask for compared keys, and does not any more.',
  strictText: 'Keep asking for them in your account?',
  keep: 'Keep',
  stopAsking: 'Stop asking',
  strictKept: 'Your account keeps asking for compared keys',
  strictStopped: 'Your account does not ask for compared keys any more',
  strictOn: 'Only compared keys count in your account.',

  storageDeleted:
    'What this browser remembers of your account was deleted while it was in use. It has been written again. If you did not delete it, tell the people who run the server.',
  putBack: 'The server had an older trust record. This browser has put the newer one back.',
} as const;
