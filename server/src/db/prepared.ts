/** Compiling queries is slower than running them, so each is compiled once per engine. */
import { sql } from 'kysely';
import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import { sha256Hex } from '../platform/ids-and-digests.ts';
import { dialectOf } from './database.ts';
import type { Dialect } from './schema/migrate.ts';
import type { Tables } from './schema/tables.ts';

type Queries = Kysely<Tables>;

interface Prepared<Given, Row> {
  all(db: Queries, given: Given): Promise<Row[]>;
  first(db: Queries, given: Given): Promise<Row | undefined>;
}

/** Planned once per connection, for any values. */
const PLANNED_ONCE = { isNamed: true };
/** For queries whose best plan depends on their values. */
export const PLANNED_EACH_TIME = { isNamed: false };
/** Longer statements are not named. */
const MOST_VALUES = 64;

const names = new Map<string, string>();

/** The statement's name on PostgreSQL, the same in every process; undefined without one. */
export const statementName = (text: string): string | undefined => names.get(text);

class Parameter {
  readonly row: number;
  readonly name: string;
  constructor(row: number, name: string) {
    this.row = row;
    this.name = name;
  }
}

/** `build` runs once per engine; it gets placeholders and must use them only as values. Not for lists. */
export function prepared<Given extends object, Row>(
  build: (db: Queries, given: Given) => Compilable<Row>,
): Prepared<Given, Row> {
  return forOne(compileFor<Given, Row>(1, (db, [given]) => build(db, given as Given)));
}

function forOne<Given extends object, Row>({ all, first }: Compiled<Given, Row>): Prepared<Given, Row> {
  return {
    all: (db, given) => all(db, [given]),
    first: (db, given) => first(db, [given]),
  };
}

const PORTIONS = [256, 64, 16, 4, 1] as const;

/** As `prepared`, for a list of rows, in several statements. */
export function preparedList<Item extends object, Row>(
  build: (db: Queries, items: readonly Item[]) => Compilable<Row>,
  planned: { readonly isNamed: boolean } = PLANNED_ONCE,
): (db: Queries, items: readonly Item[]) => Promise<Row[]> {
  const texts = PORTIONS.map((size) => ({ size, ask: compileFor<Item, Row>(size, build, planned).all }));
  return async (db, items) => {
    const rows: Row[] = [];
    let at = 0;
    for (const { size, ask } of texts) {
      for (; items.length - at >= size; at += size) {
        for (const row of await ask(db, items.slice(at, at + size))) rows.push(row);
      }
    }
    return rows;
  };
}

const FILLED = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const;

/** Rows that match any item. The list is padded, so a long one with duplicates may return rows twice. */
export function preparedAmongRows<Item extends object, Row>(
  build: (db: Queries, items: readonly Item[]) => Compilable<Row>,
): (db: Queries, items: readonly Item[]) => Promise<Row[]> {
  const texts = FILLED.map((size) => ({ size, ask: compileFor<Item, Row>(size, build).all }));
  return async (db, items) => {
    const last = items.at(-1);
    const rows: Row[] = [];
    for (let at = 0; last !== undefined && at < items.length;) {
      const left = items.length - at;
      const text = texts.find(({ size }) => size >= left) ?? texts.at(-1);
      if (text === undefined) break;
      const filled = Array.from({ length: text.size }, (_, index) => items[at + index] ?? last);
      for (const row of await text.ask(db, filled)) rows.push(row);
      at += text.size;
    }
    return rows;
  };
}

