/** Which roster a device accepts: M17, M19, M22 (`crypto.md` §9, Accepting). */
import { beforeAll, describe, expect, test } from 'vitest';
import { refusalOf } from '../testing/refusal.ts';
import { GROUP_ID, type TestRoster, commitOf, memberOf, nextRoster } from '../testing/rosters.ts';
import { type Signer, createSharedRsa, createSigner, renewSigner, withBrokenVouch } from '../testing/signers.ts';
import type { AcceptedRoster } from './accepted-rosters.ts';
import { NO_PINS, type Pins, withPin } from './pins.ts';
import { type AcceptanceRequest, acceptRoster } from './roster-acceptance.ts';

/** Ada and Bob are admins from birth, Cyn becomes one with the second roster, Dan never; Eve looks. */
let [ada, bob, cyn, dan, eve]: Signer[] = [];
let rsa: Awaited<ReturnType<typeof createSharedRsa>>;
let rosters: TestRoster[];
const is = <T>(thing: T | undefined): T => thing ?? expect.fail('not made');
const at = (seq: number) => is(rosters[seq]);
const members = (...admins: (Signer | undefined)[]) => [
  ...admins.map((one) => memberOf(is(one), 'admin')),
  memberOf(is(eve), 'member'),
];

beforeAll(async () => {
  rsa = await createSharedRsa();
  [ada, bob, cyn, dan, eve] = await Promise.all(Array.from({ length: 5 }, () => createSigner(rsa)));
  const birth = await nextRoster(is(ada), null, { members: members(ada, bob) });
  const second = await nextRoster(is(bob), birth, { members: members(ada, bob, cyn) });
  const third = await nextRoster(is(cyn), second, { members: members(cyn), gkVersion: 2, gkCommit: commitOf(2) });
  const fourth = await nextRoster(is(cyn), third, { members: members(cyn, dan) });
  rosters = [birth, second, third, fourth];
});

const stand = ({ content, hash }: TestRoster): AcceptedRoster => ({ seq: content.seq, hash });
const pinned = (signer: Signer | undefined, how: 'first-use' | 'words' = 'first-use', pins: Pins = NO_PINS) => {
  const { userId, keyring } = is(signer);
  return withPin(pins, { userId, name: 'x', fingerprint: keyring.fingerprint }, how, 0);
};
const accept = (accepted: TestRoster | null, shown: readonly TestRoster[], change: Partial<AcceptanceRequest> = {}) =>
  acceptRoster({
    groupId: GROUP_ID,
    answer: { origin: 'client', rosters: shown.map(({ wire }) => wire) },
    accepted: accepted === null ? null : stand(accepted),
    pins: NO_PINS,
    certificates: [],
    self: is(eve).keyring,
    ...change,
  });
/** State, with the fault or what was asked. */
const outcome = async (...args: Parameters<typeof accept>) => {
  const acceptance = await accept(...args);
  if (acceptance.state === 'refused') return acceptance.fault;
  if (acceptance.state === 'first-use') return `first-use: ${acceptance.because}, ${acceptance.key}`;
  return acceptance.state;
};
const newestOf = (roster: TestRoster) => ({ hash: roster.hash, content: roster.content });
const withoutCertificate = (roster: TestRoster): TestRoster => ({
  ...roster,
  wire: { ...roster.wire, signer_certificate: null },
});

