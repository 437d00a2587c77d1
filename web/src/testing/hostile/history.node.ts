/** One history of the generated hostile server (M80): a few unlocks in a few browsers, and what the oracle says of them. */
import fc from 'fast-check';
import { AppError } from '@passwordbroker/core/contract/problem';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { unwrapGroupSecret } from '@passwordbroker/core/domain/grants';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import type { TestAnswer } from '../../../../server/src/testing/test-client.ts';
import { KeyringError } from '../../keyring/keyring-error.ts';
import { AnswerError, NetworkError } from '../../lib/http.ts';
import { onlineVault } from '../../vault/online.ts';
import type { Vault } from '../../vault/vault.ts';
import { vaultOf } from '../real-vault.node.ts';
import { emptyShelf, shelfInMemory, type ShelfContent } from '../shelf-in-memory.ts';
import { onlyTab } from '../tabs-of-one-browser.ts';
import type { Attackers } from './attackers.node.ts';
import { Front, move, type FrontOptions, type Move } from './front.node.ts';
import { lie, type Lie, prepareLies, type View } from './lies.node.ts';
import { createOracle, type Leak, type Sent } from './oracle.node.ts';
import {
  act,
  type Act,
  type Decision,
  type Kind,
  Nothing,
  perform,
  type Revelation,
  type Scene,
} from './person.node.ts';
import type { Past } from './past.node.ts';

interface Unlock {
  readonly browser: number;
  readonly lies: readonly Lie[];
  readonly moves: readonly Move[];
  readonly acts: readonly Act[];
  /** The storage of the browser is deleted before. */
  readonly isWiped: boolean;
}

export interface History {
  readonly kind: Kind;
  readonly hasColluder: boolean;
  /** What each browser remembers of the past. */
  readonly browsers: readonly ('full' | 'half' | 'none')[];
  readonly unlocks: readonly Unlock[];
}

export const history: fc.Arbitrary<History> = fc.record({
  kind: fc.constantFrom('never', 'careful', 'hasty'),
  hasColluder: fc.boolean(),
  browsers: fc.array(fc.constantFrom('full', 'half', 'none'), { minLength: 1, maxLength: 3 }),
  unlocks: fc.array(
    fc.record({
      browser: fc.nat({ max: 2 }),
      lies: fc.array(lie, { maxLength: 3 }),
      moves: fc.array(move, { maxLength: 2 }),
      acts: fc.array(act, { maxLength: 4 }),
      isWiped: fc.boolean().map((isWiped) => isWiped),
    }),
    { minLength: 2, maxLength: 6 },
  ),
});

export interface Told {
  readonly violations: readonly string[];
  /** How many acts succeeded: else the histories would show nothing. */
  readonly done: number;
  readonly tried: number;
  readonly leaks: number;
}

interface World {
  readonly past: Past;
  readonly hire: (colluder: string | null) => Attackers;
}

