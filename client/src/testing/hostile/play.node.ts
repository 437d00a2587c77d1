/** Plays one history of the hostile server (M80) and lists what must not have happened. */
import { readDocument } from '@passwordbroker/core/contract/account/own-keys';
import { AppError } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { KeyBundle, RosterAnswer } from '@passwordbroker/core/contract/entities';
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
import { Front, type FrontOptions } from './front.node.ts';
import { prepareLies, type View } from './lies.node.ts';
import { createOracle } from './oracle.node.ts';
import { type Decision, Nothing, perform, type Revelation, type Scene } from './person.node.ts';
import type { Past } from './past.node.ts';
import { AnswerError } from '../../transport/answers.ts';
import { NetworkError } from '../../transport/exchange.ts';
import type { History } from './history.node.ts';
import { checkUnasked, judge, type KnownLists, listsIn, valuesOf } from './violations.node.ts';

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