describe('on first use the newest roster is', () => {
  test('shown with its signer, who is not pinned yet', async () => {
    expect(await accept(null, [at(1)])).toEqual({
      state: 'first-use',
      because: 'new',
      key: 'unknown',
      newest: newestOf(at(1)),
      signer: { userId: is(bob).userId, fingerprint: is(bob).keyring.fingerprint },
    });
  });

  test('accepted when its signer is pinned, compared or not, or is oneself', async () => {
    expect(await accept(null, [at(1)], { pins: pinned(bob) })).toEqual({ state: 'accepted', newest: newestOf(at(1)) });
    expect(await outcome(null, [at(1)], { pins: pinned(bob, 'words') })).toBe('accepted');
    expect(await outcome(null, [at(1)], { self: is(bob).keyring })).toBe('accepted');
    expect(await outcome(null, [at(1)], { pins: pinned(ada) })).toBe('first-use: new, unknown');
  });

  test('refused when its signer is pinned with another key, and that of oneself is no other', async () => {
    const other = await renewSigner(rsa, is(bob), false);
    expect(await accept(null, [at(1)], { pins: pinned(other, 'words') })).toEqual({
      state: 'refused',
      fault: 'signer',
      newest: newestOf(at(1)),
    });
    expect(await outcome(null, [at(1)], { self: other.keyring })).toBe('signer');
    // A pin of oneself says nothing: the own key does.
    expect(await outcome(null, [at(1)], { self: is(bob).keyring, pins: pinned(other) })).toBe('accepted');
  });

  test('accepted when the pinned key leads to the one that signed, or the one that signed to the pinned', async () => {
    const newer = await renewSigner(rsa, is(ada), true);
    const signed = await nextRoster(newer, null, { members: members(newer, bob) });
    expect(await outcome(null, [signed], { pins: pinned(ada) })).toBe('signer');
    expect(await outcome(null, [signed], { pins: pinned(ada), certificates: newer.certificates })).toBe('accepted');
    const earlier = await nextRoster(is(ada), null, { members: members(ada, bob) });
    expect(await outcome(null, [earlier], { pins: pinned(newer) })).toBe('signer');
    expect(await outcome(null, [earlier], { pins: pinned(newer), certificates: newer.certificates })).toBe('accepted');
    const own = { self: newer.keyring, certificates: newer.certificates };
    expect(await outcome(null, [earlier], own)).toBe('accepted');
    const unvouched = newer.certificates.map((one) => (one.sig_prev_base64 === null ? one : withBrokenVouch(one)));
    expect(await outcome(null, [earlier], { pins: pinned(newer), certificates: unvouched })).toBe('signer');
    const stranger = await createSigner(rsa);
    const damaged = { ...newer.certificate, sig_base64: stranger.certificate.sig_base64 };
    const mixed = [stranger.certificate, damaged, ...newer.certificates];
    expect(await outcome(null, [earlier], { pins: pinned(newer), certificates: mixed })).toBe('accepted');
  });

  test('none: a group that the server made is unsigned, another is locked', async () => {
    expect(await accept(null, [], { answer: { origin: 'server', rosters: [] } })).toEqual({ state: 'unsigned' });
    expect(await refusalOf(() => accept(null, []))).toBe('roster');
  });
});

describe('after a roster was accepted, the newest one is accepted', () => {
  test('when it is the same', async () => {
    expect(await accept(at(1), [at(1)])).toEqual({ state: 'accepted', newest: newestOf(at(1)) });
    expect(await outcome(at(1), [at(0), at(1)])).toBe('accepted');
  });

  test('when the signer was admin in the one accepted, next or over a gap', async () => {
    expect(await accept(at(0), [at(0), at(1)])).toEqual({ state: 'accepted', newest: newestOf(at(1)) });
    expect(await outcome(at(1), [at(1), at(2)])).toBe('accepted');
    expect(await outcome(at(1), [at(1), at(2), at(3)])).toBe('accepted');
    // Of those in between no signature is asked for then.
    expect(await outcome(at(1), [at(1), withoutCertificate(at(2)), at(3)])).toBe('accepted');
    expect(await outcome(at(1), [at(0), at(1), at(2)])).toBe('accepted');
  });

  test('when the signer became admin in between, one after the other', async () => {
    expect(await outcome(at(0), [at(0), at(1), at(2)])).toBe('accepted');
    expect(await outcome(at(0), [at(0), at(1), at(2), at(3)])).toBe('accepted');
  });

  test('over several steps, each of which makes the next signer', async () => {
    const fifth = await nextRoster(is(dan), at(3), { members: members(dan) });
    expect(await outcome(at(0), [at(0), at(1), at(2), at(3), fifth])).toBe('accepted');
    expect(await outcome(at(2), [at(2), at(3), fifth])).toBe('accepted');
  });
});