export async function play({ past, hire }: World, told: History): Promise<Told> {
  const attackers = hire(told.hasColluder ? 'carol' : null);
  const oracle = createOracle(past, attackers);
  const cache = new Map<string, TestAnswer>();
  const twins = new Map<string, View>();
  const violations: string[] = [];
  const decisions: Decision[] = [];
  const revelations: (Revelation & { readonly decisions: number })[] = [];
  const browsers = told.browsers.map((memory) => ({
    shelf: memory === 'none' ? emptyShelf() : structuredClone(past.memories[memory]),
    /** Highest sequence number shown of each group, by any answer. */
    seen: new Map<string, number>(),
    /** An earlier unlock has left something. */
    hasMemory: memory !== 'none',
  }));
  let isDirty = false;
  let texts = 0;
  let done = 0;
  let tried = 0;
  try {
    for (const [index, one] of told.unlocks.entries()) {
      const at = one.browser % browsers.length;
      const browser = browsers[at]!;
      if (one.isWiped) {
        wipe(browser.shelf);
        browser.hasMemory = false;
      }
      const lies = await prepareLies(past, attackers, one.lies, twins);
      const state = { act: null as string | null };
      const options: FrontOptions = {
        past,
        oracle,
        lies,
        moves: one.moves,
        cache,
        context: () => ({ browser: at, unlock: index, act: state.act, decisions: decisions.length }),
        wipe: () => wipe(browser.shelf),
        onWrite: () => (isDirty = true),
        onShown: (path, body) => noteShown(browser.seen, path, body),
      };
      const front = new Front(past.victim, options);
      const real = vaultOf(front, onlyTab(), shelfInMemory(browser.shelf));
      const vault = onlineVault(real.http, real.keyring, { onKeptUp: () => undefined });
      try {
        const before = oracle.sent.length;
        await real.keyring.unlock(past.victim.masterPassword);
        await settled(front, vault);
        await checkUnasked(past, oracle.sent.slice(before), browser.hasMemory, violations);
        browser.hasMemory = true;
        const scene: Scene = {
          past,
          attackers,
          kind: told.kind,
          vault,
          decide: (decision) => void decisions.push({ ...decision, unlock: index }),
          shown: (revelation) => void revelations.push({ ...revelation, decisions: decisions.length }),
          newText: () => `new value ${(texts += 1)}`,
          moves: { last: null },
        };
        for (const wanted of one.acts) {
          state.act = wanted.what;
          tried += 1;
          await perform(scene, wanted).then(
            () => (done += 1),
            (failure: unknown) => {
              if (!isExpected(failure))
                violations.push(`unexpected: ${String(failure)} ${(failure as Error).stack ?? ''}`);
            },
          );
          await settled(front, vault);
          state.act = null;
        }
      } catch (failure) {
        if (!isExpected(failure)) violations.push(`unexpected: ${String(failure)} ${(failure as Error).stack ?? ''}`);
      } finally {
        real.keyring.lock();
      }
    }
    const leaks = await oracle.leaks();
    for (const leak of leaks) judge({ past, attackers, told, decisions, browsers }, leak, violations);
    for (const { groupId, text, isConfirmed, decisions: known } of revelations) {
      const isForged = text.startsWith('evil');
      const isExcused = told.hasColluder || decisions.slice(0, known).some(({ isFalse }) => isFalse);
      if (isForged && isConfirmed && !isExcused)
        violations.push(`(e) a forged value in the confirmed group ${groupId}`);
    }
    return { violations, done, tried, leaks: leaks.length };
  } finally {
    if (isDirty) await past.restore();
  }
}

function wipe(shelf: ShelfContent) {
  for (const kept of Object.values(shelf) as Map<string, unknown>[]) kept.clear();
}

/** Until nothing is under way any more. */
async function settled(front: Front, vault: Vault): Promise<void> {
  for (let quiet = 0, turns = 0; quiet < 3 && turns < 3_000; turns += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const isRotating = vault.rotations.list().some(({ state }) => state === 'waiting' || state === 'running');
    quiet = front.busy === 0 && !isRotating ? quiet + 1 : 0;
  }
}

/** What a server, or its answers, may be refused with. */
const isExpected = (failure: unknown): boolean =>
  failure instanceof KeyringError ||
  failure instanceof AppError ||
  failure instanceof CryptoError ||
  failure instanceof AnswerError ||
  failure instanceof NetworkError ||
  failure instanceof Nothing ||
  (failure instanceof DOMException && failure.name === 'AbortError');

function noteShown(seen: Map<string, number>, path: string, body: unknown) {
  if (!/\/rosters?(\?|$)/.test(path)) return;
  const answers = path.includes('/rosters') ? ((body as { rosters?: RosterAnswer[] } | null)?.rosters ?? []) : [body];
  for (const answer of answers as (RosterAnswer | null)[]) {
    for (const one of Array.isArray(answer?.rosters) ? answer.rosters : []) {
      if (typeof one?.seq !== 'number') continue;
      seen.set(answer!.entry_group_id, Math.max(seen.get(answer!.entry_group_id) ?? -1, one.seq));
    }
  }
}

/** (c): what is sent unasked is for people of honest lists alone. */
async function checkUnasked(past: Past, sent: readonly Sent[], hasMemory: boolean, violations: string[]) {
  for (const one of sent) {
    const wraps = grantsIn(one.body);
    if (wraps.length > 0 && !hasMemory)
      violations.push(`(c) ${one.method} ${one.path} wraps unasked in a browser without memory`);
    for (const base64 of wraps) {
      const reader = await readerOf(past, base64);
      const groupId = /entryGroups\/([0-9a-f-]{36})/.exec(one.path)?.[1] ?? '';
      const group = past.groups.find(({ id }) => id === groupId);
      if (reader === null || group?.members.has(reader) !== true)
        violations.push(`(c) ${one.method} ${one.path} wraps unasked for ${reader ?? 'nobody known'}`);
    }
  }
}

