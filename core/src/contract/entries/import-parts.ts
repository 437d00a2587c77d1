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
    'Begins an import whose sealed batch does not fit into one request. One a person: it ends an older one, and ends after an hour without a call',
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
    'Keeps one part until all are there: the file `batch`, sealed files, or both. The batch of the first has everything but the fields that follow in others. May be repeated',
  access: 'signed-in',
  textParams: ['part'],
  bodyLimit: LIMITS.importBytes,
  files: ['*'],
  answer: { status: 204 },
});

export const storeParts = endpoint({
  method: 'POST',
  path: `${IMPORT}/commit`,
  summary: 'Stores an import in parts as one import. Nothing of it was visible before',
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
