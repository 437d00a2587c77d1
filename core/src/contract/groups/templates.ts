/** Kinds of entries that a group adds to the built-in ones (docs/spec/api.md §3.8). They hold no values. */
import * as z from 'zod/mini';
import { GROUP, endpoint } from '../endpoint.ts';
import { icon } from '../entries/entries.ts';
import { choice, list, optional, optionalScalar, text } from '../inputs.ts';
import { FIELD_TYPES } from '../../domain/fields/field-kinds.ts';
import { LIMITS } from '../../domain/limits.ts';

export const TEMPLATE_PROBLEMS = {
  fields: `A kind of entry has 1 to ${LIMITS.templateFields} fields.`,
  loginOfOther: 'Only a password has a login.',
  full: `A group has at most ${LIMITS.groupTemplates} kinds of entries of its own.`,
} as const;

const title = text({ trim: true, max: LIMITS.title });

const TemplateField = z
  .object({
    type: choice(FIELD_TYPES),
    title,
    /** What the login of a password is called; absent: no login. */
    login: optionalScalar(title),
  })
  .check(
    z.refine(({ type, login }) => login === undefined || type === 'password', {
      path: ['login'],
      error: () => TEMPLATE_PROBLEMS.loginOfOther,
    }),
  );

export const GroupTemplate = z.object({
  template_id: z.string(),
  /** The group that added the kind: the requested group, or one above it. */
  entry_group_id: z.string(),
  name: z.string(),
  /** One of `ENTRY_ICONS`. */
  icon: z.nullable(z.string()),
  fields: z.array(z.object({ type: z.enum(FIELD_TYPES), title: z.string(), login: z.nullable(z.string()) })),
});
export type GroupTemplate = z.output<typeof GroupTemplate>;

export const listAll = endpoint({
  method: 'GET',
  path: `${GROUP}/templates`,
  summary: 'The kinds of entries of a group, then those of each group above it, the nearest first',
  access: 'group.read',
  answer: { status: 200, schema: z.array(GroupTemplate) },
});

const TEMPLATE = `${GROUP}/templates/:t` as const;

export const save = endpoint({
  method: 'PUT',
  path: TEMPLATE,
  summary: `Adds a kind of entry with an id of the caller’s choice, or replaces it; at most ${LIMITS.groupTemplates} a group`,
  access: 'templates.write',
  body: {
    schema: z.object({
      name: title,
      icon: optional(icon),
      fields: list(TemplateField, 1, LIMITS.templateFields, TEMPLATE_PROBLEMS.fields),
    }),
  },
  answer: { status: 200, schema: GroupTemplate },
});

export const remove = endpoint({
  method: 'DELETE',
  path: TEMPLATE,
  summary: 'Deletes a kind of entry of a group; entries of this kind stay',
  access: 'templates.write',
  worksOnFullDisk: true,
  answer: { status: 204 },
});