describe('M22 the newest roster is refused', () => {
  const refused = async (fault: string, newest: TestRoster | null, ...args: Parameters<typeof accept>) => {
    const shown = newest === null ? null : newestOf(newest);
    expect(await accept(...args)).toEqual({ state: 'refused', fault, newest: shown });
  };

  test('with a lower sequence', async () => {
    await refused('rolled-back', at(1), at(2), [at(1)]);
    await refused('rolled-back', at(0), at(2), [at(0)]);
  });

  test('when there is none any more, whoever is said to have made the group', async () => {
    await refused('vanished', null, at(0), []);
    await refused('vanished', null, at(0), [], { answer: { origin: 'server', rosters: [] } });
  });

  test('with other bytes at the same sequence', async () => {
    const other = await nextRoster(is(bob), at(0), { members: members(ada, bob, cyn), ts: 1_795_219_201 });
    await refused('forked', other, at(1), [other]);
    await refused('forked', other, at(1), [at(0), other]);
  });

  test('when it leads back to another one than accepted, next or over a gap', async () => {
    const other = await nextRoster(is(bob), at(0), { members: members(ada, bob, cyn), ts: 1_795_219_201 });
    const after = await nextRoster(is(cyn), other, { members: members(cyn) });
    const later = await nextRoster(is(cyn), after);
    await refused('forked', after, at(1), [other, after]);
    await refused('forked', after, at(1), [at(1), after]);
    await refused('forked', later, at(1), [at(1), after, later]);
    await refused('forked', later, at(1), [other, after, later]);
  });

  test('with a wrong predecessor, or without those in between', async () => {
    const wrong = await nextRoster(is(cyn), at(1), { prev: 'ab'.repeat(32) });
    await refused('forked', wrong, at(1), [at(1), wrong]);
    await refused('forked', at(3), at(1), [at(3)]);
    await refused('forked', at(3), at(1), [at(1), at(3)]);
    await refused('forked', at(3), at(1), [at(1), { ...at(2), wire: { ...at(2).wire, roster_base64: '?' } }, at(3)]);
  });

  test('when a sequence is left out under a right hash, or the group changes on the way', async () => {
    const skipping = await nextRoster(is(cyn), at(1), { seq: 3 });
    await refused('forked', skipping, at(1), [at(1), skipping]);
    const foreign = await nextRoster(is(ada), null, { groupId: 'ffffffff-aaaa-4bbb-8ccc-ddddeeeeffff' });
    const after = await nextRoster(is(ada), foreign, { groupId: GROUP_ID });
    await refused('forked', after, foreign, [foreign, after]);
  });

  test('with a lower key version, or another commitment of the same', async () => {
    const lower = await nextRoster(is(cyn), at(2), { gkVersion: 1, gkCommit: commitOf(1) });
    await refused('rolled-back', lower, at(2), [at(2), lower]);
    const other = await nextRoster(is(cyn), at(2), { gkCommit: commitOf(9) });
    await refused('forked', other, at(2), [at(2), other]);
  });

  test('with a key version that was lower in between, though it is higher in the end', async () => {
    const higher = await nextRoster(is(cyn), at(2), { gkVersion: 4, gkCommit: commitOf(4) });
    const lower = await nextRoster(is(cyn), higher, { gkVersion: 3, gkCommit: commitOf(3) });
    await refused('rolled-back', lower, at(2), [at(2), higher, lower]);
  });

  test('M17 M19 signed by somebody who was no admin', async () => {
    const taken = await nextRoster(is(dan), at(1), { members: members(dan) });
    await refused('signer', taken, at(1), [at(1), taken]);
    const demoted = await nextRoster(is(ada), at(2), { members: members(ada, cyn) });
    await refused('signer', demoted, at(2), [at(2), demoted]);
    const member = await nextRoster(is(eve), at(1), { members: [memberOf(is(eve), 'admin')] });
    await refused('signer', member, at(1), [at(1), member]);
    const moderator = { members: [...members(ada), memberOf(is(dan), 'moderator')] };
    const birth = await nextRoster(is(ada), null, moderator);
    const risen = await nextRoster(is(dan), birth, { members: members(ada, dan) });
    await refused('signer', risen, birth, [birth, risen]);
  });

  test('when one in between made its own signer an admin', async () => {
    const taken = await nextRoster(is(dan), at(1), { members: members(dan) });
    const after = await nextRoster(is(dan), taken);
    await refused('signer', after, at(1), [at(1), taken, after]);
  });

  test('when one in between bears a bad signature and the newest needs it', async () => {
    const forged = { ...at(1), wire: { ...at(1).wire, roster_sig_base64: at(2).wire.roster_sig_base64 } };
    await refused('signer', at(2), at(0), [at(0), forged, at(2)]);
    const others = { ...at(1), wire: { ...at(1).wire, signer_certificate: is(ada).certificate } };
    await refused('signer', at(2), at(0), [at(0), others, at(2)]);
  });
});

