/** The server as one browser sees it: answers are real, older, or forged, and single answers are changed at random. The oracle gets each request that writes. */
import fc from 'fast-check';
import type {
  EntryGroup,
  GroupAnswer,
  GroupUser,
  GroupUserWithCertificate,
  JournalRow,
  KeyBundle,
  RosterAnswer,
  TreeNode,
  Wrap,
} from '@passwordbroker/core/contract/entities';
import type { Certificate } from '@passwordbroker/core/contract/entities';
import { type TestAnswer, TestClient, type TestRequest } from '../../../../server/src/testing/test-client.ts';
import { answerForTwin, type Lies, userRow, type View } from './lies.node.ts';
import type { Oracle, Sent } from './oracle.node.ts';
import type { KnownPast, Past } from './past.node.ts';
import { NetworkError } from '../../transport/exchange.ts';

/** A change of the n-th answer after an unlock. */
export interface Move {
  readonly at: number;
  readonly kind: 'mutate' | 'older' | 'other object' | 'other account' | 'withhold' | 'wipe';
  readonly pick: number;
  readonly how: number;
}

export const move: fc.Arbitrary<Move> = fc.record({
  at: fc.nat({ max: 30 }),
  kind: fc.constantFrom('mutate', 'mutate', 'older', 'other object', 'other account', 'withhold', 'wipe'),
  pick: fc.nat({ max: 10_000 }),
  how: fc.nat({ max: 20 }),
});

export interface FrontOptions {
  readonly past: Past;
  readonly oracle: Oracle;
  readonly lies: Lies;
  readonly moves: readonly Move[];
  /** Cached answers of the real server, cleared by each write. */
  readonly cache: Map<string, TestAnswer>;
  readonly context: () => Pick<Sent, 'browser' | 'unlock' | 'act' | 'decisions' | 'seen' | 'rows'>;
  /** Deletes the storage of the browser. */
  readonly wipe: () => void;
  /** Called with each answer that the browser gets. */
  readonly onShown: (path: string, body: unknown) => void;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Requests of the session, whose answers are never changed. */
export const OF_SESSION = /\/(csrf-cookie|me)$/;
const GROUP = /entryGroups\/([0-9a-f-]{36})/;

export class Front extends TestClient {
  readonly #options: FrontOptions;
  #answers = 0;
  /** Requests under way. */
  busy = 0;

  constructor(session: TestClient, options: FrontOptions) {
    super(() => options.past.app.app);
    for (const [name, value] of session.cookies) this.cookies.set(name, value);
    this.#options = options;
  }

  override async request(request: TestRequest): Promise<TestAnswer> {
    this.busy += 1;
    try {
      return await this.#answer(request);
    } finally {
      this.busy -= 1;
    }
  }

  async #answer(request: TestRequest): Promise<TestAnswer> {
    const { oracle, lies, moves, context, wipe, onShown, past } = this.#options;
    const method = request.method ?? 'GET';
    if (method !== 'GET') oracle.hear({ method, path: request.path, body: await bodyOf(request), ...context() });
    const at = this.#answers;
    this.#answers += 1;
    const drawn = OF_SESSION.test(request.path) ? undefined : moves.find((one) => one.at === at);
    if (drawn?.kind === 'withhold') return withheld(drawn.how);
    if (drawn?.kind === 'wipe') wipe();
    const replayed = drawn === undefined ? null : await this.#replayed(drawn, request, method);
    const answer = replayed ?? (await this.#told(request, method));
    if (!isJson(answer)) return answer;
    let body =
      replayed === null ? lied(lies, past, method, request.path, answer.json<unknown>()) : answer.json<unknown>();
    if (drawn?.kind === 'mutate') body = mutated(body, drawn.pick, drawn.how);
    onShown(request.path, body);
    return answerOf(answer.status, body, {
      ...answer.headers,
      ...(drawn?.kind === 'wipe' ? { 'clear-site-data': '"storage"' } : {}),
    });
  }

  /** The real server, an older one, or one that knows of groups that do not exist. */
  async #told(request: TestRequest, method: string): Promise<TestAnswer> {
    const { lies, past } = this.#options;
    const groupId = GROUP.exec(request.path)?.[1] ?? '';
    const twin = lies.views.find((view) => view.twinOf !== null && view.groupId === groupId);
    if (twin !== undefined) return this.#toldOfTwin(twin, request, method);
    if (lies.isUnremoved && method === 'DELETE' && request.path.includes('/users/')) {
      const [g, u] = request.path.match(UUID) ?? [];
      return answerOf(200, { entry_group_id: g, user_id: u, rotation_due: false });
    }
    const ofRecord = lies.record === 'older' && request.path.includes('/keyBundle') ? 0 : undefined;
    const server = method === 'GET' ? (lies.allOlder ?? lies.older.get(groupId) ?? ofRecord) : undefined;
    const older = server === undefined ? undefined : past.older[server];
    if (older === undefined) return this.#real(request, method);
    return this.#cached(`older ${server} ${request.path}`, () => older.ask(this).request(request));
  }

