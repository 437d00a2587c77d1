/** Plays one generated history of the hostile server (M80): a few unlocks in a few browsers, checked by the oracle. */
import fc from 'fast-check';
import { readDocument } from '@passwordbroker/core/contract/account/own-keys';
import { AppError } from '@passwordbroker/core/contract/problem';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { unwrapGroupSecret } from '@passwordbroker/core/domain/groups/grants';
import type { KeyBundle, RosterAnswer } from '@passwordbroker/core/contract/entities';
import { hashRoster, readRoster } from '@passwordbroker/core/domain/rosters/roster';
import { mergeTrust } from '@passwordbroker/core/domain/trust/merge-trust';
import { decidedKeysOf, readTrustRecord, type TrustRecord } from '@passwordbroker/core/domain/trust/trust-record';
import { openDocument } from '@passwordbroker/core/domain/keyring/documents';
import type { TestAnswer } from '../../../../server/src/testing/test-client.ts';
import { KeyringError } from '../../keyring/keyring-error.ts';
import { ownCopyOf, type DeviceStore } from '../../keyring/trust/own-copy.ts';
import { onlineVault } from '../../vault/online.ts';
import type { Vault } from '../../vault/vault.ts';
import { vaultOf } from '../real-vault.node.ts';
import { emptyDevice, deviceStoreInMemory, type StoredRecords } from '../device-store-in-memory.ts';
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
import { AnswerError } from '../../transport/answers.ts';
import { NetworkError } from '../../transport/exchange.ts';

interface Unlock {
  readonly browser: number;
  readonly lies: readonly Lie[];
  readonly moves: readonly Move[];
  readonly acts: readonly Act[];
  /** Whether the storage of the browser is deleted before the unlock. */
  readonly isWiped: boolean;
  /** Whether the page stays open until the trust record is written. */
  readonly isSynced: boolean;
}

export interface History {
  readonly kind: Kind;
  readonly hasColluder: boolean;
  /** Content of each browser's device store: of the end or the middle of the past, or nothing. */
  readonly browsers: readonly ('full' | 'half' | 'none')[];
  readonly unlocks: readonly Unlock[];
  /** Whether the server is honest in the end and all browsers unlock again (`honestHour`). */
  readonly isSettled: boolean;
}

/** True once in `times` draws; shrinks to false. */
const rarely = (times: number) => fc.nat({ max: times - 1 }).map((drawn) => drawn === times - 1);

const unlock: fc.Arbitrary<Unlock> = fc.record({
  browser: fc.nat({ max: 2 }),
  lies: fc.array(lie, { maxLength: 3 }),
  moves: fc.array(move, { maxLength: 2 }),
  acts: fc.array(act, { maxLength: 3 }),
  isWiped: rarely(5),
  isSynced: rarely(3),
});

/** Restricts generated histories; without it anything is drawn. */
export interface Aim {
  readonly kind?: Kind;
  readonly hasColluder?: boolean;
  readonly lies?: readonly Lie['kind'][];
  readonly by?: Lie['by'];
  readonly acts?: readonly Act['what'][];
}

export const historiesOf = ({ kind, hasColluder, lies, by, acts }: Aim = {}): fc.Arbitrary<History> =>
  fc.tuple(history, fc.nat({ max: 1_000 })).map(([told, drawn]) => ({
    ...told,
    kind: kind ?? told.kind,
    hasColluder: hasColluder ?? told.hasColluder,
    unlocks: told.unlocks.map((one, index) => ({
      ...one,
      lies: one.lies.map((lied, at) => ({
        ...lied,
        kind: lies?.[(drawn + index + at) % lies.length] ?? lied.kind,
        by: by ?? lied.by,
      })),
      acts: one.acts.map((done, at) => ({ ...done, what: acts?.[(drawn + at) % acts.length] ?? done.what })),
    })),
  }));

export const history: fc.Arbitrary<History> = fc.record({
  kind: fc.constantFrom('never', 'careful', 'hasty'),
  hasColluder: fc.boolean(),
  browsers: fc.array(fc.constantFrom('full', 'half', 'none'), { minLength: 1, maxLength: 3 }),
  unlocks: fc
    .tuple(fc.constantFrom(2, 2, 2, 2, 2, 3, 3, 4, 5, 6), fc.array(unlock, { minLength: 6, maxLength: 6 }))
    .map(([count, all]) => all.slice(0, count)),
  isSettled: rarely(8),
});

