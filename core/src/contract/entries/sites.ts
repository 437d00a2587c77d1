/** docs/spec/api.md §3.9. Sealed site rules, without the values of the links. */
import * as z from 'zod/mini';
import { BASE, FIELD, GROUP, endpoint } from '../endpoint.ts';
import { base64, id, integer, list, optional, text } from '../inputs.ts';
import { LIMITS } from '../../domain/limits.ts';

/** A link's present revision. Without rules `site_sealed_base64` is null. */
export const SiteRow = z.object({
  entry_id: z.string(),
  entry_title: z.string(),
  field_id: z.string(),
  rev: z.number(),
  gk_version: z.number(),
  cek_wrapped_base64: z.string(),
  site_sealed_base64: z.nullable(z.string()),
});
export type SiteRow = z.output<typeof SiteRow>;

const mark = text({ max: LIMITS.cursor });

export const listAll = endpoint({
  method: 'POST',
  path: `${BASE}/sites`,
  summary:
    'The links of the caller’s groups with their sealed site rules. `known` names groups that the caller has, by the mark of their answer: groups in which nothing has changed since are not in the answer. With `more`, ask again with what has come',
  access: 'signed-in',
  scope: 'read',
  jsonLimit: LIMITS.siteJsonBytes,
  body: {
    schema: z.object({
      known: optional(list(z.object({ mark, entry_group_ids: list(id(), 1, LIMITS.siteGroups) }), 0, LIMITS.siteMarks)),
    }),
  },
  answer: {
    status: 200,
    schema: z.object({
      /** Of the groups in this answer; without `more` also of the known ones that are not in it. */
      mark: z.string(),
      groups: z.array(z.object({ entry_group_id: z.string(), rows: z.array(SiteRow) })),
      /** Known groups that have not changed. */
      same: z.number(),
      /** Known groups that the caller has no longer. */
      gone: z.array(z.string()),
      more: z.boolean(),
    }),
  },
});

export const ofGroup = endpoint({
  method: 'GET',
  path: `${GROUP}/sites`,
  summary: 'The links of a group with their sealed site rules',
  access: 'group.read',
  answer: { status: 200, schema: z.array(SiteRow) },
});

export const change = endpoint({
  method: 'PUT',
  path: `${FIELD}/site`,
  summary: 'Replaces the sealed site rules of a link’s present revision; its value and history stay',
  access: 'field.write',
  proof: true,
  body: { schema: z.object({ rev: integer(1, 1_000_000_000), site_sealed: base64() }) },
  answer: { status: 200, schema: z.object({ field_id: z.string(), rev: z.number() }) },
});
