import { groups } from '../counted.ts';

export const TRUST_TEXTS = {
  firstTitle: (name: string) => `Is this the key of ${name}?`,
  keyOf: (name: string) => `Key of ${name}`,
  compareText: (name: string) =>
    `Read the eight words to each other, on the phone or face to face. ${name} finds them under “Your key words” in the menu of the lock. If you both see the same words in the same order, the key is right.`,
  verifiedText: (name: string) => `You have compared this key with ${name}.`,
  changedTitle: (name: string) => `The key of ${name} has changed`,
  changedText: (name: string) =>
    `Nothing is shared with ${name} until you have compared the words again. A reset account has a new key, and so has one that somebody else has taken over: ask ${name} what happened.`,
  wordsOf: (name: string) => `Key words of ${name}`,
  wordsNow: 'Words now',
  wordsBefore: 'Words you knew',
  qr: 'Key as a QR code',
  details: 'Details',
  fingerprint: 'Full key, hexadecimal',
  compared: 'Compared, verified',
  forNow: 'Trust for now',
  cancel: 'Cancel',
  close: 'Close',
  keeping: 'Keeping',
  keepFailed: (reason: string) => `The decision could not be saved: ${reason}`,
  lookAction: (name: string) => `look up the key of ${name}`,
  renewed: (name: string) => `${name} has a new key. It is signed with the one that you know, so it is trusted too.`,
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
  lockedTitle: 'This group does not open here',
  locked: {
    roster: 'key mismatch: the list of members of this group is not signed by one of its admins.',
    grant: 'key mismatch: the key of this group is not the one that its admins have signed.',
    proof: 'key mismatch: the list of members is signed by a person who does not have the key of this group.',
    'not-member': 'The signed list of members does not name you.',
  },
  lockedHint:
    'This browser reads and writes nothing here. Tell the people who run the server; if it was restored from a backup, an admin can change the key of the group.',

  unconfirmedTitle: 'You have not confirmed this group',
  unconfirmed: (signer: string) =>
    `Its list of members is signed by ${signer}. You can read here. Before you write, move or share, you are asked once about this key.`,
  left: (name: string, date: string) => `${name} was removed from a group of yours on ${date}.`,
  confirmNow: 'Confirm now',
  samePathTitle: (path: string) => `There are two groups “${path}”`,
  samePath: (signer: string, names: string) =>
    `You know another one. This one is signed by ${signer}. These people can read what you write here: ${names}.`,
  showReaders: 'Show who reads here',
  noProofTitle: 'This group has to be signed again',
  noProof:
    'You can read here. You can write again as soon as an admin of the group has opened it with the present version.',
  unsignedTitle: 'The members of this group are not signed',
  unsigned:
    'The group was made through the API, with a key that the server made. You can read here. Sign the list of members: a new key then goes to exactly these people.',
  unsignedForMembers:
    'The group was made through the API, with a key that the server made. You can read here. Ask an admin of the group to sign the list of members.',
  signMembers: 'Sign the list of members',

  readOnlyTitle: 'This group is read-only here',
  readOnly: {
    'rolled-back': 'The list of members is older than the one that you accepted: it was rolled back.',
    forked: 'The list of members is not the one that you accepted: it was forked.',
    signer: 'The list of members is signed by a person who was not an admin of the group.',
    vanished: 'The server does not show the signed list of members any more.',
    proof: 'The list of members is not signed by a person who has the key of this group.',
    record: 'Your trust record is missing or in doubt. This browser writes nothing until that is settled.',
  },
  forkedBrowsers: 'Your browsers were shown different lists of members.',
  keyOfSigner: (name: string) => `The list is signed with a key that is not the one you know of ${name}.`,
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
  noMoreKeys: (name: string) => `No key is made for ${name} any more.`,
  unlockFirst: (name: string) =>
    `Unlock the vault before you remove ${name}: then no key is made for ${name} whatever the server lists.`,
  whatToDo: 'What to do',
  readOnlyHint:
    'A server restored from an older backup looks like this, and so does one that hides a change. Ask an admin of the group who belongs to it, and compare with the list of users.',
  forMembers:
    'An admin of the group has to decide. This browser then follows by itself. If you are with an admin now, you can compare the key words and go on.',
  compareWithAdmin: 'Compare with an admin',

  /** Tooltips of disabled buttons of a group. */
  whyNot: {
    unsigned: 'The members of this group are not signed',
    'no-proof': 'An admin has to sign this group again',
    disputed: 'This group is read-only here',
    locked: 'This group does not open here',
  },

  whoShares: (group: string) => `Who shares “${group}” with you?`,
  whoSharesText: (name: string) =>
    `The list of members is signed with this key. The server says that it belongs to ${name}. Read the eight words to each other, on the phone or face to face: ${name} finds them under “Your key words” in the menu of the lock.`,
  whoSharesKnown: (name: string) =>
    `The list of members is signed with this key of ${name}. Read the eight words to each other again, on the phone or face to face: ${name} finds them under “Your key words” in the menu of the lock.`,
  samePathWarning: 'You know another group of this name. Ask the signer whether this one is meant.',
  readersOf: (names: string) => `These people can read what you write in this group: ${names}.`,

  goOn: 'Go on from this list',
  comparedGoOn: 'Compared, go on',
  goOnTitle: 'Go on from the list that the server shows?',
  goOnWhat: 'This browser then takes these people as the members of the group. They can read what you write here.',
  goOnSame: 'It names the same people with the same keys and roles as the list that you accepted.',
  added: 'New on it:',
  onIt: 'On it:',
  missing: 'Missing from it:',
  otherKey: 'With another key:',
  otherRole: 'With another role:',
  roleBefore: (name: string, role: string, before: string) => `${name}: ${role}, was ${before}`,
  signedBy: (name: string) => `Signed by ${name}.`,
  goOnWithout:
    'The server shows no signed list of members. If you go on, the group is no longer known as signed: you can read here, and you can write again when an admin has signed the members.',
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
  moveBackNew: (names: string) => `Not able to read it now: ${names}.`,
  moveBackAct: 'Move back',
  movingBack: 'Moving',
  moveBackFailed: (reason: string) => `It was not moved back: ${reason}`,
  moveBackGone: (group: string) => `None of these entries is in “${group}” any more.`,

  differences: {
    'added-unsigned': 'no admin has signed this membership: gets no keys',
    removed: 'removed, key rotation due',
    role: (signed: string) => `signed as ${signed}`,
    key: 'key differs from the signed one',
  },
  gone: (count: number) =>
    `${count === 1 ? 'One former member' : `${count} former members`}: removed, key rotation due`,
} as const;

