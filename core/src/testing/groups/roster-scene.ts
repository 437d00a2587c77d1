/** Four rosters of a group, their signers, and a reader, for tests of acceptance. */
import { expect } from 'vitest';
import type { AcceptedRoster } from '../../domain/rosters/accepted-rosters.ts';
import { NO_PINS, type Pins } from '../../domain/trust/pins.ts';
import { pinOf } from './judged-roster.ts';
import type { Role } from '../../domain/policy.ts';
import { acceptRoster, type JudgedRequest } from './judged-roster.ts';
import { GROUP_ID, type TestRoster, commitOf, memberOf, nextRoster } from './rosters.ts';
import { type Signer, createSharedRsa, createSigner } from '../signers.ts';

type Accept = [accepted: TestRoster | null, shown: readonly TestRoster[], change?: Partial<JudgedRequest>];

/**
 * Ada and Bob are admins in the first roster, Cyn from the second, Dan from the fourth; Eve reads.
 */
export async function createScene() {
  const rsa = await createSharedRsa();
  const create = () => createSigner(rsa);
  const [ada, bob, cyn, dan, eve] = await Promise.all([create(), create(), create(), create(), create()]);
  const members = (...admins: Signer[]) => [
    ...admins.map((one) => memberOf(one, 'admin')),
    memberOf(eve, 'member' satisfies Role),
  ];
  const birth = await nextRoster(ada, null, { members: members(ada, bob) });
  const second = await nextRoster(bob, birth, { members: members(ada, bob, cyn) });
  const third = await nextRoster(cyn, second, { members: members(cyn), gkVersion: 2, gkCommit: commitOf(2) });
  const fourth = await nextRoster(cyn, third, { members: members(cyn, dan) });
  const rosters = [birth, second, third, fourth];
  const accept = (...[accepted, shown, change = {}]: Accept) =>
    acceptRoster({
      groupId: GROUP_ID,
      answer: { origin: 'client', rosters: shown.map(({ wire }) => wire) },
      accepted: accepted === null ? null : stand(accepted),
      pins: NO_PINS,
      certificates: [],
      self: eve.keyring,
      ...change,
    });
  /** State, with the fault or what was asked. */
  const outcome = async (...args: Accept) => {
    const acceptance = await accept(...args);
    if (acceptance.state === 'refused') return acceptance.fault;
    if (acceptance.state === 'asked') return `asked: ${acceptance.why}`;
    return acceptance.state;
  };
  const at = (seq: number) => rosters[seq] ?? expect.fail('no such roster');
  return { rsa, ada, bob, cyn, dan, eve, members, at, accept, outcome };
}

export type Scene = Awaited<ReturnType<typeof createScene>>;

const stand = ({ content, hash }: TestRoster): AcceptedRoster => ({ seq: content.seq, hash });

export const pinned = ({ userId, keyring }: Signer, how: 'first-use' | 'words' = 'first-use'): Pins =>
  new Map([[userId, pinOf(keyring.fingerprint, how)]]);

export const newestOf = ({ hash, content }: TestRoster) => ({ hash, content });

export const withoutCertificate = (roster: TestRoster): TestRoster => ({
  ...roster,
  wire: { ...roster.wire, signer_certificate: null },
});
