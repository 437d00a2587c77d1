/**
 * The table's verdict on any request: its row, and the column of its sender. Knows the tables of
 * docs/spec/api.md and the state, but not the code that decides.
 */
import { type Actor, type Outcome, TABLE } from './table.ts';
import type { WalkOperation, WalkState } from './walk-state.ts';

export interface WalkRequest {
  /** `METHOD path` as in the table. */
  readonly short: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Group that the query or a well-formed body names; checked after everything in the path. */
  readonly target?: string | undefined;
}

export interface Walker {
  /** Null: no session. */
  readonly userId: string | null;
  readonly isAdmin: boolean;
}

/**
 * `ok`: continues to the checks of the body. `target`: no right there: 403, or 422 for another
 * error of the body. `stays`: 200 without a change.
 */
export type Verdict = Outcome | 'target' | 'stays';

const COLUMN = { member: 'Me', moderator: 'Mo', admin: 'Ad' } as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The cell of a row. */
function cell(name: string, actor: Actor): Outcome {
  const call = TABLE.find((row) => row.name === name);
  if (call === undefined) throw new Error(`Not in the table: ${name}`);
  return call.outcomes[actor];
}

/** The first row of the call, for checks in which its cases do not differ. */
const anyCase = (short: string) => TABLE.find((row) => row.short === short)?.name ?? short;

export function judge(state: WalkState, { userId, isAdmin }: Walker, request: WalkRequest): Verdict {
  const { short } = request;
  if (userId === null) return cell(anyCase(short), 'An');
  const stranger: Actor = isAdmin ? 'SA' : 'Ou';
  const columnIn = (g: string): Actor => {
    const role = state.roleOf(g, userId);
    return role === null ? stranger : COLUMN[role];
  };
  const isLiving = (g: string) => state.groups.get(g)?.trashedBy === null;
  const params = Object.fromEntries(Object.entries(request.params).map(([name, id]) => [name, id.toLowerCase()]));
  const { g, operationId, id } = params;
  const ofTarget = (name: string): Verdict => {
    const { target } = request;
    if (target === undefined || !isLiving(target)) return 'ok';
    return cell(name, columnIn(target)) === 'ok' ? 'ok' : 'target';
  };

  if (g !== undefined) {
    if (!isLiving(g)) return 404;
    const column = columnIn(g);
    // Only callers with a right to some case of the call learn what exists.
    const least = cell(anyCase(short), column);
    if (least !== 'ok') return least;
    if (isMissing(state, short, params, g)) return 404;
    const verdict = cell(caseOf(short, params['u'], { state, g, userId }), column);
    if (verdict !== 'ok') return verdict;
    if (short === 'PATCH G')
      return staysPut(state, g, request.target) ? 'stays' : ofTarget('PATCH G · another group into g');
    if (/bulkEdit\/move|^PATCH E/.test(short)) return ofTarget('PATCH E · into g, sealed');
    return 'ok';
  }
  if (operationId !== undefined) return ofOperation(state, short, operationId, columnIn, userId);
  if (id !== undefined) return ofAccount(state, short, id, userId, stranger);
  if (short === 'POST B/entryGroups') return ofTarget('POST B/entryGroups · a child of g, sealed');
  if (short === 'POST B/access/preview') {
    const { target } = request;
    return target === undefined || isLiving(target) ? ofTarget('POST B/access/preview · delete-group') : 404;
  }
  if (short === 'GET /identity/api/users/search') return ofTarget('GET /identity/api/users/search · entryGroupExclude');
  return cell(anyCase(short), stranger);
}

/**
 * A move into itself, below itself, or to its present parent changes nothing, whatever the rights
 * there (docs/spec/decisions.md G9).
 */
function staysPut({ groups }: WalkState, g: string, target: string | undefined): boolean {
  if (target === undefined || groups.get(target)?.trashedBy !== null) return false;
  if (groups.get(g)?.parent === target) return true;
  for (let at: string | null = target; at !== null; at = groups.get(at)?.parent ?? null) if (at === g) return true;
  return false;
}

