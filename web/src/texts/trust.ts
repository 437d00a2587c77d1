/** Texts about keys of people: first share, a changed key, notices, and what the signed list of members says. */

export const TRUST_TEXTS = {
  firstTitle: (name: string) => `Is this the key of ${name}?`,
  keyOf: (name: string) => `Key of ${name}`,
  compareText: (name: string) =>
    `Read the eight words to each other, on the phone or face to face. ${name} finds them under “Your key words” in the menu of the lock. The same words in the same order: nobody has put another key in between.`,
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
  keepFailed: (reason: string) => `The decision could not be kept: ${reason}`,
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
    'Whoever shares with you for the first time reads these eight words with you. They are no secret; what counts is that both sides see the same ones.',
  ownKeyAction: 'show your key words',

  locked: {
    roster: 'key mismatch: the list of members of this group is not signed by one of its admins',
    grant: 'key mismatch: the key of this group is not the one that its admins have signed',
  },
  lockedHint:
    'Nothing is opened or written in this group on this device. Tell the people who run the server; if it was restored from a backup, an admin can change the key of the group.',
  readOnlyTitle: 'This group is read-only on this device',
  readOnly: {
    'rolled-back': 'The list of members is older than the one this device has seen: it was rolled back.',
    forked: 'The list of members is another one than this device has seen: it was forked.',
    signer: 'The list of members is signed by somebody who was no admin when this device last looked.',
    vanished: 'The signed list of members that this device has seen is gone.',
  },
  readOnlyHint:
    'A server restored from an older backup looks like this, and so does one that hides a change. Ask an admin of the group who belongs to it, and compare with the list of users.',
  askAdmin:
    'An admin of the group has to decide. Until then you can read here what the list that this browser knows vouches for.',
  goOn: 'Go on from this list',
  goOnTitle: 'Go on from the list that the server shows?',
  goOnText: (names: readonly string[]) =>
    `This device then takes these as the members of the group: ${names.join(', ')}. Whatever you write here from now on can be read by them.`,
  naming: 'Looking up who these are.',
  unnamed: (userId: string) => `somebody whom the server does not name (${userId})`,
  goOnWithout:
    'This device then takes whomever the server names as a member of the group, until an admin signs a list again. Whatever you write here from now on can be read by them.',
  goingOn: 'Confirming',
  goOnFailed: (reason: string) => `It could not be confirmed: ${reason}`,
  pinsTitle: 'Your list of trusted keys is not the one this device knows',
  pinsText:
    'The server shows an older list than this device has seen, or a damaged one. A restored backup looks like this. When you go on, keys that you have compared since count as never compared.',
  pinsGoOn: 'Go on from the older list',

  differences: {
    'added-unsigned': 'no admin has signed this membership: gets no keys',
    removed: 'removed, key rotation due',
    role: (signed: string) => `signed as ${signed}`,
    key: 'key differs from the signed one',
  },
  gone: (count: number) =>
    `${count === 1 ? 'One former member' : `${count} former members`}: removed, key rotation due`,
} as const;
