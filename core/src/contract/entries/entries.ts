/** docs/spec/api.md §3.8, §3.10. */
import * as z from 'zod/mini';
import { BASE, ENTRY, GROUP, endpoint } from '../endpoint.ts';
import { Entry, ListedEntry, Named, Operation, SearchRow, Wrap, pageOf } from '../entities.ts';
import {
  base64,
  choice,
  id,
  integer,
  list,
  listOfIds,
  optional,
  optionalScalar,
  reading,
  text,
  TEXTS,
} from '../inputs.ts';
import {
  DAY_TEXT,
  distinctTags,
  DUE_KINDS,
  ENTRY_ICONS,
  readDay,
  TAG_TEXTS,
  tagProblem,
} from '../../domain/entry-marks.ts';
import { LIMITS } from '../../domain/limits.ts';

export const listAll = endpoint({
  method: 'GET',
  path: `${GROUP}/entries`,
  summary: 'The entries of a group by title, each with the login of its first password that has one',
  access: 'group.read',
  answer: { status: 200, schema: z.array(ListedEntry) },
});

export const get = endpoint({
  method: 'GET',
  path: ENTRY,
  summary: 'One entry',
  access: 'group.read',
  answer: { status: 200, schema: Entry },
});

const title = text({ trim: true, max: LIMITS.title });

const tag = reading(
  (value) => (typeof value === 'string' ? value.trim() : value),
  z
    .string({ error: () => TEXTS.text('tag') })
    .check(z.refine((value) => tagProblem(value) === null, { error: ({ input }) => tagProblem(String(input)) ?? '' })),
);
/** Each once, in order. */
export const tags = z.pipe(
  list(tag, 0, LIMITS.entryTags, TAG_TEXTS.many),
  z.transform((all: string[]) => distinctTags(all)),
);

/** '' means none. */
export const icon = z.enum(['', ...ENTRY_ICONS], { error: () => TEXTS.unknown('icon') });

/** A day; '' means none. */
const day = z
  .string({ error: () => DAY_TEXT })
  .check(z.refine((value) => value === '' || readDay(value) !== null, { error: () => DAY_TEXT }));
export const due = { due_at: optional(day), due_kind: optionalScalar(choice(DUE_KINDS)) };

const marks = {
  tags: optional(tags),
  icon: optional(icon),
  ...due,
  /** 0 means none. */
  rotate_days: optionalScalar(integer(0, LIMITS.rotateDays)),
};

export const create = endpoint({
  method: 'POST',
  path: `${GROUP}/entries`,
  summary: 'Creates an entry. Undoing the operation takes back the entry with all its fields',
  access: 'entry.write',
  undoable: true,
  body: {
    schema: z.object({ title, entry_id: optionalScalar(id()), ...marks }),
  },
  answer: { status: 201, schema: Entry },
});

export const rename = endpoint({
  method: 'PUT',
  path: ENTRY,
  summary: 'Renames an entry',
  access: 'entry.write',
  undoable: true,
  body: { schema: z.object({ title }) },
  answer: { status: 200, schema: Entry },
});

export const mark = endpoint({
  method: 'PUT',
  path: `${ENTRY}/marks`,
  summary: `Sets the tags of an entry (at most ${LIMITS.entryTags}), its icon and its due date; an absent member stays as it is`,
  access: 'entry.write',
  body: { schema: z.object(marks) },
  answer: { status: 200, schema: Entry },
});

export const tagsInUse = endpoint({
  method: 'GET',
  path: `${BASE}/tags`,
  summary: `The ${LIMITS.pageMax} most frequent tags that begin with the text, of entries that the caller may read`,
  access: 'signed-in',
  query: z.object({ q: optional(text({ trim: true, allowEmpty: true, max: LIMITS.searchQuery })) }),
  answer: { status: 200, schema: z.array(z.object({ tag: z.string(), entries: z.number() })) },
});

export const remove = endpoint({
  method: 'DELETE',
  path: ENTRY,
  summary: 'Puts an entry with its fields into the trash',
  access: 'entry.write',
  worksOnFullDisk: true,
  answer: { status: 200, schema: Operation },
});

const entries = list(id(), 1, LIMITS.bulkEntries);

