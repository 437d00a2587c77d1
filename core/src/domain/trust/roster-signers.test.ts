/**
 * Accepted signatures after changed keys or missing certificates, and locking of the group: M19
 * (docs/spec/crypto.md §9).
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { errorCodeOf } from '../../testing/error-code.ts';
import { type Scene, createScene, newestOf, pinned, withoutCertificate } from '../../testing/groups/roster-scene.ts';
import { type TestRoster, commitOf, nextRoster } from '../../testing/groups/rosters.ts';
import { renewSigner } from '../../testing/signers.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});

describe('if the signer has another key than in the last accepted roster, the newest roster is', () => {
  test('accepted if a certificate chain leads from the former key to it', async () => {
    const newer = await renewSigner(scene.rsa, scene.bob, true);
    const signed = await nextRoster(newer, scene.at(0), { members: scene.members(scene.ada, newer) });
    expect(await scene.outcome(scene.at(0), [scene.at(0), signed])).toBe('signer');
    expect(await scene.outcome(scene.at(0), [scene.at(0), signed], { certificates: newer.certificates })).toBe(
      'accepted',
    );
    const newest = await renewSigner(scene.rsa, newer, true);
    const later = await nextRoster(newest, signed, { members: scene.members(scene.ada, newest) });
    const certificates = newest.certificates;
    expect(await scene.outcome(scene.at(0), [scene.at(0), signed, later], { certificates })).toBe('accepted');
  });

  test('rejected without a chain, until the key is compared', async () => {
    const other = await renewSigner(scene.rsa, scene.bob, false);
    const signed = await nextRoster(other, scene.at(0), { members: scene.members(scene.ada, other) });
    const { certificates } = other;
    expect(await scene.outcome(scene.at(0), [scene.at(0), signed], { certificates })).toBe('signer');
    expect(
      await scene.outcome(scene.at(0), [scene.at(0), signed], { certificates, pins: pinned(other, 'words') }),
    ).toBe('accepted');
    // A key trusted for now was never compared; a server could cause that with a forged group.
    expect(await scene.outcome(scene.at(0), [scene.at(0), signed], { certificates, pins: pinned(other) })).toBe(
      'signer',
    );
    expect(
      await scene.outcome(scene.at(0), [scene.at(0), signed], { certificates, pins: pinned(scene.bob, 'words') }),
    ).toBe('signer');
    expect(await scene.outcome(scene.at(0), [scene.at(0), signed], { certificates, self: other.keyring })).toBe(
      'accepted',
    );
    expect(await scene.outcome(scene.at(0), [scene.at(0), signed], { certificates, self: scene.bob.keyring })).toBe(
      'signer',
    );
  });

  test('accepted if a roster in between lists the new key', async () => {
    const other = await renewSigner(scene.rsa, scene.bob, false);
    const told = await nextRoster(scene.ada, scene.at(0), { members: scene.members(scene.ada, other) });
    const signed = await nextRoster(other, told);
    expect(await scene.outcome(scene.at(0), [scene.at(0), told, signed])).toBe('accepted');
    expect(await scene.outcome(scene.at(0), [scene.at(0), withoutCertificate(told), signed])).toBe('asked: gap');
  });
});

test('an admin before the last accepted roster, but not in it, cannot sign the newest', async () => {
  const before = await nextRoster(scene.ada, null, { members: scene.members(scene.ada, scene.bob) });
  const accepted = await nextRoster(scene.ada, before, { members: scene.members(scene.ada) });
  const back = await nextRoster(scene.bob, accepted, { members: scene.members(scene.bob) });
  expect(await scene.outcome(accepted, [before, accepted, back])).toBe('signer');
  const later = await nextRoster(scene.bob, back);
  expect(await scene.outcome(accepted, [before, accepted, back, later])).toBe('signer');
});

test('faults before the last accepted roster are ignored, because a person accepted it', async () => {
  const higher = await nextRoster(scene.ada, scene.at(0), { gkVersion: 3, gkCommit: commitOf(3) });
  const accepted = await nextRoster(scene.ada, higher, { gkVersion: 2, gkCommit: commitOf(2) });
  const newest = await nextRoster(scene.ada, accepted);
  expect(await scene.outcome(accepted, [accepted, newest])).toBe('accepted');
  // Lists are requested from the accepted one on; an invalid list before it locks the group.
  expect(await errorCodeOf(() => scene.accept(accepted, [scene.at(0), higher, accepted, newest]))).toBe('roster');
});

describe('if a certificate in between is missing', () => {
  test('the person is asked, unless the key of the newest signer is decided', async () => {
    const shown = [scene.at(0), withoutCertificate(scene.at(1)), scene.at(2)];
    expect(await scene.accept(scene.at(0), shown)).toEqual({
      state: 'asked',
      why: 'gap',
      newest: newestOf(scene.at(2)),
      signer: { userId: scene.cyn.userId, fingerprint: scene.cyn.keyring.fingerprint },
    });
    // A decided key of the newest signer covers the missing step.
    expect(await scene.outcome(scene.at(0), shown, { pins: pinned(scene.cyn, 'words') })).toBe('accepted');
    const other = await renewSigner(scene.rsa, scene.cyn, false);
    expect(await scene.outcome(scene.at(0), shown, { pins: pinned(other) })).toBe('asked: gap');
  });

  test('also if a later roster was signed by an admin of the accepted one', async () => {
    const fifth = await nextRoster(scene.dan, scene.at(3), { members: scene.members(scene.dan) });
    const shown = [scene.at(1), withoutCertificate(scene.at(2)), scene.at(3), fifth];
    expect(await scene.outcome(scene.at(1), shown)).toBe('asked: gap');
  });

  test('up to the last accepted roster, that does not matter; signers without admin role are rejected', async () => {
    const taken = await nextRoster(scene.dan, scene.at(1), { members: scene.members(scene.dan) });
    const itself = [withoutCertificate(scene.at(1)), taken];
    expect(await scene.outcome(scene.at(1), itself)).toBe('signer');
    expect(await scene.outcome(scene.at(1), [withoutCertificate(scene.at(0)), scene.at(1), taken])).toBe('signer');
    const later = await nextRoster(scene.dan, scene.at(2), { members: scene.members(scene.dan) });
    const longBefore = [scene.at(0), withoutCertificate(scene.at(1)), scene.at(2), later];
    expect(await scene.outcome(scene.at(2), longBefore)).toBe('signer');
  });

  test('the hash links must still be valid', async () => {
    const other = await nextRoster(scene.bob, scene.at(0), { ts: 1 });
    expect(await scene.outcome(scene.at(0), [scene.at(0), withoutCertificate(other), scene.at(2)])).toBe('forked');
  });
});

describe('M19 the group is locked when the newest roster', () => {
  test.each<[string, () => TestRoster]>([
    ['has no certificate', () => withoutCertificate(scene.at(1))],
    [
      'has a bad signature',
      () => ({ ...scene.at(1), wire: { ...scene.at(1).wire, roster_sig_base64: scene.at(0).wire.roster_sig_base64 } }),
    ],
    [
      "has another person's certificate",
      () => ({ ...scene.at(1), wire: { ...scene.at(1).wire, signer_certificate: scene.ada.certificate } }),
    ],
    [
      'has a forged certificate',
      () => ({
        ...scene.at(1),
        wire: { ...scene.at(1).wire, signer_certificate: { ...scene.bob.certificate, keyset_version: 2 } },
      }),
    ],
    ['is not base64', () => ({ ...scene.at(1), wire: { ...scene.at(1).wire, roster_base64: '?' } })],
  ])('%s', async (_, build) => {
    for (const accepted of [null, scene.at(0), scene.at(1)])
      expect(await errorCodeOf(() => scene.accept(accepted, [scene.at(0), build()]))).toBe('roster');
  });

  test('is of another group', async () => {
    const groupId = 'ffffffff-aaaa-4bbb-8ccc-ddddeeeeffff';
    expect(await errorCodeOf(() => scene.accept(null, [scene.at(1)], { groupId }))).toBe('roster');
  });

  test('does not list its signer as admin', async () => {
    const absent = await nextRoster(scene.dan, scene.at(0), { members: scene.members(scene.ada) });
    expect(await errorCodeOf(() => scene.accept(scene.at(0), [scene.at(0), absent]))).toBe('roster');
  });
});