describe('the signer has another key than in the roster accepted last', () => {
  test('which leads to it: accepted', async () => {
    const newer = await renewSigner(rsa, is(bob), true);
    const signed = await nextRoster(newer, at(0), { members: members(ada, newer) });
    expect(await outcome(at(0), [at(0), signed])).toBe('signer');
    expect(await outcome(at(0), [at(0), signed], { certificates: newer.certificates })).toBe('accepted');
    const newest = await renewSigner(rsa, newer, true);
    const later = await nextRoster(newest, signed, { members: members(ada, newest) });
    const certificates = newest.certificates;
    expect(await outcome(at(0), [at(0), signed, later], { certificates })).toBe('accepted');
  });

  test('for which nothing vouches: refused, until this key is compared', async () => {
    const other = await renewSigner(rsa, is(bob), false);
    const signed = await nextRoster(other, at(0), { members: members(ada, other) });
    const { certificates } = other;
    expect(await outcome(at(0), [at(0), signed], { certificates })).toBe('signer');
    expect(await outcome(at(0), [at(0), signed], { certificates, pins: pinned(other, 'words') })).toBe('accepted');
    // "For now" was never compared: a server could bring it about with a group of its own making.
    expect(await outcome(at(0), [at(0), signed], { certificates, pins: pinned(other) })).toBe('signer');
    expect(await outcome(at(0), [at(0), signed], { certificates, pins: pinned(bob, 'words') })).toBe('signer');
    expect(await outcome(at(0), [at(0), signed], { certificates, self: other.keyring })).toBe('accepted');
    expect(await outcome(at(0), [at(0), signed], { certificates, self: is(bob).keyring })).toBe('signer');
  });

  test('and one in between made him known under it: accepted step by step', async () => {
    const other = await renewSigner(rsa, is(bob), false);
    const told = await nextRoster(is(ada), at(0), { members: members(ada, other) });
    const signed = await nextRoster(other, told);
    expect(await outcome(at(0), [at(0), told, signed])).toBe('accepted');
    expect(await outcome(at(0), [at(0), withoutCertificate(told), signed])).toBe('first-use: gap, unknown');
  });
});

describe('where a certificate on the way is gone', () => {
  test('a person is asked as on first use, whatever the pin says', async () => {
    const shown = [at(0), withoutCertificate(at(1)), at(2)];
    expect(await accept(at(0), shown)).toEqual({
      state: 'first-use',
      because: 'gap',
      key: 'unknown',
      newest: newestOf(at(2)),
      signer: { userId: is(cyn).userId, fingerprint: is(cyn).keyring.fingerprint },
    });
    expect(await outcome(at(0), shown, { pins: pinned(cyn, 'words') })).toBe('first-use: gap, trusted');
    const other = await renewSigner(rsa, is(cyn), false);
    expect(await outcome(at(0), shown, { pins: pinned(other) })).toBe('first-use: gap, changed');
  });

  test('but it is not needed, nothing is asked', async () => {
    const fifth = await nextRoster(is(dan), at(3), { members: members(dan) });
    const shown = [at(1), withoutCertificate(at(2)), at(3), fifth];
    expect(await outcome(at(1), shown)).toBe('accepted');
  });

  test('the links still have to hold', async () => {
    const other = await nextRoster(is(bob), at(0), { ts: 1 });
    expect(await outcome(at(0), [at(0), withoutCertificate(other), at(2)])).toBe('forked');
  });
});

describe('M19 the group is locked when the newest roster', () => {
  test.each<[string, () => TestRoster]>([
    ['has no certificate', () => withoutCertificate(at(1))],
    [
      'has a bad signature',
      () => ({ ...at(1), wire: { ...at(1).wire, roster_sig_base64: at(0).wire.roster_sig_base64 } }),
    ],
    [
      "comes with another's certificate",
      () => ({ ...at(1), wire: { ...at(1).wire, signer_certificate: is(ada).certificate } }),
    ],
    [
      'comes with a forged certificate',
      () => ({ ...at(1), wire: { ...at(1).wire, signer_certificate: { ...is(bob).certificate, keyset_version: 2 } } }),
    ],
    ['is no base64', () => ({ ...at(1), wire: { ...at(1).wire, roster_base64: '?' } })],
  ])('%s', async (_, build) => {
    for (const accepted of [null, at(0), at(1)])
      expect(await refusalOf(() => accept(accepted, [at(0), build()]))).toBe('roster');
  });

  test('is of another group', async () => {
    const groupId = 'ffffffff-aaaa-4bbb-8ccc-ddddeeeeffff';
    expect(await refusalOf(() => accept(null, [at(1)], { groupId }))).toBe('roster');
  });

  test('does not list its signer as admin', async () => {
    const absent = await nextRoster(is(dan), at(0), { members: members(ada) });
    expect(await refusalOf(() => accept(at(0), [at(0), absent]))).toBe('roster');
  });
});
