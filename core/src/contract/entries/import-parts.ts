/** An import that does not fit into one request (docs/spec/api.md §3.10). */
import * as z from 'zod/mini';
import { IMPORT_PARTS, LIMITS } from '../../domain/limits.ts';
import { BASE, endpoint } from '../endpoint.ts';
import { integer } from '../inputs.ts';
import { importAnswer } from './import.ts';

const IMPORT = `${BASE}/imports/:importId` as const;

export const startParts = endpoint({
  method: 'POST',
  path: `${BASE}/imports`,
  summary:
    'Starts an import that is too large for one request. Discards the person’s previous one. Expires one hour after the last call',
  access: 'signed-in',
  body: {
    schema: z.object({
      parts: integer(1, IMPORT_PARTS),
      bytes: integer(1, IMPORT_PARTS * LIMITS.importBytes),
    }),
  },
  answer: { status: 201, schema: z.object({ import_id: z.string(), expires_at: z.string() }) },
});

export const putPart = endpoint({
  method: 'PUT',
  path: `${IMPORT}/parts/:part`,
  summary:
    'Stores one part until the commit: the file `batch`, sealed files, or both. Part 1 has the batch without the fields of later parts; a later batch has only `fields`. A repeated part replaces the former one',
  access: 'signed-in',
  textParams: ['part'],
  bodyLimit: LIMITS.importBytes,
  files: ['*'],
  answer: { status: 204 },
});

export const storeParts = endpoint({
  method: 'POST',
  path: `${IMPORT}/commit`,
  summary: 'Commits all parts as one import, all or nothing; nothing of it is visible before',
  access: 'signed-in',
  answer: importAnswer,
});

export const dropParts = endpoint({
  method: 'DELETE',
  path: IMPORT,
  summary: 'Ends an import in parts; nothing is stored',
  access: 'signed-in',
  worksOnFullDisk: true,
  answer: { status: 204 },
});
