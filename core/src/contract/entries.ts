/** Entries and search (`api.md` §3.8, §3.10). */
import * as z from 'zod/mini';
import { BASE, ENTRY, GROUP, endpoint } from './endpoint.ts';
import { Entry, SearchRow, pageOf } from './entities.ts';
import { id, integer, optional, optionalScalar, text } from './inputs.ts';
import { LIMITS } from '../domain/limits.ts';

export const listAll = endpoint({
  method: 'GET',
  path: `${GROUP}/entries`,
  summary: 'The entries of a group by title',
  access: 'group.read',
  answer: { status: 200, schema: z.array(Entry) },
});

export const get = endpoint({
  method: 'GET',
  path: ENTRY,
  summary: 'One entry',
  access: 'group.read',
  answer: { status: 200, schema: Entry },
});

export const create = endpoint({
  method: 'POST',
  path: `${GROUP}/entries`,
  summary: 'Creates an entry',
  access: 'entry.write',
  body: {
    schema: z.object({ title: text({ trim: true, max: LIMITS.title }), entry_id: optionalScalar(id()) }),
  },
  answer: { status: 201, schema: Entry },
});

export const pageQuery = {
  page: optionalScalar(integer(1, 1_000_000_000)),
  perPage: optionalScalar(integer(1, LIMITS.pageMax)),
};

export const search = endpoint({
  method: 'GET',
  path: `${BASE}/entrySearch`,
  summary: 'Entries whose titles, logins, file names or group name contain every word; only what the caller may read',
  access: 'signed-in',
  query: z.object({ ...pageQuery, q: optional(text({ trim: true, allowEmpty: true, max: LIMITS.searchQuery })) }),
  answer: { status: 200, schema: pageOf(SearchRow) },
});
