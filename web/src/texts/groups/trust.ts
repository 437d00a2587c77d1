import { catalogue } from '@passwordbroker/core/texts';
import { groups } from '../counted.ts';

export const TRUST_TEXTS = catalogue('trust', {
  firstTitle: (name: string) => `Is this the key of ${name}?`,
  keyOf: (name: string) => `Key of ${name}`,
  compareText: (name: string) =>
    `Read the eight words to each other, on the phone or face to face. ${name} finds them under “Your key words” in the lock menu. If you both see the same words in the same order, the key is right.`,
  verifiedText: (name: string) => `You have compared this key with ${name}.`,
  changedTitle: (name: string) => `The key of ${name} has changed`,
  changedText: (name: string) =>
    `Nothing is shared with ${name} until you have compared the words again. A key changes when an account is reset, but also when someone else has taken it over: ask ${name} what happened.`,
  wordsOf: (name: string) => `Key words of ${name}`,
  wordsNow: 'Words now',
  wordsBefore: 'Words you knew',
  qr: 'Key as a QR code',
  details: 'Details',
  fingerprint: 'The whole key, for experts',
  compared: 'Compared, verified',
  forNow: 'Trust for now',
  cancel: 'Cancel',
  close: 'Close',
  keeping: 'Saving',
  keepFailed: (reason: string) => `The decision could not be saved: ${reason}`,
  lookAction: (name: string) => `look up the key of ${name}`,
  renewed: (name: string) => `${name} has a new key. The key that you know confirms it, so you need not compare again.`,
  renamed: (name: string, before: string) => `${name} was called “${before}” when you last looked at the key.`,

  states: {
    verified: 'verified',
    'for now': 'trusted for now',
    changed: 'key changed',
    unknown: 'not compared yet',
    none: 'no keys yet',
  },
  stateOf: (name: string, state: string) => `Key of ${name}: ${state}`,
  stateHints: {
    verified: 'Key compared and verified',
    'for now': 'Key trusted for now. Press to compare',
    changed: 'Key changed. Press to compare again',
    unknown: 'Key not compared yet. Press to compare',
    none: 'No keys yet: nothing can be shared',
  },
  ownKey: 'Your key words',
  ownKeyText:
    'People who share with you for the first time compare these eight words with you. They are not secret: both sides must see the same words.',
  ownKeyAction: 'show your key words',

  /** Reasons why nothing opens in a group. */
  lockedTitle: 'This group cannot be opened here',
  locked: {
    roster: 'The list of members of this group is not signed by one of its admins.',
    grant: 'The server sent a wrong key for this group: its admins have signed a different one.',
    proof: 'The list of members is signed by a person who does not have the key of this group.',
    'not-member': 'You are not on the signed list of members.',
  },
  lockedHint:
    'You cannot read or change anything here in this browser. Tell the people who run the server. If it was restored from a backup, an admin can change the key of the group.',

  unconfirmedTitle: 'You have not confirmed this group',
  unconfirmed: (signer: string) =>
    `Its list of members is signed by ${signer}. You can read here. Before you change or share something, you are asked once whether this is right.`,
  left: (name: string, date: string) => `${name} was removed from a group of yours on ${date}.`,
  confirmNow: 'Confirm now',
  samePathTitle: (path: string) => `There are two groups “${path}”`,
  samePath: (signer: string, names: string) =>
    `You already know another group with this name. This one is signed by ${signer}. These people can read what you write here: ${names}.`,
  showReaders: 'Show who reads here',
  noProofTitle: 'This group has to be signed again',
  noProof:
    'You can read here. You can write again as soon as an admin of the group has opened it with the current version of PasswordBroker.',
  unsignedTitle: 'The members of this group are not signed',
  unsigned:
    'A program made this group, and the server made its key. You can read here. Check the members and sign the list: then only these people get a new key.',
  unsignedForMembers:
    'A program made this group, and the server made its key. You can read here. Ask an admin of the group to sign the list of members.',
  signMembers: 'Sign the list of members',

  readOnlyTitle: 'This group is read-only here',
  readOnly: {
    'rolled-back': 'The list of members is older than the one that you accepted.',
    forked: 'The list of members is different from the one that you accepted.',
    signer: 'The list of members is signed by a person who was not an admin of the group.',
    vanished: 'The server no longer shows the signed list of members.',
    proof: 'The list of members is not signed by a person who has the key of this group.',
    record: 'Your trust record is missing or may be out of date. This browser saves nothing until that is resolved.',
  },
  forkedBrowsers: 'Your browsers were shown different lists of members.',
  keyOfSigner: (name: string) => `The list is signed with a key that differs from the key you know for ${name}.`,
  compareKey: 'Compare the key',
  returned: (name: string, date: string, signer: string) =>
    `You removed ${name} on ${date}. ${signer} has signed a list with ${name} in it since.`,
  keepOut: (name: string) => `Keep ${name} out`,
  letStay: (name: string) => `${name} may stay`,
  keepOutAction: (name: string) => `keep ${name} out`,
  letStayAction: (name: string) => `let ${name} stay`,
  groupRenamed: (group: string, before: string) => `“${group}” was called “${before}” when you last opened it.`,
  onlyYou: 'Only you',
  readersHere: 'People who can read here',
  people: (count: number) => `${count} people`,
  noMoreKeys: (name: string) => `${name} gets no new keys.`,
  unlockFirst: (name: string) =>
    `Unlock the vault before you remove ${name}: then ${name} gets no new key, even if the server still lists this person.`,
  whatToDo: 'What to do',
  readOnlyHint:
    'This happens when the server was restored from an older backup, but also when the server hides a change. Ask an admin who belongs to the group, and compare the answer with the list of users.',
  forMembers:
    'An admin of the group has to decide. This browser then accepts the decision by itself. If an admin is with you now, you can compare the key words and accept the list.',
  compareWithAdmin: 'Compare with an admin',

  /** Tooltips of disabled buttons of a group. */
  whyNot: {
    unsigned: 'The members of this group are not signed',
    'no-proof': 'An admin has to sign this group again',
    disputed: 'This group is read-only here',
    locked: 'This group cannot be opened here',
  },

  whoShares: (group: string) => `Who shares “${group}” with you?`,
  whoSharesText: (name: string) =>
    `The list of members is signed with this key. The server says that it belongs to ${name}. Read the eight words to each other, on the phone or face to face: ${name} finds them under “Your key words” in the lock menu.`,
  whoSharesKnown: (name: string) =>
    `The list of members is signed with this key of ${name}. Read the eight words to each other again, on the phone or face to face: ${name} finds them under “Your key words” in the lock menu.`,
  samePathWarning: 'You know another group of this name. Ask the person who signed it whether this is the right one.',
  readersOf: (names: string) => `These people can read what you write in this group: ${names}.`,

  goOn: 'Accept this list',
  comparedGoOn: 'Compared, accept',
  goOnTitle: 'Accept the list that the server shows?',
  goOnWhat: 'This browser then takes these people as the members of the group. They can read what you write here.',
  goOnSame: 'It has the same people, keys and roles as the list that you accepted.',
  added: 'New on it:',
  onIt: 'On it:',
  missing: 'Missing from it:',
  otherKey: 'With another key:',
  otherRole: 'With another role:',
  roleBefore: (name: string, role: string, before: string) => `${name}: ${role}, was ${before}`,
  signedBy: (name: string) => `Signed by ${name}.`,
  goOnWithout:
    'The server shows no signed list of members. If you accept this, the group no longer counts as signed: you can read here, and write again after an admin has signed the members.',
  goingOn: 'Confirming',
  goOnFailed: (reason: string) => `It could not be confirmed: ${reason}`,

  /** People whom the trust record does not name. */
  calledByServer: (name: string) => `not known to you; the server says “${name}”`,
  quoted: (name: string) => `“${name}”`,
  serversNames: (names: string) => `${names} (names in quotation marks are the server’s)`,
  somebody: (name: string) => `a person whom the server calls “${name}”`,
  unnamed: (userId: string) => `a person whom the server does not name (${userId})`,
  you: 'you',
  knownKeys: {
    own: 'you',
    compared: 'compared',
    'for now': 'trusted for now',
    other: 'key changed',
    unknown: 'key not known to you',
  },
  knownPerson: (name: string, key: string) => `${name} (${key})`,

  moveBackTitle: (group: string) => `Move back to “${group}”?`,
  moveBack: (titles: string, names: string) => `${titles} can then be read by: ${names}.`,
  moveBackNew: (names: string) => `These people cannot read it now: ${names}.`,
  moveBackAct: 'Move back',
  movingBack: 'Moving',
  moveBackFailed: (reason: string) => `It was not moved back: ${reason}`,
  moveBackGone: (group: string) => `These entries are no longer in “${group}”.`,

  differences: {
    'added-unsigned': 'not signed by an admin, so this person gets no keys',
    removed: 'removed; the group needs a new key',
    role: (signed: string) => `signed as ${signed}`,
    key: 'key differs from the signed one',
  },
  gone: (count: number) =>
    `${count === 1 ? 'One former member' : `${count} former members`}: removed; the group needs a new key`,
});