export interface Told {
  readonly violations: readonly string[];
  /** Number of operations that succeeded; without any a history proves nothing. */
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
  const trusted = await storedRecord(past);
  const accepted = {
    groups: new Set(Object.keys(trusted.groups)),
    decided: new Set(Object.keys(trusted.users).filter((userId) => decidedKeysOf(trusted, userId).length > 0)),
  };
  const oracle = createOracle(past, attackers);
  const cache = new Map<string, TestAnswer>();
  const twins = new Map<string, View>();
  const violations: string[] = [];
  const decisions: Decision[] = [];
  const revelations: (Revelation & { readonly decisions: number })[] = [];
  const browsers = told.browsers.map((memory) => ({
    deviceStore: memory === 'none' ? emptyDevice() : structuredClone(past.memories[memory]),
    /** Highest sequence number shown of each group, by any answer. */
    seen: new Map<string, number>(),
  }));
  const lists: KnownLists = new Map();
  await listsIn(
    lists,
    past.groups.flatMap((group) => group.lists.map(({ wire }) => wire.roster_base64)),
  );
  /** Decisions that were only in a browser whose storage was deleted: the server had not stored them. */
  const gone = new Set<Decision>();
  const noteGone = async (browser: number) => {
    const made = decisions.filter(({ unlock }) => told.unlocks[unlock]!.browser % browsers.length === browser);
    if (!told.isSettled || made.length === 0) return;
    const record = await storedRecord(past);
    for (const decision of made) if (!holds(record, decision)) gone.add(decision);
  };
  let texts = 0;
  let done = 0;
  let tried = 0;
  try {
    for (const [index, one] of told.unlocks.entries()) {
      const at = one.browser % browsers.length;
      const browser = browsers[at]!;
      if (one.isWiped) {
        await noteGone(at);
        wipe(browser.deviceStore);
        browser.seen.clear();
      }
      let isForgotten = false;
      let rows: ReadonlySet<string> = new Set();
      const lies = await prepareLies(past, attackers, one.lies, twins);
      const state = { act: null as string | null };
      let bundle: KeyBundle | null = null;
      const options: FrontOptions = {
        past,
        oracle,
        lies,
        moves: one.moves,
        cache,
        context: () => ({
          browser: at,
          unlock: index,
          act: state.act,
          decisions: decisions.length,
          seen: new Map(browser.seen),
          rows,
        }),
        wipe() {
          wipe(browser.deviceStore);
          isForgotten = true;
        },
        onShown(path, body) {
          noteShown(browser.seen, path, body);
          if (/\/keyBundle(\?|$)/.test(path)) bundle = body as KeyBundle;
        },
      };
      const front = new Front(past.victim, options);
      const device = deviceStoreOfPage(browser.deviceStore);
      const real = vaultOf(front, onlyTab(), device.deviceStore);
      const vault = onlineVault(real.http, real.keyring, { onKeptUp: () => undefined });
      try {
        const sentBefore = oracle.sent.length;
        const known =
          (await ownCopyOf(past.victim.keyring, deviceStoreInMemory(browser.deviceStore)).read())?.record ?? null;
        await real.keyring.unlock(past.victim.masterPassword);
        await settled(front, vault);
        const before = await withShown(past, known, bundle);
        for (const [groupId, { heads }] of Object.entries(before?.groups ?? {}))
          noteSeen(browser.seen, groupId, Math.max(...Object.values(heads).map(([seq]) => seq)));
        rows = new Set(Object.keys(before?.groups ?? {}));
        const unasked = oracle.sent.slice(sentBefore).filter(({ unlock: one }) => one === index);
        violations.push(...(await checkUnasked(past, unasked, known === null ? null : before, lists)));
        const scene: Scene = {
          past,
          attackers,
          kind: told.kind,
          lied: [...lies.views.map(({ groupId }) => groupId), ...lies.older.keys()],
          vault,
          decide(decision) {
            const taken: Decision = { ...decision, unlock: index, isTaken: false };
            decisions.push(taken);
            return taken;
          },
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
        // Writes the record now, as the client's timer would later.
        if (one.isSynced) await vault.write?.trust?.recordWords();
      } catch (failure) {
        if (!isExpected(failure)) violations.push(`unexpected: ${String(failure)} ${(failure as Error).stack ?? ''}`);
      } finally {
        real.keyring.lock();
        device.close();
      }
      if (isForgotten) {
        await noteGone(at);
        browser.seen.clear();
      }
      await listsIn(lists, [
        ...oracle.sent.flatMap(({ body }) => valuesOf(body, 'roster_base64')),
        ...lies.views.flatMap((view) => view.lists ?? []).map(({ roster_base64 }) => roster_base64),
      ]);
    }
    const left = decisions.filter((decision) => !gone.has(decision));
    if (told.isSettled) violations.push(...(await honestHour({ past, browsers, decisions: left })));
    const leaks = await oracle.leaks();
    for (const leak of leaks) judge({ past, accepted, attackers, told, decisions, twins }, leak, violations);
    for (const { groupId, text, isConfirmed, decisions: known } of revelations) {
      const isForged = text.startsWith('evil');
      const isExcused = told.hasColluder || decisions.slice(0, known).some(({ isFalse }) => isFalse);
      if (isForged && isConfirmed && !isExcused)
        violations.push(`(e) a forged value in the confirmed group ${groupId}`);
    }
    return { violations, done, tried, leaks: leaks.length };
  } finally {
    // Also without a write, because the server counts how often keys are handed out.
    await past.restore();
  }
}

interface Hour {
  readonly past: Past;
  readonly browsers: readonly { readonly deviceStore: StoredRecords }[];
  readonly decisions: readonly Decision[];
}

/** (f): when all answers are honest, all browsers reach the same judgements in the end, and no decision is lost. */
async function honestHour({ past, browsers, decisions }: Hour): Promise<string[]> {
  let states: string[] = [];
  const violations: string[] = [];
  const lost = new Set<string>();
  // In the first round each browser writes its record, in the second each reads the merged one.
  for (const round of [1, 2]) {
    states = [];
    for (const { deviceStore } of browsers) {
      const device = deviceStoreOfPage(deviceStore);
      const real = vaultOf(past.victim, onlyTab(), device.deviceStore);
      try {
        await real.keyring.unlock(past.victim.masterPassword);
        for (const { id } of past.groups) await real.vault.read.examine(id).catch(() => undefined);
        await real.vault.write?.trust?.recordWords().catch(() => undefined);
        // Open groups again, because another browser may have changed the record.
        for (const { id } of past.groups) await real.vault.read.examine(id).catch(() => undefined);
        const state = real.vault.trust?.account()?.state;
        const judged = past.groups.map(({ id }) => JSON.stringify(real.vault.trust?.details(id)?.trust ?? null));
        states.push(`${state === 'behind' ? 'sound' : state}: ${judged.join(', ')}`);
        if (round === 2 && state === 'sound')
          for (const one of await lostDecisions(real, past, decisions)) lost.add(one);
      } finally {
        real.keyring.lock();
        device.close();
      }
    }
  }
  if (new Set(states).size > 1) violations.push(`(f) browsers differ after an honest hour: ${states.join(' | ')}`);
  return [...violations, ...[...lost].map((one) => `(f) a decision is lost: ${one}`)];
}

/** The trust record that the real server has. */
async function storedRecord({ victim }: Past): Promise<TrustRecord> {
  const { version: n, blob_base64 } = await victim.call(readDocument, { params: { name: 'trust' } });
  return openDocument(victim.keyring, { name: 'trust', n }, blob_base64, readTrustRecord);
}

function holds(record: TrustRecord, { what, key }: Decision): boolean {
  if (what !== 'key' || key === null) return false;
  const [userId = '', fingerprint = ''] = key.split(' ');
  return decidedKeysOf(record, userId).includes(fingerprint);
}

/** Decisions about true keys that the record lacks, unless a later decision about the same person followed. */
async function lostDecisions({ vault }: { readonly vault: Vault }, past: Past, decisions: readonly Decision[]) {
  const lost: string[] = [];
  if (decisions.some(({ what }) => what === 'record')) return lost;
  for (const person of past.people) {
    const last = decisions.findLast(({ what, key }) => what === 'key' && key?.startsWith(person.userId) === true);
    if (last === undefined || last.isFalse || !last.isTaken || person === past.victim) continue;
    const { state } = await vault.read.keyTrust({ userId: person.userId, name: person.name });
    if (state !== 'trusted') lost.push(`${person.name}: ${state}`);
  }
  return lost;
}

/** A device store that ignores writes after `close`: a closed page's worker continues here, but not in a browser. */
function deviceStoreOfPage(content: StoredRecords): { readonly deviceStore: DeviceStore; close(): void } {
  const deviceStore = deviceStoreInMemory(content);
  let isClosed = false;
  return {
    deviceStore: { ...deviceStore, replaceRecord: async (...row) => isClosed || deviceStore.replaceRecord(...row) },
    close() {
      isClosed = true;
    },
  };
}

function wipe(deviceStore: StoredRecords) {
  for (const kept of Object.values(deviceStore) as { clear(): void }[]) kept.clear();
}

/** Waits until no request is under way. */
async function settled(front: Front, vault: Vault): Promise<void> {
  for (let quiet = 0, turns = 0; quiet < 3 && turns < 3_000; turns += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const isRotating = vault.rotations.list().some(({ state }) => state === 'waiting' || state === 'running');
    quiet = front.busy === 0 && !isRotating ? quiet + 1 : 0;
  }
}

/** Whether the client may fail with this error because of a server's answers. */
const isExpected = (failure: unknown): boolean =>
  failure instanceof KeyringError ||
  failure instanceof AppError ||
  failure instanceof CryptoError ||
  failure instanceof AnswerError ||
  failure instanceof NetworkError ||
  failure instanceof Nothing ||
  (failure instanceof DOMException && failure.name === 'AbortError');

const noteSeen = (seen: Map<string, number>, groupId: string, seq: number) =>
  void seen.set(groupId, Math.max(seen.get(groupId) ?? -1, seq));

function noteShown(seen: Map<string, number>, path: string, body: unknown) {
  if (!/\/rosters?(\?|$)/.test(path)) return;
  const answers = path.includes('/rosters') ? ((body as { rosters?: RosterAnswer[] } | null)?.rosters ?? []) : [body];
  for (const answer of answers as (RosterAnswer | null)[]) {
    for (const one of Array.isArray(answer?.rosters) ? answer.rosters : []) {
      if (typeof one?.seq !== 'number') continue;
      noteSeen(seen, answer!.entry_group_id, one.seq);
    }
  }
}

/** Members of all lists by hash: honest lists, forged ones, and those that clients have sent. */
type KnownLists = Map<string, { readonly groupId: string; readonly members: ReadonlySet<string> }>;

async function listsIn(lists: KnownLists, rosters: readonly string[]) {
  for (const base64 of rosters) {
    try {
      const bytes = decodeBase64(base64);
      const { groupId, members } = readRoster(bytes);
      lists.set(await hashRoster(bytes), { groupId, members: new Set(members.map(({ userId }) => userId)) });
    } catch {
      // Not a list.
    }
  }
}

/** (c): without a person, keys are wrapped only by a browser with memory, for members of the list that it had accepted before the unlock. */
async function checkUnasked(past: Past, sent: readonly Sent[], before: TrustRecord | null, lists: KnownLists) {
  const violations: string[] = [];
  for (const one of sent) {
    const groupId = /entryGroups\/([0-9a-f-]{36})/.exec(one.path)?.[1] ?? '';
    const heads = Object.keys(before?.groups[groupId]?.heads ?? {});
    for (const base64 of valuesOf(one.body, 'encrypted_aes_password')) {
      const reader = await readerOf(past, base64);
      const isKnown = heads.some((hash) => lists.get(hash)?.members.has(reader ?? '') === true);
      if (!isKnown)
        violations.push(
          `(c) ${one.method} ${one.path} wraps unasked for ${reader ?? 'nobody known'}, unlock ${one.unlock}, heads ${heads.map((h) => `${h.slice(0, 8)}:${lists.has(h)}`).join()} memory ${before !== null} ${past.groups.find(({ id }) => id === groupId)?.name}`,
        );
    }
  }
  return violations;
}

/** The browser's record, merged with the one that the server showed at the unlock. */
async function withShown(past: Past, known: TrustRecord | null, bundle: KeyBundle | null): Promise<TrustRecord | null> {
  const document = Array.isArray(bundle?.documents) ? bundle.documents.find(({ name }) => name === 'trust') : undefined;
  if (document === undefined || document.blob_base64 === null) return known;
  try {
    const place = { name: 'trust', n: document.version } as const;
    const shown = await openDocument(past.victim.keyring, place, document.blob_base64, readTrustRecord);
    return known === null ? shown : mergeTrust(known, shown);
  } catch {
    return known;
  }
}

/** All texts of members with this name in the body, at any depth. */
function valuesOf(body: unknown, name: string): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, inner]) =>
    key === name && typeof inner === 'string' ? [inner] : valuesOf(inner, name),
  );
}

