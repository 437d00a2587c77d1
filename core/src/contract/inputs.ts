/**
 * Schemas of request members, which also parse forms. `null`, and '' for ids, numbers and booleans, count as
 * absent (docs/spec/api.md §1.1, §1.3).
 */
import * as z from 'zod/mini';

type Issue = z.core.$ZodRawIssue;

/** 'batch.fields.3.totp_timeout' → 'totp timeout'. */
export function labelOf(path: readonly PropertyKey[] | undefined): string {
  const name = (path ?? []).findLast((part) => typeof part === 'string' && !/^\d+$/.test(part));
  return String(name ?? 'value').replaceAll('_', ' ');
}

const say = (sentence: (label: string) => string) => (issue: Issue) => sentence(labelOf(issue.path));

export const TEXTS = {
  required: (label: string) => `The ${label} is required.`,
  text: (label: string) => `The ${label} must be a text.`,
  tooLong: (max: number) => (label: string) => `The ${label} is too long (at most ${max} characters).`,
  choice: (values: readonly string[]) => (label: string) => `The ${label} must be one of: ${values.join(', ')}.`,
  integer: (label: string) => `The ${label} must be a whole number.`,
  between: (min: number, max: number) => (label: string) => `The ${label} must be between ${min} and ${max}.`,
  boolean: (label: string) => `The ${label} must be true or false.`,
  list: (label: string) => `The ${label} must be a list.`,
  id: (label: string) => `The ${label} is not a valid id.`,
  unknown: (label: string) => `The ${label} does not exist.`,
  malformed: (label: string) => `The ${label} is malformed.`,
  unexpected: (label: string) => `The ${label} is not expected.`,
} as const;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Much faster than a pattern that counts groups of four. */
const isBase64 = (text: string) => text.length % 4 === 0 && BASE64.test(text);

const blankIsAbsent = (value: unknown) => (value === null || value === '' ? undefined : value);
const nullIsAbsent = (value: unknown) => (value === null ? undefined : value);

type Typed<T> = z.ZodMiniType<T, T>;

export function reading<T>(normalise: (value: unknown) => unknown, inner: z.ZodMiniType<T, unknown>): Typed<T> {
  return z.pipe(z.transform(normalise), inner) as unknown as Typed<T>;
}

interface TextRules {
  readonly max?: number;
  readonly trim?: boolean;
  readonly missing?: string;
  readonly allowEmpty?: boolean;
  /** One line without control characters, safe for mail headers. */
  readonly line?: boolean;
  /** As `line`, also without characters that change the order of the text around it. */
  readonly plain?: boolean;
}

/** Rejects NUL and lone surrogates. */
const IS_UTF8 = z.refine<string>((value) => !/\0|\p{Surrogate}/u.test(value), { error: say(TEXTS.malformed) });
const IS_PLAIN = z.refine<string>((value) => !/\p{Bidi_Control}/u.test(value), { error: say(TEXTS.malformed) });
const IS_ONE_LINE = z.refine<string>((value) => !/\p{Cc}|[\u2028\u2029]/u.test(value), { error: say(TEXTS.malformed) });

export function text(rules: TextRules = {}): Typed<string> {
  const { max, trim = false, missing, allowEmpty = false, plain = false, line = plain } = rules;
  const absent = missing === undefined ? say(TEXTS.required) : () => missing;
  return reading(
    (value: unknown) => {
      const present = nullIsAbsent(value);
      return trim && typeof present === 'string' ? present.trim() : present;
    },
    z
      .string({ error: (issue) => (issue.input === undefined ? absent(issue) : say(TEXTS.text)(issue)) })
      .check(
        ...(allowEmpty ? [] : [z.refine<string>((value) => value !== '', { error: absent })]),
        IS_UTF8,
        ...(line ? [IS_ONE_LINE] : []),
        ...(plain ? [IS_PLAIN] : []),
        ...(max === undefined
          ? []
          : [z.refine<string>((value) => value.length <= max, { error: say(TEXTS.tooLong(max)) })]),
      ),
  );
}

const ID: Typed<string> = reading(
  (value: unknown) => {
    const present = blankIsAbsent(value);
    return typeof present === 'string' ? present.toLowerCase() : present;
  },
  z
    .string({ error: (issue) => say(issue.input === undefined ? TEXTS.required : TEXTS.id)(issue) })
    .check(z.refine((value) => UUID.test(value), { error: say(TEXTS.id) })),
);
export const id = () => ID;

export function integer(min: number, max: number): Typed<number> {
  return reading(
    (value: unknown) => {
      const present = blankIsAbsent(value);
      return typeof present === 'string' && /^-?\d{1,15}$/.test(present) ? Number(present) : present;
    },
    z.number({ error: (issue) => say(issue.input === undefined ? TEXTS.required : TEXTS.integer)(issue) }).check(
      z.refine((value) => Number.isSafeInteger(value), { error: say(TEXTS.integer) }),
      z.refine((value) => value >= min && value <= max, { error: say(TEXTS.between(min, max)) }),
    ),
  );
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };
const BOOLEAN: Typed<boolean> = reading(
  (value: unknown) => {
    const present = blankIsAbsent(value);
    return typeof present === 'string' || typeof present === 'number'
      ? (BOOLEANS[String(present)] ?? present)
      : present;
  },
  z.boolean({ error: (issue) => say(issue.input === undefined ? TEXTS.required : TEXTS.boolean)(issue) }),
);
export const boolean = () => BOOLEAN;