const behind = (skipped: number) =>
  skipped === 0 ? '' : `. ${skipped} older ${skipped === 1 ? 'value' : 'values'} could not be opened and were skipped`;

export const ROTATION_TEXTS = catalogue('rotation', {
  keptUp: (count: number) => `Keys of ${groups(count)} changed, because someone left`,
  notKeptUp: (count: number) => `Keys of ${groups(count)} could not be changed completely: open their tab “Users”`,
  dueTitle: 'The key of this group has to be changed',
  due: 'Someone left. Until the key is changed, that person’s keys could still open what is saved here.',
  honest:
    'A new key protects what is saved from now on. The person may have kept what they read before: change those values.',
  start: 'Change the key now',
  running: 'Changing the key',
  runningTitle: 'The key of this group is being changed',
  keepOpen: 'New values are already safe. If you close this page, any admin can finish the rest later.',
  stop: 'Stop',
  failedTitle: 'The key of this group was not changed completely',
  failed: (reason: string) => `${reason} The finished part is kept.`,
  failedHere: 'It continues at the next unlock, or now if you press “Go on”. The finished part is kept.',
  retry: 'Go on',
  action: (group: string) => `change the key of “${group}”`,
  done: (group: string, skipped: number) => `Key of "${group}" changed${behind(skipped)}`,
  waitForAdmin: 'An admin of this group has to do it.',
  unsure: 'The keys of these members have changed. Compare the keys first, or remove the member.',
  compare: 'Compare keys',
  convert: 'Sign the list of members',
  confirming: 'Confirming',
  member: (name: string, role: string) => `${name}, ${role}`,
});
