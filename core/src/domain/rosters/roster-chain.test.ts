/**
 * Older rosters linked by hashes, and their commitments of older keys (docs/spec/crypto.md §9, client rule
 * 1).
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { errorCodeOf } from '../../testing/error-code.ts';
import { GROUP_ID, type TestRoster, commitOf, nextRoster } from '../../testing/groups/rosters.ts';
import { type Signer, createSharedRsa, createSigner } from '../../testing/signers.ts';
import { commitmentsOf, keyFaultOf, linkBack } from './roster-chain.ts';

let ada: Signer;
let rosters: TestRoster[];
beforeAll(async () => {
  ada = await createSigner(await createSharedRsa());
  const first = await nextRoster(ada, null);
  const second = await nextRoster(ada, first, { ts: 1 });
  const third = await nextRoster(ada, second, { gkVersion: 2, gkCommit: commitOf(2) });
  const fourth = await nextRoster(ada, third, { gkVersion: 5, gkCommit: commitOf(5) });
  rosters = [first, second, third, fourth];
});
const wires = (some: readonly TestRoster[]) => some.map(({ wire }) => wire);
const at = (seq: number) => rosters[seq] ?? expect.fail('no such roster');
const linked = (newest: TestRoster, ...before: TestRoster[]) =>
  linkBack(
    { content: newest.content, hash: newest.hash },
    [...before, newest].map(({ wire }) => wire),
  );
const seqs = async (...args: Parameters<typeof linked>) => (await linked(...args)).map(({ content }) => content.seq);

describe('a roster links back', () => {
  test('to all earlier ones, without checking certificates or signatures', async () => {
    const bare = rosters.map((one) => ({
      ...one,
      wire: { roster_base64: one.wire.roster_base64, roster_sig_base64: '', signer_certificate: null },
    }));
    const found = await linked(at(3), ...bare.slice(0, 3));
    expect(found).toEqual(rosters.map(({ content, hash }) => ({ content, hash })));
  });

  test('as far as rosters are present and hashes match', async () => {
    expect(await seqs(at(3))).toEqual([3]);
    expect(await seqs(at(3), at(2))).toEqual([2, 3]);
    expect(await seqs(at(3), at(0), at(2))).toEqual([2, 3]);
    expect(await seqs(at(3), at(1))).toEqual([3]);
    const other = await nextRoster(ada, at(1), { gkVersion: 2, gkCommit: commitOf(3) });
    expect(await seqs(at(3), at(1), other)).toEqual([3]);
    const broken = { ...at(2), wire: { ...at(2).wire, roster_base64: '?' } };
    expect(await seqs(at(3), at(1), broken)).toEqual([3]);
  });

  test('not to another group, and not over a gap in the sequence', async () => {
    const foreign = await nextRoster(ada, null, { groupId: 'ffffffff-aaaa-4bbb-8ccc-ddddeeeeffff' });
    expect(await seqs(await nextRoster(ada, foreign, { groupId: GROUP_ID }), foreign)).toEqual([1]);
    expect(await seqs(await nextRoster(ada, at(0), { seq: 2 }), at(0))).toEqual([2]);
  });
});

describe('the commitments of older versions', () => {
  test('come from the rosters; the first one shows where signing began', () => {
    const { byVersion, uncommittedBelow } = commitmentsOf(rosters, wires(rosters));
    expect([...byVersion].map(([version, { gkCommit }]) => [version, gkCommit])).toEqual([
      [1, commitOf(1)],
      [2, commitOf(2)],
      [5, commitOf(5)],
    ]);
    expect(uncommittedBelow).toBe(1);
  });

  test('do not show where signing began if the first roster is missing', () => {
    const { byVersion, uncommittedBelow } = commitmentsOf(rosters.slice(2), wires(rosters));
    expect(uncommittedBelow).toBe(0);
    expect([...byVersion.keys()]).toEqual([2, 5]);
  });

  test('start with the version of the first roster in a group that the server created', async () => {
    const converted = await nextRoster(ada, null, { gkVersion: 4, gkCommit: commitOf(4) });
    expect(commitmentsOf([converted], [converted.wire]).uncommittedBelow).toBe(4);
  });

  test('are all known if the first roster has a key proof, which names the earlier ones (M41)', async () => {
    const older = new Map([[2, commitOf(2)]]);
    const converted = await nextRoster(ada, null, { gkVersion: 4, gkCommit: commitOf(4), hasProof: true, older });
    const { byVersion, uncommittedBelow } = commitmentsOf([converted], [converted.wire]);
    expect([[...byVersion.keys()], uncommittedBelow]).toEqual([[2, 4], 0]);
  });

  test('M45 a roster without a key proof cannot follow one with a proof', async () => {
    const proved = await nextRoster(ada, at(0), { hasProof: true });
    const bare = await nextRoster(ada, proved);
    expect(keyFaultOf([at(0), proved, bare])).toBe('forked');
    expect(keyFaultOf([at(0), proved, await nextRoster(ada, proved, { hasProof: true })])).toBeNull();
  });

  test('M45 a roster with a proof cannot skip a version', async () => {
    const jump = await nextRoster(ada, at(0), { gkVersion: 3, gkCommit: commitOf(3), hasProof: true });
    expect(await errorCodeOf(() => commitmentsOf([at(0), jump], wires([at(0), jump])))).toBe('roster');
  });

  test('are rejected if they contradict each other', async () => {
    const other = await nextRoster(ada, at(1), { gkCommit: commitOf(3) });
    expect(await errorCodeOf(() => commitmentsOf([at(0), at(1), other], []))).toBe('roster');
    const lower = await nextRoster(ada, at(2), { gkVersion: 1, gkCommit: commitOf(1) });
    expect(await errorCodeOf(() => commitmentsOf([at(2), lower], []))).toBe('roster');
    expect(await errorCodeOf(() => commitmentsOf([], []))).toBe('no error');
  });
});

test('detects rollback and forks of the key version', async () => {
  expect(keyFaultOf(rosters)).toBeNull();
  expect(keyFaultOf([])).toBeNull();
  expect(keyFaultOf([at(2), at(1)])).toBe('rolled-back');
  expect(keyFaultOf([at(0), await nextRoster(ada, at(0), { gkCommit: commitOf(7) })])).toBe('forked');
});
