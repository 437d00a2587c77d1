/** Which roster a device accepts: M17, M19, M22 (docs/spec/crypto.md §9, Accepting). */
import { beforeAll, describe, expect, test } from 'vitest';
import { errorCodeOf } from '../../testing/error-code.ts';
import { type Scene, createScene, newestOf, pinned, withoutCertificate } from '../../testing/groups/roster-scene.ts';
import { GROUP_ID, type TestRoster, commitOf, memberOf, nextRoster } from '../../testing/groups/rosters.ts';
import { createSigner, renewSigner, withBrokenVouch } from '../../testing/signers.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});

describe('on first use the newest roster is', () => {
  test('shown with its signer, whose key is not decided', async () => {
    expect(await scene.accept(null, [scene.at(1)])).toEqual({
      state: 'asked',
      why: 'new',
      newest: newestOf(scene.at(1)),
      signer: { userId: scene.bob.userId, fingerprint: scene.bob.keyring.fingerprint },
    });
  });

  test('accepted if the signer’s key is decided, or the signer is the reader', async () => {
    expect(await scene.accept(null, [scene.at(1)], { pins: pinned(scene.bob) })).toEqual({
      state: 'accepted',
      newest: newestOf(scene.at(1)),
    });
    expect(await scene.outcome(null, [scene.at(1)], { pins: pinned(scene.bob, 'words') })).toBe('accepted');
    expect(await scene.outcome(null, [scene.at(1)], { self: scene.bob.keyring })).toBe('accepted');
    expect(await scene.outcome(null, [scene.at(1)], { pins: pinned(scene.ada) })).toBe('asked: new');
  });

  test('rejected if another key of the signer is decided', async () => {
    const other = await renewSigner(scene.rsa, scene.bob, false);
    expect(await scene.accept(null, [scene.at(1)], { pins: pinned(other, 'words') })).toEqual({
      state: 'refused',
      fault: 'key',
      newest: newestOf(scene.at(1)),
    });
    expect(await scene.outcome(null, [scene.at(1)], { self: other.keyring })).toBe('key');
    // A pin of the own account is ignored; the own key decides.
    expect(await scene.outcome(null, [scene.at(1)], { self: scene.bob.keyring, pins: pinned(other) })).toBe('accepted');
  });

  test('accepted if a certificate chain connects the decided and the signing key', async () => {
    const newer = await renewSigner(scene.rsa, scene.ada, true);
    const signed = await nextRoster(newer, null, { members: scene.members(newer, scene.bob) });
    expect(await scene.outcome(null, [signed], { pins: pinned(scene.ada) })).toBe('key');
    expect(await scene.outcome(null, [signed], { pins: pinned(scene.ada), certificates: newer.certificates })).toBe(
      'accepted',
    );
    const earlier = await nextRoster(scene.ada, null, { members: scene.members(scene.ada, scene.bob) });
    expect(await scene.outcome(null, [earlier], { pins: pinned(newer) })).toBe('key');
    expect(await scene.outcome(null, [earlier], { pins: pinned(newer), certificates: newer.certificates })).toBe(
      'accepted',
    );
    const own = { self: newer.keyring, certificates: newer.certificates };
    expect(await scene.outcome(null, [earlier], own)).toBe('accepted');
    const unvouched = newer.certificates.map((one) => (one.sig_prev_base64 === null ? one : withBrokenVouch(one)));
    expect(await scene.outcome(null, [earlier], { pins: pinned(newer), certificates: unvouched })).toBe('key');
    const stranger = await createSigner(scene.rsa);
    const damaged = { ...newer.certificate, sig_base64: stranger.certificate.sig_base64 };
    const mixed = [stranger.certificate, damaged, ...newer.certificates];
    expect(await scene.outcome(null, [earlier], { pins: pinned(newer), certificates: mixed })).toBe('accepted');
  });

  test('missing: a group that the server created is unsigned, any other is locked', async () => {
    expect(await scene.accept(null, [], { answer: { origin: 'server', rosters: [] } })).toEqual({ state: 'unsigned' });
    expect(await errorCodeOf(() => scene.accept(null, []))).toBe('roster');
  });
});

