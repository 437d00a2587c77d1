/**
 * People and groups whose rows an attacker changes, and the calls of the owner's scripts with a
 * master password (T120, T121).
 */
import type { Role } from '@passwordbroker/core/domain/policy';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import type { TestAnswer } from '../../testing/test-client.ts';
import { fieldsPath, scriptOf } from './script.ts';

const BASE = '/passwordBroker/api';

export interface TrustScene {
  readonly ada: SignedIn;
  readonly bob: SignedIn;
  readonly carol: SignedIn;
  /** Ada's group with Bob as moderator, an entry and a note. */
  readonly group: { readonly g: string; readonly e: string; readonly f: string };
  /** Another group of Ada's. */
  readonly other: { readonly g: string; readonly e: string };
  /** A move from `group` to `other` that can be undone. */
  readonly moved: string;
}

export type ScriptAct = 'reveal' | 'write' | 'change' | 'add' | 'role' | 'rotate' | 'child' | 'move' | 'undo' | 'sign';
export const SCRIPT_ACTS: readonly ScriptAct[] = [
  ...(['reveal', 'write', 'change', 'add', 'role', 'child', 'move', 'undo', 'sign', 'rotate'] as const),
];

export interface SceneMaker {
  /** Makes groups with unique names. Ada's record knows all of them, and the keys of Bob and Carol. */
  make(): Promise<TrustScene>;
  act(scene: TrustScene, act: ScriptAct): Promise<TestAnswer>;
  /** Everything that was written as a value. */
  readonly secrets: ReadonlySet<string>;
}

export async function sceneMaker(app: TestApp): Promise<SceneMaker> {
  const [ada, bob, carol] = [await app.signUp('ada'), await app.signUp('bob'), await app.signUp('carol')];
  const script = scriptOf(ada, ada);
  const secrets = new Set<string>();
  const newSecret = () => {
    const secret = `secret ${app.deps.newId()}`;
    secrets.add(secret);
    return secret;
  };
  const write = (place: { g: string; e: string }) => script.createField(place, { type: 'note', value: newSecret() });
  const post = (path: string, more: object, method = 'POST') =>
    ada.request({ method, path: `${BASE}/${path}`, json: { master_password: ada.masterPassword, ...more } });
  const add = (g: string, person: SignedIn, role: Role) =>
    post(`entryGroups/${g}/users`, { target_user_id: person.userId, role });
  const known = await script.createGroup('Known');
  await done(add(known, carol, 'member'));

  return {
    secrets,
    async make() {
      const g = await script.createGroup(`Group ${app.deps.newId()}`);
      await done(add(g, bob, 'moderator'));
      const e = await script.createEntry(g, 'Entry');
      const field = await done(write({ g, e }));
      const other = await script.createGroup(`Other ${app.deps.newId()}`);
      const otherEntry = await script.createEntry(other, 'Entry');
      const wanderer = await script.createEntry(g, 'Wanderer');
      await done(write({ g, e: wanderer }));
      const move = await done(
        post(`entryGroups/${g}/entries/bulkEdit/move`, { entries: [wanderer], entryGroupTarget: other }),
      );
      return {
        ada,
        bob,
        carol,
        group: { g, e, f: field.json<{ field_id: string }>().field_id },
        other: { g: other, e: otherEntry },
        moved: String(move.headers['x-operation-id']),
      };
    },
    async act({ group: { g, e, f }, other, moved }, act) {
      switch (act) {
        case 'reveal':
          return script.decrypt({ g, e, f });
        case 'write':
          return write({ g, e });
        case 'change':
          return post(`${fieldsPath({ g, e }).slice(BASE.length + 1)}/${f}`, { value: newSecret() }, 'PUT');
        case 'add':
          return add(g, carol, 'member');
        case 'role':
          return add(g, bob, 'member');
        case 'rotate':
          return post(`entryGroups/${g}/rotate`, {});
        case 'sign':
          return post(`entryGroups/${g}/roster`, {});
        case 'child':
          return post('entryGroups', { name: 'Child', parent_entry_group_id: g, same_members_as_parent: true });
        case 'move':
          return post(`entryGroups/${other.g}/entries/bulkEdit/move`, { entries: [other.e], entryGroupTarget: g });
        case 'undo':
          return post(`operations/${moved}/undo`, {});
      }
    },
  };
}

async function done(answering: Promise<TestAnswer>): Promise<TestAnswer> {
  const answer = await answering;
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}