async function readerOf({ people }: Past, base64: string): Promise<string | null> {
  for (const { userId, keyring } of people) {
    try {
      await unwrapGroupSecret(keyring, decodeBase64(base64));
      return userId;
    } catch {
      // Wrapped for another key.
    }
  }
  return null;
}

interface Case {
  readonly past: Past;
  /** The victim's record after the past: groups with an accepted list, people with a decided key. */
  readonly accepted: { readonly groups: ReadonlySet<string>; readonly decided: ReadonlySet<string> };
  readonly attackers: Attackers;
  readonly told: History;
  readonly decisions: readonly Decision[];
  /** Invented groups. */
  readonly twins: ReadonlyMap<string, View>;
}

/** (a), (b), (d): adds a violation if the attackers must not be able to open this. */
function judge(scene: Case, leak: Leak, violations: string[]) {
  const { past, attackers, told, decisions } = scene;
  const taken = decisions.slice(0, leak.sent.decisions);
  const where = `unlock ${leak.sent.unlock}, browser ${leak.sent.browser}, ${leak.sent.act ?? 'unasked'}: ${leak.sent.method} ${leak.sent.path}`;
  const { colluder } = attackers;
  const isFalse = taken.some((one) => one.isFalse);
  // An added member reads everything in the group, also older values.
  const isGiven = (groupId: string) =>
    decisions.some(
      (one) => one.what === 'given' && one.groupId === groupId && (one.isFalse || isOf(colluder, one.key)),
    );
  if (leak.kind === 'secret') {
    const [groupId = ''] = leak.place.split(' ');
    if (isGiven(groupId) || isLegitimate(scene, groupId, leak)) return;
    violations.push(`(a) the secret of ${leak.place} is wrapped for attackers, ${where}`);
    return;
  }
  const { groupId } = leak;
  if (isGiven(groupId)) return;
  if (colluder !== null) {
    const held = past.held(colluder.userId);
    const knew = past.revisions.some(
      (one) => `${one.fieldId} ${one.rev}` === leak.piece && held.has(`${one.groupId} ${one.gkVersion}`),
    );
    if (leak.kind === 'rewrap' && knew) return;
    if (isLegitimate(scene, groupId, leak)) return;
  }
  const isMove = leak.sent.path.includes('/bulkEdit/move') || leak.sent.path.includes('/undo');
  const isAfter = leak.kind === 'new' || isMove;
  // After a hasty person confirms a false key, values that are written or moved there later are readable.
  if (told.kind === 'hasty' && isFalse && isAfter) return;
  violations.push(
    `(${told.kind === 'hasty' ? 'b' : 'a'}) “${leak.text}” of ${groupId} version ${leak.gkVersion} can be opened, ${leak.kind}, ${where}`,
  );
}

