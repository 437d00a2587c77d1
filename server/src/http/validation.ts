import * as z from 'zod/mini';
import { PROBLEMS_TOLD, TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError } from '@passwordbroker/core/contract/problem';

type Schema = z.core.$ZodType;
type Issue = z.core.$ZodIssue;
export type FieldTexts = Record<string, string[]>;

/** Of Zod's own messages. */
const LIBRARY_TEXT = 'Invalid';

export interface Findings {
  readonly value: unknown;
  readonly errors: FieldTexts;
  readonly sealedOnly: boolean;
}

export const NO_ERRORS: FieldTexts = Object.freeze({});

/** Returns the texts of docs/spec/api.md §1.3. `renames` maps member paths to error keys. */
export function examine(schema: Schema, value: unknown, renames?: Renames): Findings {
  let result: Result | null;
  try {
    result = z.safeParse(schema, value);
  } catch (error) {
    result = forTooMany(error);
  }
  return findingsOf(result, value, renames);
}

/** As `examine`, yielding to other requests. */
export async function examineLarge(schema: Schema, value: unknown, renames?: Renames): Promise<Findings> {
  return findingsOf(await z.safeParseAsync(schema, value).catch(forTooMany), value, renames);
}

type Renames = Readonly<Record<string, string>>;
type Result = z.core.util.SafeParseResult<unknown>;

function findingsOf(result: Result | null, value: unknown, renames: Renames = {}): Findings {
  if (result === null) return { value: undefined, errors: { body: [TEXTS.malformed('body')] }, sealedOnly: false };
  if (result.success) return { value: result.data, errors: NO_ERRORS, sealedOnly: false };
  const errors: FieldTexts = {};
  for (const issue of result.error.issues.slice(0, PROBLEMS_TOLD)) {
    const place = issue.path.map(String).join('.');
    const key = renames[place] ?? (place === '' ? 'body' : place);
    const texts = (errors[key] ??= []);
    const text = textOf(issue, value);
    if (!texts.includes(text)) texts.push(text);
  }
  return { value: undefined, errors, sealedOnly: result.error.issues.every(isAboutSealedData) };
}

/** Zod overflows on very many errors. */
function forTooMany(error: unknown): null {
  if (error instanceof RangeError) return null;
  throw error;
}

export function refuseFindings(...all: readonly Findings[]): void {
  if (all.every(({ errors }) => errors === NO_ERRORS)) return;
  const errors = Object.assign({}, ...all.map((findings) => findings.errors)) as FieldTexts;
  if (Object.keys(errors).length === 0) return;
  const found = all.filter((findings) => Object.keys(findings.errors).length > 0);
  throw new AppError(found.every((findings) => findings.sealedOnly) ? 'bad_sealed_value' : 'validation', { errors });
}

function textOf(issue: Issue, root: unknown): string {
  if (!issue.message.startsWith(LIBRARY_TEXT)) return issue.message;
  const label = labelOf(issue.path);
  const value = memberAt(root, issue.path);
  return value === undefined || value === null ? TEXTS.required(label) : TEXTS.malformed(label);
}

function isAboutSealedData(issue: Issue): boolean {
  return issue.code === 'custom'
    ? issue.params?.['sealed'] === true
    : issue.message === TEXTS.malformed(labelOf(issue.path));
}

export function memberAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}