  async #toldOfTwin(view: View, request: TestRequest, method: string): Promise<TestAnswer> {
    const original = view.twinOf?.id ?? '';
    if (method !== 'GET') {
      const [envelope] = view.envelopes.values();
      if (!request.path.endsWith('/wraps') || envelope === undefined) return answerOf(500, problem('internal'));
      const { entry_id, field_id, rev, type, gk_version, cek_wrapped_base64 } = envelope;
      const rows = [{ entry_id, field_id, rev, type, gk_version, cek_wrapped_base64 }];
      return answerOf(200, { gk_version: 1, rows });
    }
    const honest = await this.#real({ ...request, path: request.path.replaceAll(view.groupId, original) }, 'GET');
    const group = await this.#real({ method: 'GET', path: `/passwordBroker/api/entryGroups/${original}` }, 'GET');
    const own = group.status < 300 ? answerForTwin(view, request.path, group.json<GroupAnswer>().entryGroup) : null;
    if (own !== null) return answerOf(200, own);
    if (!isJson(honest)) return honest;
    return answerOf(honest.status, JSON.parse(honest.text.replaceAll(original, view.groupId)));
  }

  async #real(request: TestRequest, method: string): Promise<TestAnswer> {
    if (method === 'GET') return this.#cached(`real ${request.path}`, () => super.request(request));
    this.#options.cache.clear();
    return super.request(request);
  }

  async #cached(name: string, ask: () => Promise<TestAnswer>): Promise<TestAnswer> {
    const { cache } = this.#options;
    const known = cache.get(name);
    if (known !== undefined) return known;
    const answer = await ask();
    cache.set(name, answer);
    return answer;
  }

  /** An answer to another request, or of another time. */
  async #replayed(drawn: Move, request: TestRequest, method: string): Promise<TestAnswer | null> {
    const { past } = this.#options;
    if (method !== 'GET') return null;
    switch (drawn.kind) {
      case 'older': {
        const index = drawn.pick % past.older.length;
        return this.#cached(`older ${index} ${request.path}`, () => past.older[index]!.ask(this).request(request));
      }
      case 'other object': {
        const other = past.groups[drawn.pick % past.groups.length]?.id ?? '';
        const path = request.path.replace(GROUP, `entryGroups/${other}`);
        return path === request.path ? null : this.#real({ ...request, path }, method);
      }
      case 'other account': {
        const other = past.people[drawn.pick % past.people.length];
        if (other === undefined) return null;
        return this.#cached(`${other.userId} ${request.path}`, () => other.request({ method, path: request.path }));
      }
      case 'mutate':
      case 'withhold':
      case 'wipe':
        return null;
    }
  }
}