describe('after a roster was accepted, the newest one is accepted', () => {
  test('if it is the same', async () => {
    expect(await scene.accept(scene.at(1), [scene.at(1)])).toEqual({
      state: 'accepted',
      newest: newestOf(scene.at(1)),
    });
    expect(await scene.outcome(scene.at(1), [scene.at(0), scene.at(1)])).toBe('accepted');
  });

  test('if the signer was admin in the accepted one, next or after a gap', async () => {
    expect(await scene.accept(scene.at(0), [scene.at(0), scene.at(1)])).toEqual({
      state: 'accepted',
      newest: newestOf(scene.at(1)),
    });
    expect(await scene.outcome(scene.at(1), [scene.at(1), scene.at(2)])).toBe('accepted');
    expect(await scene.outcome(scene.at(1), [scene.at(1), scene.at(2), scene.at(3)])).toBe('accepted');
    // Signatures in between are not needed then.
    expect(await scene.outcome(scene.at(1), [scene.at(1), withoutCertificate(scene.at(2)), scene.at(3)])).toBe(
      'accepted',
    );
    expect(await scene.outcome(scene.at(1), [scene.at(0), scene.at(1), scene.at(2)])).toBe('accepted');
  });

  test('if the signer became admin in between', async () => {
    expect(await scene.outcome(scene.at(0), [scene.at(0), scene.at(1), scene.at(2)])).toBe('accepted');
    expect(await scene.outcome(scene.at(0), [scene.at(0), scene.at(1), scene.at(2), scene.at(3)])).toBe('accepted');
  });

  test('over several steps, each of which adds the next signer', async () => {
    const fifth = await nextRoster(scene.dan, scene.at(3), { members: scene.members(scene.dan) });
    expect(await scene.outcome(scene.at(0), [scene.at(0), scene.at(1), scene.at(2), scene.at(3), fifth])).toBe(
      'accepted',
    );
    expect(await scene.outcome(scene.at(2), [scene.at(2), scene.at(3), fifth])).toBe('accepted');
  });
});

