/**
 * Random changes of rows with an attacker's material, followed by random calls of an honest script
 * (T121).
 */
import { expect } from 'vitest';
import type { TestApp } from '../../testing/test-app.ts';
import { Attacker } from './changed-rows.ts';
import { SCRIPT_ACTS, sceneMaker, type ScriptAct, type TrustScene } from './trust-scene.ts';

/** Numbers in [0, 1) that follow from a seed (mulberry32). */
export function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Drawn {
  readonly attacker: Attacker;
  readonly scene: TrustScene;
  /** One of the scene's groups. */
  readonly g: string;
  readonly older: { readonly n: number; readonly blob: Buffer };
  readonly lure: string;
  readonly draw: <T>(choices: readonly T[]) => T;
}

export const CHANGES: Readonly<Record<string, (drawn: Drawn) => Promise<unknown>>> = {
  key: ({ attacker, scene, draw }) => attacker.exchangeKey(draw([scene.bob, scene.carol]).userId),
  'planted value': ({ attacker, scene, draw }) => attacker.plantValue(scene.group, scene.ada, draw([0, 1, 2, 3, 9])),
  'hidden lists': ({ attacker, g, scene, draw }) => attacker.hideLists(g, draw([null, scene.ada])),
  'member row': ({ attacker, g }) => attacker.addRowOf(g, attacker.ghost.userId),
  'ghost list': ({ attacker, g }) => attacker.appendGhost(g),
  'ghost rotation': ({ attacker, g, scene, draw }) => attacker.rotate(g, scene.ada, draw(['next', 'gap', 'anew'])),
  'dropped list': ({ attacker, g }) => attacker.dropNewestList(g),
  journal: ({ attacker, scene, lure, draw }) => attacker.nameOrigin(scene.moved, draw([lure, scene.group.g])),
  grant: ({ attacker, g, scene, draw }) => {
    const version = draw([1, 2, 3]);
    return attacker.grant(g, { person: scene.ada, version, secret: attacker.makeSecret(g, version) });
  },
  name: ({ attacker, g, scene, draw }) => attacker.rename(g, draw(['Known', 'Elsewhere']), draw([null, scene.other.g])),
  version: ({ attacker, g, draw }) => attacker.setVersion(g, draw([1, 2, 3])),
  'no record': ({ attacker, scene }) => attacker.putDocument(scene.ada.userId, null),
  'older record': ({ attacker, scene, older }) => attacker.putDocument(scene.ada.userId, older),
  'record of another': async ({ attacker, scene }) => {
    const own = await attacker.document(scene.bob.userId);
    await attacker.putDocument(scene.ada.userId, own ?? null);
  },
};

/**
 * Each run: one scene, an honest rotation or none, one to five changes, three to six calls. A
 * failure names what was drawn.
 */
export async function runRandomChanges(app: TestApp, { runs, seed }: { runs: number; seed: number }): Promise<void> {
  const scenes = await sceneMaker(app);
  const mallory = await app.signUp('mallory');
  const attacker = await Attacker.of(app, mallory.userId);
  await attacker.dropChecks();
  const lured = await scenes.make();
  const lure = lured.group.g;
  await attacker.rotate(lure, lured.ada, 'anew');
  for (let run = 0; run < runs; run += 1) {
    const chance = chanceOf(seed + run);
    const draw = <T>(choices: readonly T[]): T => choices[Math.floor(chance() * choices.length)] as T;
    const scene = await scenes.make();
    const { ada, bob, carol } = scene;
    const older = await attacker.document(ada.userId);
    if (older === undefined) throw new Error('Ada has no record');
    if (draw([true, false])) await scenes.act(scene, 'rotate');
    const kept = await keep(app, attacker, [ada.userId, bob.userId, carol.userId], ada.userId);
    const log: string[] = [`seed ${seed + run}`];
    for (let left = draw([1, 1, 1, 2, 2, 3, 4, 5]); left > 0; left -= 1) {
      const name = draw(Object.keys(CHANGES));
      log.push(name);
      await CHANGES[name]?.({
        attacker,
        scene,
        lure,
        older,
        draw,
        g: draw([scene.group.g, scene.group.g, scene.other.g]),
      });
    }
    const acts: ScriptAct[] = draw([[], [1], [1, 2], [1, 2, 3]]).map(() => draw(SCRIPT_ACTS));
    // Every run seals and wraps at the end.
    for (const act of [...acts, 'write', 'rotate', 'write'] as const) {
      const answer = await scenes.act(scene, act);
      log.push(`${act} ${answer.status}`);
      expect([log, answer.status < 500 || isBlocked(act, log)], answer.text).toEqual([log, true]);
    }
    const told = (await attacker.readable()).filter((value) => scenes.secrets.has(value));
    expect([log, told]).toEqual([log, []]);
    await kept();
  }
}

/** A planted grant of the next version blocks a rotation, which then changes nothing. */
const isBlocked = (act: ScriptAct, log: readonly string[]) =>
  act === 'rotate' && (log.includes('grant') || log.includes('planted value'));

/** Restores what all scenes share: present keys, and the record of the person whose scripts run. */
export async function keep(app: TestApp, attacker: Attacker, people: readonly string[], owner: string) {
  const rows = await app.deps.db.read
    .selectFrom('user_keysets')
    .select(['user_id', 'fpr'])
    .where('user_id', 'in', people)
    .execute();
  const document = await attacker.document(owner);
  return async () => {
    await app.deps.db.transact(async (tx) => {
      for (const { user_id, fpr } of rows) {
        await tx.updateTable('user_keysets').set({ fpr }).where('user_id', '=', user_id).execute();
      }
    });
    // Trust accepted in this scene concerns its own groups only.
    await attacker.putDocument(owner, document ?? null);
  };
}
