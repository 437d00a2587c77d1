import { catalogue } from '@passwordbroker/core/texts';
import { groups } from '../counted.ts';

export const TRUST_RECORD_TEXTS = catalogue('trustRecord', {
  title: 'Trust record',
  hint: 'It lists the people whose keys you have confirmed, and the members you have accepted in your groups. Only your keys open it.',
  locked: 'Unlock the vault to see it.',
  states: {
    sound: (n: number, time: string) => `Record ${n}, last changed ${time}.`,
    behind: (n: number) =>
      `The server has an older record than this browser. This browser keeps record ${n} and sends it to the server again.`,
  },
  browsers: 'Browsers that used your account',
  browsersHint: 'The last twenty. Look for one that is not yours.',
  thisBrowser: 'this browser',
  lastUsed: (time: string) => `last used ${time}`,
  firstUsed: (time: string) => `since ${time}`,
  unknownBrowser: 'Unknown browser',

  missingTitle: 'Your trust record is missing',
  missing:
    'It lists the people whose keys you have confirmed. The server should have it, but does not show it. You can read, but this browser saves no changes.',
  missingAdvice:
    'Unlock the vault in another browser where you have used this account: it restores the record. If there is none, you can begin a new record.',
  doubtedTitle: 'You said that your trust record may be out of date',
  doubted: 'The server may be showing an older state of your account. You can read, but this browser saves no changes.',
  doubtedAdvice:
    'Compare this browser with another browser of yours, or unlock the vault in a browser that you have used since: it restores the newer record. If there is none, you can begin a new record.',
  noneTitle: 'Your account gets a trust record',
  none: 'It remembers whose keys you have confirmed. This browser is new to your account. If you have used your account in another browser, unlock the vault there first; then you are not asked here.',
  setUp: 'Set it up here',
  tryAgain: 'Try again',
  trying: 'Looking',
  stillMissing: 'The server still does not show it.',
  beginNew: 'Begin a new record',
  whatToDo: 'What to do',
  notPutBack: (reason: string) => `Your trust record could not be restored on the server: ${reason}`,
  notStored: (reason: string) => `Your trust record could not be stored on the server: ${reason}`,

  newTitle: 'Begin a new trust record?',
  newText:
    'You will be asked about every group and every key again. Ask the people who run the server first, unless you know that a backup was lost: an attacker who controls the server may want you to accept wrong members.',
  newEmail: 'Type your email address to confirm',
  newMismatch: 'This is not the email address of your account.',
  beginAction: 'begin a new trust record',
  readAction: 'read your trust record',
  setUpAction: 'set up your trust record',
  beginning: 'Beginning',
  begun: 'A new trust record was begun',
  failed: (reason: string) => `It did not work: ${reason}`,

  setUpTitle: 'Set up your trust record',
  setUpText: 'These groups are signed with your own key. Untick each group whose members are not right.',
  setUpPeople: 'Keys that you have confirmed before',
  setUpGroups: 'Groups',
  setUpNothing: 'Your record starts empty. You are asked about each person once.',
  setUpMembers: (names: string) => `Members: ${names}`,
  right: 'These are right',
  settingUp: 'Setting up',
  isSetUp: (count: number) => `Your trust record is set up with ${groups(count)}`,

  lastUseTitle: 'Is this when you last used your account?',
  lastUse: (time: string, browser: string) => `${time}, ${browser}`,
  lastUseIn: (time: string, browser: string, group: string) => `${time}, ${browser}; last in “${group}”`,
  lastUseWhy:
    'This browser is new and sees only what the server shows. Your answer tells whether the server hides something that you did later, such as removing a person.',
  yes: 'Yes',
  no: 'No, I have used it since',
  answering: 'Saving',
  newBrowser: (time: string, browser: string) => `New browser. Your account was last used ${time} in ${browser}.`,
  compare: 'Compare browsers',
  compareTitle: 'Compare two of your browsers',
  compareText:
    'Open this in the other browser, too. Both must show the same number and the same words. If they differ, change nothing and tell the people who run the server.',
  compareNumber: (n: number) => `Record ${n}`,
  compareWords: 'Words of the record',
  compareAction: 'compare your browsers',
  reading: 'Reading the record',
  same: 'They are the same',
  differ: 'They differ',
  compared: 'Your browsers have the same trust record',

  strictTitle: 'You no longer have to compare key words before you share.',
  strictText: 'Keep this rule for your account?',
  keep: 'Keep',
  stopAsking: 'Stop asking',
  strictKept: 'You still have to compare key words before you share',
  strictStopped: 'You can share now and compare key words later',
  strictOn: 'You share only with people whose key words you have compared.',

  storageDeleted:
    'The data that this browser keeps about your account was deleted while you were using it. It has been saved again. If you did not delete it, tell the people who run the server.',
  putBack: 'The server had an older trust record. This browser has sent it the newer one.',
});