async function bodyOf({ raw, json, multipart }: TestRequest): Promise<unknown> {
  if (json !== undefined) return json;
  if (typeof raw === 'string') return parsed(raw);
  const batch = multipart?.get('batch');
  return batch instanceof Blob ? parsed(await batch.text()) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isJson = ({ status, headers }: TestAnswer) =>
  status < 300 && String(headers['content-type'] ?? '').startsWith('application/json');

function answerOf(status: number, body: unknown, headers: TestAnswer['headers'] = {}): TestAnswer {
  const text = JSON.stringify(body);
  return {
    status,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    text,
    bytes: Buffer.from(text),
    json: <T>() => JSON.parse(text) as T,
  };
}

const problem = (code: string) => ({ message: code, code, request_id: 'r' });

export function withheld(how: number): TestAnswer {
  const kinds = [
    () => answerOf(404, problem('not_found')),
    () => answerOf(409, problem('roster_conflict')),
    () => answerOf(409, problem('key_version_conflict')),
    () => answerOf(412, problem('slot_conflict')),
    () => answerOf(500, problem('internal')),
    () => answerOf(200, null),
    () => answerOf(200, {}),
    () => answerOf(200, []),
    () => {
      throw new NetworkError('Failed to fetch');
    },
  ];
  return (kinds[how % kinds.length] ?? kinds[0]!)();
}

/** Applies all lies to an answer. */
export function lied(lies: Lies, past: KnownPast, method: string, path: string, body: unknown): unknown {
  const viewsOf = (groupId: string) => lies.views.filter((view) => view.groupId === groupId);
  const [place = '', query = ''] = path.split('?');
  const groupId = GROUP.exec(place)?.[1] ?? '';
  const roster = (answer: RosterAnswer) => viewsOf(answer.entry_group_id).reduce(shownRoster(query), answer);
  if (place.endsWith('/entryGroupsAsTree')) {
    const { trees } = body as { trees: TreeNode[] };
    return { trees: withTwins(trees, lies) };
  }
  if (place.endsWith('/entryGroups') && method === 'GET') return listed(body as EntryGroup[], lies);
  if (place.endsWith('/roster')) return roster(body as RosterAnswer);
  if (place.endsWith('/rosters')) {
    const { rosters } = body as { rosters: RosterAnswer[] };
    return { rosters: rosters.map(roster) };
  }
  if (place.endsWith('/groupUsers') && method === 'GET') return inMany(body as Many, lies);
  if (place.endsWith('/users') && method === 'GET')
    return withKeys(viewsOf(groupId).reduce(withUsers, body as GroupUserWithCertificate[]), lies);
  if (place.endsWith('/certificate')) {
    const certificate = lies.certificates.get(place.match(UUID)?.[0] ?? '');
    const added = lies.views.flatMap((view) => view.added).find(({ who }) => place.includes(who.userId));
    if (certificate !== undefined) return { certificate, previous: [] };
    return added === undefined ? body : { certificate: added.who.certificate, previous: [] };
  }
  if (place.endsWith('/certificates')) {
    const { certificates } = body as { certificates: Certificate[] };
    return { certificates: certificates.map((one) => lies.certificates.get(one.user_id) ?? one) };
  }
  if (place.endsWith('/operations')) return undone(body, lies, past);
  if (place.endsWith('/envelope')) {
    const field = place.match(UUID)?.[2] ?? '';
    return (
      viewsOf(groupId)
        .find(({ envelopes }) => envelopes.has(field))
        ?.envelopes.get(field) ?? body
    );
  }
  if (place.endsWith('/wraps') || (place.endsWith('/rotate') && method === 'GET')) {
    const forged = viewsOf(groupId).find(({ wrapVersion }) => wrapVersion !== null);
    return forged === undefined ? body : claimed(body as { rows: Wrap[] }, forged);
  }
  if (place.endsWith('/keyBundle') && method === 'GET') return bundled(body as KeyBundle, lies);
  const isGroup = /\/entryGroups\/[0-9a-f-]{36}$/.test(place) && method === 'GET';
  if (isGroup) {
    const answer = body as GroupAnswer;
    return { ...answer, entryGroup: viewsOf(groupId).reduce(rowOf, answer.entryGroup) };
  }
  return body;
}

const shownRoster =
  (query: string) =>
  (answer: RosterAnswer, { lists, change, grants }: View): RosterAnswer => {
    const from = /(?:^|&)from=(\d+)/.exec(query)?.[1];
    const shown =
      lists === null
        ? answer.rosters
        : from === undefined
          ? lists.slice(-1)
          : lists.filter(({ seq }) => seq >= Number(from));
    const versions = new Set(grants.map(({ gk_version }) => gk_version));
    const kept = answer.grants.filter(({ gk_version }) => !versions.has(gk_version));
    return { ...answer, ...change, rosters: shown, grants: [...kept, ...grants] };
  };

const rowOf = (row: EntryGroup, { change, isDue }: View): EntryGroup => ({
  ...row,
  ...change,
  ...(isDue ? { rotation_due: true, role: 'admin' } : {}),
});

function listed(rows: readonly EntryGroup[], { views }: Lies): EntryGroup[] {
  const shown = rows.map((row) => views.filter(({ groupId }) => groupId === row.entry_group_id).reduce(rowOf, row));
  const twins = views.flatMap((view) => {
    const original = rows.find(({ entry_group_id }) => entry_group_id === view.twinOf?.id);
    return original === undefined ? [] : [rowOf({ ...original, entry_group_id: view.groupId }, view)];
  });
  return [...shown, ...twins];
}

const withTwins = (trees: readonly TreeNode[], lies: Lies): TreeNode[] =>
  trees.flatMap((node) => {
    const twins = lies.views.filter(({ twinOf }) => twinOf?.id === node.entry_group_id);
    const shown = { ...node, children: withTwins(node.children, lies) };
    // Before the original, where a person looks first.
    return [...twins.map(({ groupId }) => ({ ...node, entry_group_id: groupId, children: [] })), shown];
  });

const withUsers = (rows: readonly GroupUserWithCertificate[], { groupId, added }: View): GroupUserWithCertificate[] => {
  const ids = new Set(added.map(({ who }) => who.userId));
  const kept = rows.filter(({ user_id }) => !ids.has(user_id));
  // A false key of a listed person keeps the person's name.
  const nameOf = (userId: string) => rows.find(({ user_id }) => user_id === userId)?.user.name;
  const more = added.map((one) => {
    const row = userRow(groupId, one);
    return { ...row, user: { ...row.user, name: nameOf(row.user_id) ?? row.user.name } };
  });
  return [...kept, ...more];
};

const withKeys = (rows: readonly GroupUserWithCertificate[], { certificates }: Lies) =>
  rows.map((row) => ({ ...row, certificate: certificates.get(row.user_id) ?? row.certificate }));

interface Many {
  readonly groups: { entry_group_id: string; users: GroupUser[] }[];
  readonly certificates: Certificate[];
}

function inMany(body: Many, { views, certificates }: Lies): Many {
  const added = views.flatMap((view) => view.added.map(({ who }) => who.certificate));
  return {
    groups: body.groups.map(({ entry_group_id, users }) => ({
      entry_group_id,
      users: views
        .filter(({ groupId }) => groupId === entry_group_id)
        .reduce<GroupUser[]>(
          (rows, view) => [...rows, ...view.added.map((one) => userRow(entry_group_id, one))],
          users,
        ),
    })),
    certificates: [...body.certificates.map((one) => certificates.get(one.user_id) ?? one), ...added],
  };
}

function undone(body: unknown, { undo }: Lies, past: KnownPast): unknown {
  if (undo === null) return body;
  const page = body as { data: JournalRow[] };
  const made: JournalRow = {
    operation_id: '0190a1b2-0000-7000-8000-00000000beef',
    kind: 'move',
    counts: { entry_groups: 0, entries: 1, fields: 1 },
    undo_until: null,
    target_kind: 'entry',
    target_id: past.revisions[0]?.entryId ?? '',
    target_ids: [past.revisions[0]?.entryId ?? ''],
    title: 'Root',
    from: undo.from,
    to: past.revisions[0]?.groupId ?? '',
    created_at: '2026-03-01T09:30:00.000Z',
  };
  const data = page.data.length > 0 ? page.data : [made];
  const changed = data.map((row) => ({
    ...row,
    from: row.kind === 'move' ? undo.from : row.from,
    ...(undo.entryIds === null ? {} : { target_ids: [...undo.entryIds] }),
  }));
  return { ...page, data: changed, total: changed.length };
}

const claimed = (body: { rows: Wrap[] }, { envelopes, wrapVersion }: View) => ({
  ...body,
  rows: body.rows.map((row) => {
    const forged = envelopes.get(row.field_id);
    return {
      ...row,
      gk_version: wrapVersion ?? row.gk_version,
      cek_wrapped_base64: forged?.cek_wrapped_base64 ?? row.cek_wrapped_base64,
    };
  }),
});

function bundled(bundle: KeyBundle, { record }: Lies): KeyBundle {
  if (record === null || record === 'older') return bundle;
  const isKept = ({ name }: { readonly name: string }) => name === 'settings';
  const documents =
    record === 'missing'
      ? bundle.documents.filter(isKept)
      : bundle.documents.map((one) =>
          isKept(one) ? one : { ...one, blob_base64: one.blob_base64?.replace(/^..../, 'AAAA') ?? null },
        );
  return { ...bundle, documents };
}

/** Changes one member of the answer, to a value of the same type or to null. */
export function mutated(body: unknown, pick: number, how: number): unknown {
  const copy = structuredClone(body);
  const places: { readonly holder: Record<string, unknown>; readonly key: string }[] = [];
  const ids = new Set<string>();
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      places.push({ holder: value as Record<string, unknown>, key });
      if (typeof inner === 'string' && UUID.test(inner)) ids.add(inner);
      UUID.lastIndex = 0;
      walk(inner);
    }
  };
  walk(copy);
  const place = places[pick % Math.max(1, places.length)];
  if (place === undefined) return [null, {}, [], ''][how % 4];
  const { holder, key } = place;
  holder[key] = another(holder[key], how, [...ids]);
  return copy;
}

function another(value: unknown, how: number, ids: readonly string[]): unknown {
  if (typeof value === 'number') return [value + 1, value - 1, 0, -1, 2 ** 53, 1.5, String(value), null][how % 8];
  if (typeof value === 'boolean') return how % 4 === 0 ? null : !value;
  if (Array.isArray(value)) {
    const kinds = [[], [...value, ...value], [...value].reverse(), value.slice(1), value.slice(0, -1), null];
    return kinds[how % kinds.length];
  }
  if (typeof value === 'string') {
    if (UUID.test(value)) {
      UUID.lastIndex = 0;
      return ids[how % Math.max(1, ids.length)] ?? value;
    }
    UUID.lastIndex = 0;
    const flipped =
      value.length > 8 ? `${value.slice(0, 8)}${value[8] === 'A' ? 'B' : 'A'}${value.slice(9)}` : `${value}A`;
    const enums = ['admin', 'member', 'moderator', 'client', 'server'];
    return [flipped, '', null, ...enums, value.slice(0, -4)][how % 9];
  }
  return how % 2 === 0 ? null : {};
}
