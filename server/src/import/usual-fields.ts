/**
 * Fields in the spelling of our own clients. The schema of the contract would answer just these, member for member, so they need not go through it:
 * thirty thousand of them take it a third of an import's time. Whatever else there is goes through the schema, with its refusals.
 */
import type { ImportField } from '@passwordbroker/core/contract/entries/import';
import { FIELD_TYPES } from '@passwordbroker/core/domain/fields/field-kinds';
import { LIMITS } from '@passwordbroker/core/domain/limits';

type Judge = (value: unknown) => boolean;
type Members = Readonly<Record<string, Judge>>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const [MOST_REVISIONS, MOST_TIME, MOST_NUMBER] = [10_000, 40, 1_000_000_000];
/** NUL, and half a character. */
const NO_TEXT = /\0|\p{Surrogate}/u;
const types: ReadonlySet<unknown> = new Set(FIELD_TYPES);

const isId: Judge = (value) => typeof value === 'string' && UUID.test(value);
const isNumber: Judge = (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST_NUMBER;
// Its form is judged strictly where it is decoded, in the same words (`checkSealed`).
const isSealed: Judge = (value) => typeof value === 'string' && value !== '';
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length <= most && !NO_TEXT.test(value);

const REVISION: Members = {
  rev: isNumber,
  crypto_profile: (value) => value === 'pb1',
  gk_version: isNumber,
  cek_wrapped: isSealed,
  value_encrypted: isSealed,
  initialization_vector: isSealed,
};
const REVISION_MORE: Members = { created_at: (value) => isText(value, MOST_TIME) && value !== '' };

const FIELD: Members = {
  field_id: isId,
  entry_id: isId,
  type: (value) => types.has(value),
  revisions: (value) =>
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= MOST_REVISIONS &&
    value.every((revision) => hasExactly(revision, REVISION, REVISION_MORE)),
};
const FIELD_MORE: Members = {
  title: (value) => isText(value, LIMITS.title) && value.trim() === value,
  login: (value) => isText(value, LIMITS.login),
};

const COUNTS = new Map([REVISION, FIELD].map((members) => [members, Object.keys(members).length]));

/** Every member of the first, and beside them members of the second alone. */
function hasExactly(value: unknown, members: Members, more: Members): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  let found = 0;
  for (const [name, member] of Object.entries(value)) {
    if (Object.hasOwn(members, name)) found += 1;
    else if (!Object.hasOwn(more, name)) return false;
    if ((members[name] ?? more[name])?.(member) !== true) return false;
  }
  return found === COUNTS.get(members);
}

/** Whether the schema of the contract would answer these fields as they are. False says nothing about them. */
export const areUsualFields = (value: unknown): value is ImportField[] =>
  Array.isArray(value) && value.every((field) => hasExactly(field, FIELD, FIELD_MORE));