/** Which case of removing a member it is. */
function caseOf(
  short: string,
  u: string | undefined,
  { state, g, userId }: { readonly state: WalkState; readonly g: string; readonly userId: string },
): string {
  if (short !== 'DELETE G/users/:u' || u === undefined) return anyCase(short);
  if (u === userId) return 'DELETE G/users/:u · oneself';
  const role = state.roleOf(g, u);
  return role === 'admin' ? 'DELETE G/users/:u · another admin' : 'DELETE G/users/:u · a member';
}

/** Whether the path names something unknown or misplaced. */
function isMissing(
  state: WalkState,
  short: string,
  { e, f, logId, u, d, t }: Readonly<Record<string, string>>,
  g: string,
): boolean {
  const entry = e === undefined ? undefined : state.entries.get(e);
  if (e !== undefined && (entry?.g !== g || entry.trashedBy !== null)) return true;
  const field = f === undefined ? undefined : state.fields.get(f);
  if (f !== undefined && (field?.e !== e || field?.trashedBy !== null)) return true;
  if (logId !== undefined && state.history.get(logId) !== f) return true;
  if (u !== undefined && (!UUID.test(u) || state.roleOf(g, u) === null)) return true;
  if (t !== undefined && (!UUID.test(t) || (short.startsWith('DELETE') && state.templates.get(t) !== g))) return true;
  return d !== undefined && state.departures.get(d) !== g;
}

/**
 * Restore, undo and purge of a deletion need the rights in the groups of everything it still has in
 * the trash.
 */
function ofOperation(
  state: WalkState,
  short: string,
  operationId: string,
  columnIn: (g: string) => Actor,
  userId: string,
): Verdict {
  const operation = state.operations.get(operationId);
  if (operation === undefined) return 404;
  const isUndo = short.endsWith('/undo');
  if (operation.kind !== 'delete') {
    if (!isUndo || !operation.open) return 404;
    return operation.by === userId ? ofOwnUndo(state, operation, columnIn) : 403;
  }
  if (isUndo && !operation.open) return 404;
  const trashedGroups = [...state.groups].filter(([, { trashedBy }]) => trashedBy === operationId).map(([g]) => g);
  const ofEntries = [...state.entries.values()].filter(({ trashedBy }) => trashedBy === operationId).map(({ g }) => g);
  const ofFields = [...state.fields.values()]
    .filter(({ trashedBy }) => trashedBy === operationId)
    .map(({ e }) => state.entries.get(e)?.g ?? '');
  const isOfGroups = trashedGroups.length > 0;
  const about = isOfGroups ? trashedGroups : [...ofEntries, ...ofFields];
  if (about.length === 0) return 404;
  const row = `${short} · ${isOfGroups ? 'group g' : 'an entry of g'}`;
  return about.every((g) => cell(row, columnIn(g)) === 'ok') ? 'ok' : 403;
}

/** Undoing an own rename, move or new entry needs the right that the operation itself needs now. */
function ofOwnUndo(
  state: WalkState,
  { kind, targetKind, targetId, fromGroup }: WalkOperation,
  columnIn: (g: string) => Actor,
): Verdict {
  const isLiving = (g: string) => state.groups.get(g)?.trashedBy === null;
  const entry = targetKind === 'entry' && kind !== 'move' ? state.entries.get(targetId) : null;
  if (entry !== null) {
    if (entry === undefined || entry.trashedBy !== null || !isLiving(entry.g)) return 404;
    return cell('PUT E', columnIn(entry.g));
  }
  if (targetKind !== 'entry_group' || kind === 'import') return 'ok';
  if (!isLiving(targetId)) return 404;
  const here = cell('PATCH G · to the root', columnIn(targetId));
  if (here !== 'ok' || kind !== 'move' || fromGroup === null) return here;
  return isLiving(fromGroup) ? cell('PATCH G · another group into g', columnIn(fromGroup)) : 403;
}

/** Calls about one account. */
function ofAccount(state: WalkState, short: string, id: string, userId: string, stranger: Actor): Verdict {
  const isOwn = TABLE.some(({ name }) => name === `${short} · oneself`);
  if (isOwn && id === userId) return cell(`${short} · oneself`, stranger);
  if (isOwn && !state.users.has(id)) return 404;
  const verdict = cell(isOwn ? `${short} · another’s` : anyCase(short), stranger);
  return verdict === 'ok' && !state.users.has(id) ? 404 : verdict;
}
