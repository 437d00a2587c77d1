/** Environment variables with references in them: `DB=pb://ops/db/password`, `URL=postgres://app:${pb://ops/db/password}@db/x`. */
import { wrongUsage } from '../failure.ts';
import { parseReference, type Reference } from '../references.ts';

/** The credential of a service account and what is pinned with it. */
export const SERVICE_VARIABLES = ['PB_SERVICE', 'PB_SERVICE_FILE', 'PB_SERVICE_PINS'] as const;

const MOST_BYTES = 1024 * 1024;
const MOST_REFERENCES = 500;

/** Text and references in turn. */
export interface Template {
  readonly name: string;
  readonly parts: readonly (string | Reference)[];
}

const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\' };

/**
 * Lines `KEY=VALUE`, with `export ` or without; `#` begins a comment; single quotes keep everything, double quotes know
 * \n \t \" \\. Nothing is expanded. @throws CommandError with file and line
 */
export function readEnvFile(name: string, text: string): ReadonlyMap<string, string> {
  if (Buffer.byteLength(text) > MOST_BYTES) throw wrongUsage(`${name} is larger than 1 MiB.`);
  const variables = new Map<string, string>();
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const [, key, written] = LINE.exec(line) ?? [];
    const value = key === undefined ? null : unquoted(written ?? '');
    if (key === undefined || value === null) throw wrongUsage(`${name}, line ${at + 1}: this is not KEY=VALUE.`);
    variables.set(key, value);
  }
  return variables;
}

/** Null for a quote that is not closed, or text behind one. */
function unquoted(written: string): string | null {
  const [, single] = /^'([^']*)'\s*(?:#.*)?$/.exec(written) ?? [];
  if (single !== undefined) return single;
  const [, double] = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(written) ?? [];
  if (double !== undefined) return double.replaceAll(/\\(.)/g, (all, sign: string) => ESCAPES[sign] ?? all);
  if (/^['"]/.test(written)) return null;
  return written.replace(/\s+#.*$/, '');
}

/** Those that name or contain a reference. @throws CommandError with all mistakes */
export function templatesOf(variables: Iterable<readonly [string, string]>): readonly Template[] {
  const templates: Template[] = [];
  const mistakes: string[] = [];
  for (const [name, value] of variables) {
    try {
      const parts = partsOf(value);
      if (parts.some((part) => typeof part !== 'string')) templates.push({ name, parts });
    } catch (error) {
      mistakes.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (mistakes.length > 0) throw wrongUsage(mistakes.join('\n'));
  if (templates.flatMap(({ parts }) => parts.filter((part) => typeof part !== 'string')).length > MOST_REFERENCES)
    throw wrongUsage(`There are more than ${MOST_REFERENCES} references.`);
  return templates;
}

function partsOf(value: string): (string | Reference)[] {
  if (value.startsWith('pb://')) return [parseReference(value)];
  const parts: (string | Reference)[] = [];
  let at = 0;
  for (const match of value.matchAll(/\$\{(pb:\/\/[^}]*)\}/g)) {
    parts.push(value.slice(at, match.index), parseReference(match[1] ?? ''));
    at = match.index + match[0].length;
  }
  return [...parts, value.slice(at)];
}

/** @param valueOf text of a reference. @throws CommandError for a value that cannot be a variable */
export function filledIn({ name, parts }: Template, valueOf: (reference: Reference) => string): string {
  const value = parts.map((part) => (typeof part === 'string' ? part : valueOf(part))).join('');
  if (value.includes('\0')) throw wrongUsage(`${name}: the value has a NUL, so it cannot be a variable.`);
  return value;
}