export function choice<const Values extends readonly string[]>(values: Values): Typed<Values[number]> {
  return reading(
    blankIsAbsent,
    z.enum(values, { error: (issue) => say(issue.input === undefined ? TEXTS.required : TEXTS.choice(values))(issue) }),
  );
}

const BASE64_TEXT: Typed<string> = reading(
  blankIsAbsent,
  z
    .string({ error: say(TEXTS.malformed) })
    .check(z.refine(isBase64, { error: say(TEXTS.malformed), params: { sealed: true } })),
);
export const base64 = () => BASE64_TEXT;

const BASE64_OR_NONE: Typed<string> = reading(
  (value: unknown) => value ?? '',
  z
    .string({ error: say(TEXTS.malformed) })
    .check(z.refine(isBase64, { error: say(TEXTS.malformed), params: { sealed: true } })),
);
/** Like `base64`, but may be empty. */
export const base64OrNone = () => BASE64_OR_NONE;

export const PROBLEMS_TOLD = 20;

/** Longer lists yield to other requests every few milliseconds in `safeParseAsync`. */
const LONG = 500;
const MOST_MS = 8;
const othersTurn = () => new Promise<void>((resolve) => void setTimeout(resolve, 0));

/** Checks the length before the elements, and stops after 20 errors. @param ownText the message for a wrong length */
export function list<S extends z.core.$ZodType>(of: S, min: number, max: number, ownText?: string) {
  const tooLong = (label: string) => ownText ?? `The ${label} is too long (at most ${max}).`;
  const array = z.array(of, {
    error: (issue: Issue) => {
      if (issue.code === 'too_big') return say(tooLong)(issue);
      if (issue.code === 'too_small' && ownText !== undefined) return ownText;
      return say(issue.code === 'too_small' || issue.input === undefined ? TEXTS.required : TEXTS.list)(issue);
    },
  });
  const parse = array._zod.parse.bind(array._zod);
  // By default zod checks every element before the length.
  array._zod.parse = array._zod.run = (payload, context) => {
    const { value: input } = payload;
    if (!Array.isArray(input)) return parse(payload, context);
    const isLong = input.length > max;
    if (isLong || input.length < min) {
      const limit = isLong
        ? ({ code: 'too_big', maximum: max } as const)
        : ({ code: 'too_small', minimum: min } as const);
      payload.issues.push({ ...limit, origin: 'array', input, inst: array });
      return payload;
    }
    const elements: unknown[] = [];
    const atOnce = { ...context, async: false };
    const readFrom = (start: number, until: number): number => {
      let at = start;
      for (; at < input.length && performance.now() < until; at += 1) {
        const result = of._zod.run({ value: input[at] as unknown, issues: [] }, atOnce);
        if (result instanceof Promise) throw new TypeError('Schemas of list elements must be synchronous');
        payload.issues.push(...z.util.prefixIssues(at, result.issues));
        elements.push(result.value);
        if (payload.issues.length >= PROBLEMS_TOLD) return input.length;
      }
      return at;
    };
    const finish = () => {
      payload.value = elements as typeof payload.value;
      return payload;
    };
    const readInTurns = async () => {
      for (let at = 0; at < input.length; await othersTurn()) at = readFrom(at, performance.now() + MOST_MS);
      return finish();
    };
    if (context.async === true && input.length > LONG) return readInTurns();
    readFrom(0, Number.POSITIVE_INFINITY);
    return finish();
  };
  return array;
}

/** Comma-separated whole numbers; null for an empty position. */
export const listOfNumbers = (max: number): Typed<(number | null)[]> =>
  reading<(number | null)[]>(
    (value) => {
      if (typeof value !== 'string') return value;
      return value.split(',').map((part) => (/^\d{1,15}$/.test(part.trim()) ? Number(part) : part.trim() || null));
    },
    list(z.nullable(integer(0, Number.MAX_SAFE_INTEGER)), 1, max),
  );

export const listOfIds = (max: number): Typed<string[]> =>
  reading<string[]>(
    (value) => {
      const present = blankIsAbsent(value);
      return typeof present === 'string' ? present.split(',').map((part) => part.trim()) : present;
    },
    list(id(), 1, max),
  );

const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/** ISO 8601 with zone, or a date at 00:00 UTC. */
export const moment = () =>
  text({ max: 32 }).check(
    z.refine((value) => ISO.test(value) && !Number.isNaN(Date.parse(value)), {
      error: 'The time must be a date such as 2026-03-01 or 2026-03-01T09:30:00Z.',
    }),
  );

/** An absent object counts as empty, so that each missing member gets its own error. */
export const nested = <S extends z.ZodMiniType<unknown, unknown>>(object: S): S =>
  reading((value) => value ?? {}, object) as unknown as S;

/** Optional member; `null` counts as absent. */
export const optional = <S extends z.core.$ZodType>(inner: S) => absentWhen(nullIsAbsent, inner);

/** Like `optional`; '' counts as absent too. */
export const optionalScalar = <S extends z.core.$ZodType>(inner: S) => absentWhen(blankIsAbsent, inner);

function absentWhen<S extends z.core.$ZodType>(normalise: (value: unknown) => unknown, inner: S): z.ZodMiniOptional<S> {
  const schema = z.pipe(z.transform(normalise), z.optional(inner) as unknown as z.ZodMiniType<unknown, unknown>);
  return z.optional(schema) as unknown as z.ZodMiniOptional<S>;
}