const behind = (skipped: number) =>
  skipped === 0 ? '' : `. ${skipped} older ${skipped === 1 ? 'value' : 'values'} could not be opened and stayed behind`;

export const ROTATION_TEXTS = {
  keptUp: (count: number) => `Keys of ${groups(count)} changed, because somebody left`,
  notKeptUp: (count: number) => `Keys of ${groups(count)} could not be changed completely: look at their users`,
  dueTitle: 'The key of this group is to be changed',
  due: 'Somebody left. Until the key is changed, what is written here could still be opened with the keys of that person.',
  honest:
    'Changing the key protects what is written from now on. What a person has read before, that person may have kept: change those values.',
  start: 'Change the key now',
  running: 'Changing the key',
  runningTitle: 'The key of this group is being changed',
  keepOpen:
    'New values are safe already. Whatever is left when you close this page can be finished later, by any admin.',
  stop: 'Stop',
  failedTitle: 'The key of this group was not changed completely',
  failed: (reason: string) => `${reason} What is done stays done.`,
  failedHere: 'It goes on at the next unlock, or now. What is done stays done.',
  retry: 'Go on',
  action: (group: string) => `change the key of “${group}”`,
  done: (group: string, skipped: number) => `Key of "${group}" changed${behind(skipped)}`,
  waitForAdmin: 'An admin of this group has to do it.',
  unsure: 'First compare the keys of these members: they are others than the signed ones. Or remove the member.',
  compare: 'Compare keys',
  convert: 'Sign the list of members',
  confirming: 'Confirming',
  member: (name: string, role: string) => `${name}, ${role}`,
} as const;
