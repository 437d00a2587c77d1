/** docs/spec/api.md §3.7. */
import * as z from 'zod/mini';
import { BASE, endpoint } from '../endpoint.ts';
import { Certificate, GroupUser, RosterAnswer } from '../entities.ts';
import { id, list, listOfIds, listOfNumbers, optionalScalar } from '../inputs.ts';
import { sealedMember } from './members.ts';
import { LIMITS } from '../../domain/limits.ts';

const entry_group_ids = listOfIds(LIMITS.groupsAtOnce);

export const membersOf = endpoint({
  method: 'GET',
  path: `${BASE}/groupUsers`,
  summary:
    'The members of up to 100 groups, `entry_group_ids` separated by commas, and each person’s present certificate once; a group where the caller is no member is left out',
  access: 'signed-in',
  query: z.object({ entry_group_ids }),
  answer: {
    status: 200,
    schema: z.object({
      groups: z.array(z.object({ entry_group_id: z.string(), users: z.array(GroupUser) })),
      certificates: z.array(Certificate),
    }),
  },
});

export const rostersOf = endpoint({
  method: 'GET',
  path: `${BASE}/rosters`,
  summary:
    'The signed lists of members and the own grants of up to 100 groups; `from` has a number for each of them, or nothing between its commas for the newest list alone. A group where the caller is no member is left out, and so is one that has changed meanwhile or that much was signed in since',
  access: 'signed-in',
  service: true,
  query: z.object({ entry_group_ids, from: optionalScalar(listOfNumbers(LIMITS.groupsAtOnce)) }),
  answer: { status: 200, schema: z.object({ rosters: z.array(RosterAnswer) }) },
});

const Refused = z.object({
  message: z.string(),
  code: z.string(),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
  details: z.optional(z.record(z.string(), z.unknown())),
});

export const addMany = endpoint({
  method: 'POST',
  path: `${BASE}/groupUsers`,
  summary:
    'The sealed form of `POST G/users` for up to 100 groups: each an act of its own, answered as the single call would be; one that is refused changes nothing in the others',
  access: 'signed-in',
  proof: true,
  jsonLimit: LIMITS.groupKeyBytes,
  body: {
    schema: z.object({ acts: list(z.object({ entry_group_id: id(), ...sealedMember }), 1, LIMITS.groupsAtOnce) }),
  },
  answer: {
    status: 200,
    schema: z.object({
      /** In the order of `acts`. */
      results: z.array(
        z.object({
          entry_group_id: z.string(),
          status: z.number(),
          user: z.nullable(GroupUser),
          problem: z.nullable(Refused),
        }),
      ),
    }),
  },
});