export const removeMany = endpoint({
  method: 'POST',
  path: `${GROUP}/entries/bulkEdit/delete`,
  summary: 'Puts entries of a group into the trash, all or none',
  access: 'entry.write',
  worksOnFullDisk: true,
  body: { schema: z.object({ entries }) },
  answer: { status: 200, schema: Operation },
});

export const wraps = endpoint({
  method: 'POST',
  path: `${GROUP}/entries/bulkEdit/wraps`,
  summary: 'The wrapped keys of every revision of these entries, to be wrapped anew for another group; no values',
  access: 'entry.write',
  proof: true,
  body: { schema: z.object({ entries }) },
  answer: { status: 200, schema: z.object({ gk_version: z.number(), rows: z.array(Wrap) }) },
});

/** Wraps of every revision under the key of the target group. */
export const rewrapped = {
  target_gk_version: integer(1, 1_000_000_000),
  rewraps: list(z.object({ field_id: id(), rev: integer(1, 1_000_000_000), cek_wrapped: base64() }), 0, LIMITS.rewraps),
};
const entryGroupTarget = id();
const moved = z.object({ entry_group_id: z.string(), moved: z.number() });

export const moveMany = endpoint({
  method: 'POST',
  path: `${GROUP}/entries/bulkEdit/move`,
  summary: 'Moves entries into another group, all or none',
  access: 'entry.write',
  proof: true,
  undoable: true,
  jsonLimit: LIMITS.rewrapBytes,
  body: {
    plain: z.object({ entries, entryGroupTarget, master_password: optional(z.unknown()) }),
    sealed: z.object({ entries, entryGroupTarget, ...rewrapped }),
    marker: 'rewraps',
  },
  answer: { status: 200, schema: moved },
});

export const move = endpoint({
  method: 'PATCH',
  path: ENTRY,
  summary: 'Moves one entry into another group',
  access: 'entry.write',
  proof: true,
  undoable: true,
  jsonLimit: LIMITS.rewrapBytes,
  body: {
    plain: z.object({ entryGroupTarget, master_password: optional(z.unknown()) }),
    sealed: z.object({ entryGroupTarget, ...rewrapped }),
    marker: 'rewraps',
  },
  answer: { status: 200, schema: moved },
});

export const pageQuery = {
  page: optionalScalar(integer(1, 1_000_000_000)),
  perPage: optionalScalar(integer(1, LIMITS.pageMax)),
};

/** `similar`: no entry has the words as written, these have similar ones. */
const FoundPage = z.extend(pageOf(SearchRow), { similar: z.optional(z.literal(true)) });

export const search = endpoint({
  method: 'GET',
  path: `${BASE}/entrySearch`,
  summary:
    'Entries whose titles, logins, file names or group name contain every word; only what the caller may read. ' +
    'Operators: `title:`, `login:`, `group:`, `type:`, `tag:`, `due:`, "phrases", a leading minus to exclude; quotes make any of it literal. If nothing is found, a word of five or more letters may be misspelt: then `similar` is true',
  access: 'signed-in',
  service: true,
  query: z.object({ ...pageQuery, q: optional(text({ trim: true, allowEmpty: true, max: LIMITS.searchQuery })) }),
  answer: { status: 200, schema: FoundPage },
});

/** Ids in one call. */
export const MOST_BY_ID = 100;

export const listById = endpoint({
  method: 'GET',
  path: `${BASE}/entries`,
  summary:
    `Up to ${MOST_BY_ID} entries with their fields, \`entry_ids\` separated by commas, in this order; ` +
    'leaves out what is gone or what the caller may not read',
  access: 'signed-in',
  service: true,
  query: z.object({ entry_ids: listOfIds(MOST_BY_ID) }),
  answer: { status: 200, schema: z.array(SearchRow) },
});

export const names = endpoint({
  method: 'GET',
  path: `${BASE}/names`,
  summary:
    'The names of up to 100 groups, entries, fields and people, `ids` separated by commas; what the caller may not read is left out',
  access: 'signed-in',
  query: z.object({ ids: listOfIds(LIMITS.namesAtOnce) }),
  answer: { status: 200, schema: z.array(Named) },
});
