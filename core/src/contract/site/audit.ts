import * as z from 'zod/mini';
import { AUDIT_EVENTS } from './audit-events.ts';
import { BASE, endpoint } from '../endpoint.ts';
import { pageQuery } from '../entries/entries.ts';
import { AuditRow, pageOf } from '../entities.ts';
import { choice, id, moment, optional, optionalScalar, text } from '../inputs.ts';
import { LIMITS } from '../../domain/limits.ts';

const q = optional(text({ trim: true, allowEmpty: true, max: LIMITS.searchQuery }));

const filters = {
  q,
  event_type: optionalScalar(choice(AUDIT_EVENTS)),
  user_id: optionalScalar(id()),
  target_id: optionalScalar(id()),
  from: optionalScalar(moment()),
  to: optionalScalar(moment()),
};

export const adminLog = endpoint({
  method: 'GET',
  path: `${BASE}/entryGroup/history`,
  summary: 'The admin log, newest first; `q` is a part of the event’s name or of the acting person’s e-mail',
  access: 'site-reader',
  query: z.object({ ...pageQuery, q }),
  answer: { status: 200, schema: pageOf(AuditRow) },
});

export const list = endpoint({
  method: 'GET',
  path: '/system/api/auditLog',
  summary: 'The audit log, newest first, with filters; `from` counts, `to` does not',
  access: 'site-reader',
  query: z.object({ ...pageQuery, ...filters }),
  answer: { status: 200, schema: pageOf(AuditRow) },
});

export const exported = endpoint({
  method: 'GET',
  path: '/system/api/auditLog/export',
  summary:
    'The rows that the filters let through, oldest first, a line each: JSON with all that the chain covers, CEF, or CSV',
  access: 'site-reader',
  query: z.object({ ...filters, format: choice(['ndjson', 'cef', 'csv']) }),
  answer: { status: 200, type: 'application/octet-stream' },
});

export const verify = endpoint({
  method: 'GET',
  path: '/system/api/auditLog/verify',
  summary: 'Checks the sealed part of the log; `unsealed` counts the rows after it',
  access: 'site-reader',
  answer: {
    status: 200,
    schema: z.object({
      ok: z.boolean(),
      rows: z.number(),
      head: z.nullable(z.object({ audit_id: z.string(), seq: z.number(), hash: z.string() })),
      first_bad: z.nullable(z.string()),
      unsealed: z.number(),
      /** The last removed link. */
      checkpoint: z.nullable(
        z.object({ seq: z.number(), hash: z.string(), before: z.string(), at: z.string(), key: z.string() }),
      ),
    }),
  },
});

export const size = endpoint({
  method: 'GET',
  path: '/system/api/auditLog/size',
  summary: 'How many rows the log has, about how many bytes they take, and the time of the oldest one',
  access: 'site-reader',
  answer: {
    status: 200,
    schema: z.object({ rows: z.number(), bytes: z.number(), oldest_at: z.nullable(z.string()) }),
  },
});