const isOf = (colluder: Attackers['colluder'], key: string | null) =>
  colluder !== null && key !== null && key.startsWith(colluder.userId);

/**
 * Whether the colluder is a member there, or signed the first list that the account saw of the group, or limit L1
 * applies (docs/security.md): the browser was shown no record and no list newer than that membership.
 */
function isLegitimate(scene: Case, groupId: string, leak: Leak): boolean {
  const { past, accepted, attackers, decisions, twins } = scene;
  const { colluder } = attackers;
  if (colluder === null) return false;
  const group = past.groups.find(({ id }) => id === groupId);
  const taken = decisions.slice(0, leak.sent.decisions);
  if (group === undefined) {
    if (taken.some((one) => one.groupId === groupId)) return true;
    // A group at a known path always asks.
    const original = [...twins.values()].find((view) => view.groupId === groupId)?.twinOf?.id;
    if (original !== undefined && leak.sent.rows.has(original)) return false;
    return isColluderKnown(scene, taken);
  }
  if (group.members.has(colluder.userId)) return true;
  if (!accepted.groups.has(groupId) && !leak.sent.rows.has(groupId)) return isColluderKnown(scene, taken);
  if (taken.some((one) => one.groupId === groupId && isOf(colluder, one.key))) return true;
  const removedAt = group.lists.findLast(({ content }) =>
    content.members.some(({ userId }) => userId === colluder.userId),
  )?.content.seq;
  if (removedAt === undefined) return false;
  return (leak.sent.seen.get(groupId) ?? -1) <= removedAt;
}

/**
 * Whether the account trusts the colluder's key, so that it trusts a first list by it: the key is decided, or an
 * accepted group has the colluder as an admin.
 */
const isColluderKnown = ({ past, accepted, attackers: { colluder } }: Case, taken: readonly Decision[]): boolean =>
  colluder !== null &&
  (accepted.decided.has(colluder.userId) ||
    past.groups.some(({ id, members }) => accepted.groups.has(id) && members.get(colluder.userId) === 'admin') ||
    taken.some(({ key }) => isOf(colluder, key)));
