/** docs/spec/api.md §3.10. Fields by the names of their groups, entry and field. */
import * as z from 'zod/mini';
import { FIELD_TYPES } from '../../domain/fields/field-kinds.ts';
import { LIMITS } from '../../domain/limits.ts';
import { BASE, endpoint } from '../endpoint.ts';
import { list, optional, text } from '../inputs.ts';

const name = text({ max: LIMITS.title });

/** The present revision. */
export const ResolvedField = z.object({
  entry_group_id: z.string(),
  entry_id: z.string(),
  field_id: z.string(),
  type: z.enum(FIELD_TYPES),
  title: z.string(),
  rev: z.number(),
  gk_version: z.number(),
});
export type ResolvedField = z.output<typeof ResolvedField>;

export const resolve = endpoint({
  method: 'POST',
  path: `${BASE}/resolve`,
  summary:
    `Fields of up to ${LIMITS.referencesAtOnce} references: \`groups\` from a root down, \`entry\`, \`field\`. Names compare exactly, after Unicode NFC; \`id:<uuid>\` names an id. A field that no title names may be named by its type. ` +
    `Without \`field\`: all fields of the entry, passwords first. At most ${LIMITS.matchesOfReference} a reference; only of groups where the caller is a member. Nothing is recorded`,
  access: 'signed-in',
  service: true,
  scope: 'read',
  worksOnFullDisk: true,
  body: {
    schema: z.object({
      refs: list(
        z.object({ groups: list(name, 1, LIMITS.treeDepth), entry: name, field: optional(name) }),
        1,
        LIMITS.referencesAtOnce,
      ),
    }),
  },
  /** In the order of `refs`. */
  answer: { status: 200, schema: z.object({ matches: z.array(z.array(ResolvedField)) }) },
});
