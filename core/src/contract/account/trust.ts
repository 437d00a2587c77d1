import * as z from 'zod/mini';
import { GROUP, endpoint } from '../endpoint.ts';
import { boolean, id, optional, optionalScalar, text } from '../inputs.ts';
import { KEY_WAYS } from '../../domain/trust/trust-record.ts';

const master_password = optional(z.unknown());
const hash = text({ max: 64 });

export const trustKey = endpoint({
  method: 'POST',
  path: '/identity/api/trustedKeys',
  summary: 'Confirms the key of a person in the caller’s trust record; it takes the place of any other',
  access: 'signed-in',
  body: {
    schema: z.object({
      master_password,
      user_id: id(),
      fpr: hash,
      /** With its owner; default: trusted for now. */
      compared: optionalScalar(boolean()),
    }),
  },
  answer: { status: 200, schema: z.object({ user_id: z.string(), fpr: z.string(), how: z.enum(KEY_WAYS) }) },
});

export const trustGroup = endpoint({
  method: 'POST',
  path: `${GROUP}/trust`,
  summary: 'Goes on from the newest list of members, which the caller’s trust record does not accept by itself',
  access: 'group.rotate',
  body: {
    schema: z.object({
      master_password,
      /** SHA-256 of the newest list, hex. */
      roster_hash: hash,
    }),
  },
  answer: { status: 200, schema: z.object({ seq: z.number(), hash: z.string() }) },
});