/** As `preparedAmongRows`, for values behind `in`. */
export function preparedAmong<Row>(
  build: (db: Queries, values: readonly string[]) => Compilable<Row>,
): (db: Queries, values: readonly string[]) => Promise<Row[]> {
  interface Item {
    readonly value: string;
  }
  const among = preparedAmongRows<Item, Row>((db, items) =>
    build(
      db,
      items.map(({ value }) => value),
    ),
  );
  interface Listed {
    readonly list: readonly string[];
  }
  const { all: inList } = compileFor<Listed, Row>(1, (db, [given]) =>
    // The builder also accepts a subquery.
    build(db, sql`(select unnest(${given?.list}::text[]))` as unknown as readonly string[]),
  );
  return async (db, values) => {
    if (values.length === 0) return [];
    if (dialectOf(db) === 'postgres') return inList(db, [{ list: values }]);
    return among(
      db,
      values.map((value) => ({ value })),
    );
  };
}

const SHAPES_KEPT = 100;

/** Caches one text per `shape.name` (LRU), which must determine the text. */
export function preparedShapes<Shape extends { readonly name: string }, Given extends object, Row>(
  build: (db: Queries, given: Given, shape: Shape) => Compilable<Row>,
): (db: Queries, shape: Shape, given: Given) => Promise<Row[]> {
  const shapes = new Map<string, Prepared<Given, Row>>();
  return (db, shape, given) => {
    const text =
      shapes.get(shape.name) ??
      forOne(
        compileFor<Given, Row>(1, (of, [placeholders]) => build(of, placeholders as Given, shape), PLANNED_EACH_TIME),
      );
    // Maps keep insertion order: the first is the least recently used.
    shapes.delete(shape.name);
    if (shapes.size >= SHAPES_KEPT) shapes.delete(shapes.keys().next().value ?? '');
    shapes.set(shape.name, text);
    return text.all(db, given);
  };
}

interface Text<Row> {
  readonly query: CompiledQuery<Row>;
  /** Source of each parameter; null for a constant. */
  readonly sources: readonly (Parameter | null)[];
  /** Set if all parameters belong to one row. */
  readonly members: readonly string[] | null;
}

interface Compiled<Item, Row> {
  readonly all: (db: Queries, items: readonly Item[]) => Promise<Row[]>;
  readonly first: (db: Queries, items: readonly Item[]) => Promise<Row | undefined>;
}

function compileFor<Item extends object, Row>(
  size: number,
  build: (db: Queries, items: readonly Item[]) => Compilable<Row>,
  { isNamed } = PLANNED_ONCE,
): Compiled<Item, Row> {
  const texts = new Map<Dialect, Text<Row>>();
  const textFor = (db: Queries, dialect: Dialect): Text<Row> => {
    const known = texts.get(dialect);
    if (known !== undefined) return known;
    const given = Array.from(
      { length: size },
      (_, row) => new Proxy({}, { get: (_target, name) => new Parameter(row, String(name)) }) as Item,
    );
    const query = build(db, given).compile();
    const sources = query.parameters.map((value) => (value instanceof Parameter ? value : null));
    const members = size === 1 && sources.every((source) => source !== null) ? sources.map(({ name }) => name) : null;
    if (isNamed && sources.length <= MOST_VALUES) names.set(query.sql, sha256Hex(query.sql).slice(0, 32));
    const text = { query, sources, members };
    texts.set(dialect, text);
    return text;
  };
  const execute = async (db: Queries, items: readonly Item[]) => {
    const text = textFor(db, dialectOf(db));
    const { rows } = await db.executeQuery<Row>({ ...text.query, parameters: valuesOf(text, items) });
    return rows;
  };
  return {
    all: execute,
    first: async (db, items) => (await execute(db, items))[0],
  };
}

function valuesOf({ query, sources, members }: Text<unknown>, items: readonly object[]): unknown[] {
  const given = items as readonly Readonly<Record<string, unknown>>[];
  const [only] = given;
  if (members !== null && only !== undefined) return members.map((name) => only[name]);
  const values: unknown[] = [];
  for (let at = 0; at < sources.length; at += 1) {
    const source = sources[at] ?? null;
    values.push(source === null ? query.parameters[at] : given[source.row]?.[source.name]);
  }
  return values;
}