describe('M22 the newest roster is rejected', () => {
  const refused = async (fault: string, newest: TestRoster | null, ...args: Parameters<Scene['accept']>) => {
    const shown = newest === null ? null : newestOf(newest);
    expect(await scene.accept(...args)).toEqual({ state: 'refused', fault, newest: shown });
  };

  test('with a lower sequence', async () => {
    await refused('rolled-back', scene.at(1), scene.at(2), [scene.at(1)]);
    await refused('rolled-back', scene.at(0), scene.at(2), [scene.at(0)]);
  });

  test('if it is missing, for any creator of the group', async () => {
    await refused('vanished', null, scene.at(0), []);
    await refused('vanished', null, scene.at(0), [], { answer: { origin: 'server', rosters: [] } });
  });

  test('or the person is asked, after accepting that there is none', async () => {
    const { seq } = scene.at(1).content;
    const accepted = { seq, hash: scene.at(1).hash, gone: true } as const;
    const none = { answer: { origin: 'server' as const, rosters: [] }, accepted };
    expect(await scene.accept(null, [], none)).toEqual({ state: 'unsigned' });
    expect(
      await errorCodeOf(() => scene.accept(null, [], { ...none, answer: { origin: 'client', rosters: [] } })),
    ).toBe('roster');
    // The record does not know the group then.
    for (const shown of [[scene.at(0)], [scene.at(1)], [scene.at(1), scene.at(2)]]) {
      expect(await scene.outcome(null, shown, { accepted })).toBe('asked: new');
    }
  });

  test('with other bytes at the same sequence number', async () => {
    const other = await nextRoster(scene.bob, scene.at(0), {
      members: scene.members(scene.ada, scene.bob, scene.cyn),
      ts: 1_795_219_201,
    });
    await refused('forked', other, scene.at(1), [other]);
    await refused('forked', other, scene.at(1), [scene.at(0), other]);
  });

  test('if it links back to another one than accepted, next or after a gap', async () => {
    const other = await nextRoster(scene.bob, scene.at(0), {
      members: scene.members(scene.ada, scene.bob, scene.cyn),
      ts: 1_795_219_201,
    });
    const after = await nextRoster(scene.cyn, other, { members: scene.members(scene.cyn) });
    const later = await nextRoster(scene.cyn, after);
    await refused('forked', after, scene.at(1), [other, after]);
    await refused('forked', after, scene.at(1), [scene.at(1), after]);
    await refused('forked', later, scene.at(1), [scene.at(1), after, later]);
    await refused('forked', later, scene.at(1), [other, after, later]);
  });

  test('with a wrong predecessor, or with a gap', async () => {
    const wrong = await nextRoster(scene.cyn, scene.at(1), { prev: 'ab'.repeat(32) });
    await refused('forked', wrong, scene.at(1), [scene.at(1), wrong]);
    await refused('forked', scene.at(3), scene.at(1), [scene.at(3)]);
    await refused('forked', scene.at(3), scene.at(1), [scene.at(1), scene.at(3)]);
    await refused('forked', scene.at(3), scene.at(1), [
      scene.at(1),
      { ...scene.at(2), wire: { ...scene.at(2).wire, roster_base64: '?' } },
      scene.at(3),
    ]);
  });

  test('if a sequence number is skipped under a valid hash, or the group changes in between', async () => {
    const skipping = await nextRoster(scene.cyn, scene.at(1), { seq: 3 });
    await refused('forked', skipping, scene.at(1), [scene.at(1), skipping]);
    const foreign = await nextRoster(scene.ada, null, { groupId: 'ffffffff-aaaa-4bbb-8ccc-ddddeeeeffff' });
    const after = await nextRoster(scene.ada, foreign, { groupId: GROUP_ID });
    await refused('forked', after, foreign, [foreign, after]);
  });

  test('with a lower key version, or another commitment of the same', async () => {
    const lower = await nextRoster(scene.cyn, scene.at(2), { gkVersion: 1, gkCommit: commitOf(1) });
    await refused('rolled-back', lower, scene.at(2), [scene.at(2), lower]);
    const other = await nextRoster(scene.cyn, scene.at(2), { gkCommit: commitOf(9) });
    await refused('forked', other, scene.at(2), [scene.at(2), other]);
  });

  test('with a key version that was lower in between', async () => {
    const higher = await nextRoster(scene.cyn, scene.at(2), { gkVersion: 4, gkCommit: commitOf(4) });
    const lower = await nextRoster(scene.cyn, higher, { gkVersion: 3, gkCommit: commitOf(3) });
    await refused('forked', lower, scene.at(2), [scene.at(2), higher, lower]);
  });

  test('M17 M19 if the signer was no admin', async () => {
    const taken = await nextRoster(scene.dan, scene.at(1), { members: scene.members(scene.dan) });
    await refused('signer', taken, scene.at(1), [scene.at(1), taken]);
    const demoted = await nextRoster(scene.ada, scene.at(2), { members: scene.members(scene.ada, scene.cyn) });
    await refused('signer', demoted, scene.at(2), [scene.at(2), demoted]);
    const member = await nextRoster(scene.eve, scene.at(1), { members: [memberOf(scene.eve, 'admin')] });
    await refused('signer', member, scene.at(1), [scene.at(1), member]);
    const moderator = { members: [...scene.members(scene.ada), memberOf(scene.dan, 'moderator')] };
    const birth = await nextRoster(scene.ada, null, moderator);
    const risen = await nextRoster(scene.dan, birth, { members: scene.members(scene.ada, scene.dan) });
    await refused('signer', risen, birth, [birth, risen]);
  });

  test('if one in between made its own signer an admin', async () => {
    const taken = await nextRoster(scene.dan, scene.at(1), { members: scene.members(scene.dan) });
    const after = await nextRoster(scene.dan, taken);
    await refused('signer', after, scene.at(1), [scene.at(1), taken, after]);
  });

  test('if one in between has an invalid signature and the newest depends on it', async () => {
    const forged = {
      ...scene.at(1),
      wire: { ...scene.at(1).wire, roster_sig_base64: scene.at(2).wire.roster_sig_base64 },
    };
    // As with a missing certificate, the person is asked.
    expect(await scene.outcome(scene.at(0), [scene.at(0), forged, scene.at(2)])).toBe('asked: gap');
    const others = { ...scene.at(1), wire: { ...scene.at(1).wire, signer_certificate: scene.ada.certificate } };
    expect(await scene.outcome(scene.at(0), [scene.at(0), others, scene.at(2)])).toBe('asked: gap');
  });
});
