/** The lies of the generated hostile server (M80), told at a proxy to a real browser. */
import type { GroupAnswer } from '@passwordbroker/core/contract/entities';
import { lied, mutated, type Move, OF_SESSION, withheld } from '../../../client/src/testing/hostile/front.node.ts';
import { answerForTwin, type Lies, type View } from '../../../client/src/testing/hostile/lies.node.ts';
import type { Oracle, Sent } from '../../../client/src/testing/hostile/oracle.node.ts';
import type { KnownPast } from '../../../client/src/testing/hostile/past.node.ts';
import type { Answer, Front, Question } from './hostile-proxy.ts';

const API = /^\/(passwordBroker|identity)\/api\//;
const GROUP = /entryGroups\/([0-9a-f-]{36})/;
const GROUPS = '/passwordBroker/api/entryGroups';

/** Genuine responses by path, oldest first, which the server can replay. */
export type Recorded = Map<string, Answer[]>;

/** Number of ages to choose from in the recorded answers of a path. */
export const AGES = 3;

interface Told {
  readonly past: KnownPast;
  readonly oracle: Oracle;
  readonly lies: Lies;
  readonly moves: readonly Move[];
  readonly recorded: Recorded;
  readonly context: () => Pick<Sent, 'browser' | 'unlock' | 'act' | 'decisions' | 'seen' | 'rows'>;
  /** Called for each falsified response. */
  readonly onLie: (what: string) => void;
}

/** Passes on genuine responses and records them for replays. */
export const recording =
  (recorded: Recorded): Front =>
  async (asked, ask) => {
    const answer = await ask();
    note(recorded, asked, answer);
    return answer;
  };

export function hostileFront({ past, oracle, lies, moves, recorded, context, onLie }: Told): Front {
  let answers = 0;
  const olderOf = (path: string, age: number): Answer | undefined => {
    const all = recorded.get(path) ?? [];
    return all[Math.floor((age * all.length) / AGES)];
  };
  const replayed = (drawn: Move | undefined, { method, path }: Question): Answer | undefined => {
    if (drawn === undefined || method !== 'GET') return undefined;
    if (drawn.kind === 'older') return olderOf(path, drawn.pick % AGES);
    if (drawn.kind !== 'other object') return undefined;
    const other = past.groups[drawn.pick % past.groups.length]?.id ?? '';
    const elsewhere = path.replace(GROUP, `entryGroups/${other}`);
    return elsewhere === path ? undefined : recorded.get(elsewhere)?.at(-1);
  };
  return async (asked, ask) => {
    const { method, path } = asked;
    if (!API.test(path)) return ask();
    if (method !== 'GET') oracle.hear({ method, path, body: await bodyOf(asked), ...context() });
    const isOfSession = OF_SESSION.test(path);
    const drawn = isOfSession ? undefined : moves.find(({ at }) => at === answers);
    answers += 1;
    if (drawn?.kind === 'withhold') {
      onLie('withheld');
      return withheldAnswer(drawn.how);
    }
    const groupId = GROUP.exec(path)?.[1] ?? '';
    const twin = lies.views.find((view) => view.twinOf !== null && view.groupId === groupId);
    if (twin !== undefined) {
      onLie('twin');
      return toldOfTwin(twin, asked, ask);
    }
    const ofRecord = lies.record === 'older' && path.includes('/keyBundle') ? 0 : undefined;
    const age = method === 'GET' && !isOfSession ? (lies.allOlder ?? lies.older.get(groupId) ?? ofRecord) : undefined;
    const replay = replayed(drawn, asked) ?? (age === undefined ? undefined : olderOf(path, age));
    const answer = replay ?? (await ask());
    if (replay === undefined) note(recorded, asked, answer);
    else onLie('replayed');
    if (!isJson(answer)) return answer;
    const truth: unknown = JSON.parse(answer.bytes.toString());
    let body = lied(lies, past, method, path, truth);
    if (drawn?.kind === 'mutate') body = mutated(body, drawn.pick, drawn.how);
    if (JSON.stringify(body) !== JSON.stringify(truth)) onLie('changed');
    const isWiping = drawn?.kind === 'wipe';
    if (isWiping) onLie('wiped');
    return answerOf(answer.status, body, {
      ...answer.headers,
      ...(isWiping ? { 'clear-site-data': '"storage"' } : {}),
    });
  };
}

async function toldOfTwin(view: View, { method, path }: Question, ask: Parameters<Front>[1]): Promise<Answer> {
  const original = view.twinOf?.id ?? '';
  const [envelope] = view.envelopes.values();
  if (method !== 'GET') {
    if (!path.endsWith('/wraps') || envelope === undefined) return answerOf(500, { code: 'internal', message: 'x' });
    const { entry_id, field_id, rev, type, gk_version, cek_wrapped_base64 } = envelope;
    return answerOf(200, {
      gk_version: 1,
      rows: [{ entry_id, field_id, rev, type, gk_version, cek_wrapped_base64 }],
    });
  }
  const honest = await ask(path.replaceAll(view.groupId, original));
  const group = await ask(`${GROUPS}/${original}`);
  const row = isJson(group) ? (JSON.parse(group.bytes.toString()) as GroupAnswer).entryGroup : null;
  const own = row === null ? null : answerForTwin(view, path, row);
  if (own !== null) return answerOf(200, own);
  if (!isJson(honest)) return honest;
  return answerOf(honest.status, JSON.parse(honest.bytes.toString().replaceAll(original, view.groupId)));
}

function withheldAnswer(how: number): Answer | null {
  try {
    const { status, headers, bytes } = withheld(how);
    return { status, headers: headers as Answer['headers'], bytes: Buffer.from(bytes) };
  } catch {
    return null;
  }
}

function note(recorded: Recorded, { method, path }: Question, answer: Answer) {
  if (method !== 'GET' || !API.test(path) || OF_SESSION.test(path) || !isJson(answer)) return;
  const { 'set-cookie': _, ...headers } = answer.headers;
  recorded.set(path, [...(recorded.get(path) ?? []), { ...answer, headers }]);
}

const isJson = ({ status, headers }: Answer) =>
  status < 300 && status !== 204 && String(headers['content-type']).startsWith('application/json');

function answerOf(status: number, body: unknown, headers: Answer['headers'] = {}): Answer {
  const bytes = Buffer.from(JSON.stringify(body));
  return { status, headers: { ...headers, 'content-type': 'application/json; charset=utf-8' }, bytes };
}

/** JSON, or the JSON part of a form. */
async function bodyOf({ body, headers }: Question): Promise<unknown> {
  try {
    return JSON.parse(body.toString());
  } catch {
    // It may be a form.
  }
  try {
    const type = headers['content-type'] ?? '';
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
    const batch = form.get('batch');
    return JSON.parse(batch instanceof Blob ? await batch.text() : String(batch));
  } catch {
    return null;
  }
}