/** Wrapped secrets, by the name of their member. */
function grantsIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, inner]) =>
    key === 'encrypted_aes_password' && typeof inner === 'string' ? [inner] : grantsIn(inner),
  );
}

async function readerOf({ people }: Past, base64: string): Promise<string | null> {
  for (const { userId, keyring } of people) {
    try {
      await unwrapGroupSecret(keyring, decodeBase64(base64));
      return userId;
    } catch {
      // For somebody else.
    }
  }
  return null;
}

interface Case {
  readonly past: Past;
  readonly attackers: Attackers;
  readonly told: History;
  readonly decisions: readonly Decision[];
  readonly browsers: readonly { readonly seen: ReadonlyMap<string, number> }[];
}

/** (a), (b), (d): whether this may be open to the attackers. */
function judge(scene: Case, leak: Leak, violations: string[]) {
  const { past, attackers, told, decisions } = scene;
  const taken = decisions.slice(0, leak.sent.decisions);
  const where = `unlock ${leak.sent.unlock}, browser ${leak.sent.browser}, ${leak.sent.act ?? 'unasked'}: ${leak.sent.method} ${leak.sent.path}`;
  const isFalse = taken.some((one) => one.isFalse);
  const { colluder } = attackers;
  if (leak.kind === 'secret') {
    const [groupId = ''] = leak.place.split(' ');
    const isGiven = taken.some(
      (one) => one.what === 'given' && one.groupId === groupId && (one.isFalse || isOf(colluder, one.key)),
    );
    if (isGiven || isLegitimate(scene, groupId, leak)) return;
    violations.push(`(a) the secret of ${leak.place} is wrapped for attackers, ${where}`);
    return;
  }
  const { groupId } = leak;
  if (colluder !== null) {
    const held = past.held(colluder.userId);
    const knew = past.revisions.some(
      (one) => `${one.fieldId} ${one.rev}` === leak.piece && held.has(`${one.groupId} ${one.gkVersion}`),
    );
    if (leak.kind === 'rewrap' && knew) return;
    if (isLegitimate(scene, groupId, leak)) return;
    if (taken.some((one) => one.what === 'given' && one.groupId === groupId && isOf(colluder, one.key))) return;
  }
  const isMove = leak.sent.path.includes('/bulkEdit/move') || leak.sent.path.includes('/undo');
  const isAfter = leak.kind === 'new' || isMove;
  // What a hasty person confirms without comparing opens what is written or moved there afterwards.
  if (told.kind === 'hasty' && isFalse && isAfter) return;
  if (taken.some((one) => one.what === 'given' && one.groupId === groupId && one.isFalse)) return;
  violations.push(
    `(${told.kind === 'hasty' ? 'b' : 'a'}) “${leak.text}” of ${groupId} version ${leak.gkVersion} can be opened, ${leak.kind}, ${where}`,
  );
}

const isOf = (colluder: Attackers['colluder'], key: string | null) =>
  colluder !== null && key !== null && key.startsWith(colluder.userId);

/** The colluder is a member there; or L1: the browser was shown neither record nor list newer than his membership. */
function isLegitimate({ past, attackers, decisions, browsers }: Case, groupId: string, leak: Leak): boolean {
  const { colluder } = attackers;
  if (colluder === null) return false;
  const group = past.groups.find(({ id }) => id === groupId);
  const taken = decisions.slice(0, leak.sent.decisions);
  if (group === undefined) {
    // His own group, signed with his own key, which the person had decided.
    return (
      past.groups.some(({ members }) => members.has(colluder.userId)) || taken.some(({ key }) => isOf(colluder, key))
    );
  }
  if (group.members.has(colluder.userId)) return true;
  if (taken.some((one) => one.groupId === groupId && isOf(colluder, one.key))) return true;
  const removedAt = group.lists.findLast(({ content }) =>
    content.members.some(({ userId }) => userId === colluder.userId),
  )?.content.seq;
  if (removedAt === undefined) return false;
  // L1
  const seen = browsers[leak.sent.browser]?.seen.get(groupId) ?? -1;
  return seen <= removedAt;
}
