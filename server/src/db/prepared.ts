/**
 * Frequent queries, compiled once for each engine: compiling takes the query builder several times as long as the engine takes to answer.
 */
import { sql } from 'kysely';
import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import { sha256Hex } from '../platform/secrets.ts';
import { dialectOf } from './dialect-of.ts';
import type { Dialect } from './migrate.ts';
import type { Tables } from './schema.ts';

/** The reader, or a transaction. */
type Queries = Kysely<Tables>;

interface Prepared<Given, Row> {
  all(db: Queries, given: Given): Promise<Row[]>;
  /** The first row. */
  first(db: Queries, given: Given): Promise<Row | undefined>;
}

/** Asks the engine at once. */
export interface Ask {
  all(text: string, parameters: readonly unknown[]): unknown[];
  /** The first row alone; undefined where there is none. What the statement writes is written all the same. */
  first(text: string, parameters: readonly unknown[]): unknown;
}

const shortcuts = new WeakMap<Queries, Ask>();

/**
 * Prepared queries go to the embedded engine past the query builder's own line. Only for a connection that is nobody else's meanwhile: that of a
 * transaction while it lasts, or one that is in none.
 */
export function setShortcut(db: Queries, ask: Ask): void {
  shortcuts.set(db, ask);
}

/** The transaction has ended. */
export function endShortcut(db: Queries): void {
  shortcuts.delete(db);
}

/** PostgreSQL plans a named statement once for each connection, after some uses for any values. */
const PLANNED_ONCE = { isNamed: true };
/** For queries whose best plan depends on their values or on the number of rows. */
export const PLANNED_EACH_TIME = { isNamed: false };
/** A statement with more values is not named: they are large, and there are many of them. */
const MOST_VALUES = 64;

const names = new Map<string, string>();

/** The name under which PostgreSQL keeps this statement, the same in every process; undefined if it is not kept. */
export const statementName = (text: string): string | undefined => names.get(text);

/** Stands in the query where a value will be: a member of one of the given rows. */
class Place {
  readonly row: number;
  readonly name: string;
  constructor(row: number, name: string) {
    this.row = row;
    this.name = name;
  }
}

/**
 * `build` writes the query once for each engine; the members of `given` are no values then, so it may put them where a value belongs and do nothing else
 * with them. Lists are for `preparedList`: their length is part of the text.
 */
export function prepared<Given extends object, Row>(
  build: (db: Queries, given: Given) => Compilable<Row>,
): Prepared<Given, Row> {
  return asked(asking<Given, Row>(1, (db, [given]) => build(db, given as Given)));
}

function asked<Given extends object, Row>({ all, first }: Asking<Given, Row>): Prepared<Given, Row> {
  return {
    all: async (db, given) => all(db, [given]),
    first: async (db, given) => first(db, [given]),
  };
}

/** A list is cut into portions of so many, each with a text of its own: whatever its length, there is no further one. */
const PORTIONS = [256, 64, 16, 4, 1] as const;

/** As `prepared`, for a list of rows; a long one takes several statements. Answers what they answer, one after the other. */
export function preparedList<Item extends object, Row>(
  build: (db: Queries, items: readonly Item[]) => Compilable<Row>,
  planned: { readonly isNamed: boolean } = PLANNED_ONCE,
): (db: Queries, items: readonly Item[]) => Promise<Row[]> {
  const texts = PORTIONS.map((size) => ({ size, ask: asking<Item, Row>(size, build, planned).all }));
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

/** As `PORTIONS`, for lists that are filled up. */
const FILLED = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const;

/**
 * For a query that asks what is among the given rows, `build` naming each of them: a list is filled up with its last one, which changes nothing, so that a few
 * texts serve every length. A long one takes several statements; answers what they answer, one after the other. What occurs twice in a long list may be
 * answered twice.
 */
export function preparedAmongRows<Item extends object, Row>(
  build: (db: Queries, items: readonly Item[]) => Compilable<Row>,
): (db: Queries, items: readonly Item[]) => Promise<Row[]> {
  const texts = FILLED.map((size) => ({ size, ask: asking<Item, Row>(size, build).all }));
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

/**
 * As `preparedAmongRows`, for rows of one value, which `build` puts behind `in` and does nothing else with. A server gets all of them as one, so one text serves
 * every length.
 */
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
  const { all: inList } = asking<Listed, Row>(1, (db, [given]) =>
    // What the builder takes behind `in` besides a list.
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

/** Shapes that are kept of one query: whoever asks in many more ways has them written again. */
const SHAPES_KEPT = 100;

/**
 * For a query whose text depends on more than its engine: one for each name of a shape, those asked for last. `build` gets a shape, which must hold nothing
 * that its name does not tell, and places for the values as in `prepared`.
 */
export function preparedShapes<Shape extends { readonly name: string }, Given extends object, Row>(
  build: (db: Queries, given: Given, shape: Shape) => Compilable<Row>,
): (db: Queries, shape: Shape, given: Given) => Promise<Row[]> {
  const shapes = new Map<string, Prepared<Given, Row>>();
  return (db, shape, given) => {
    const text =
      shapes.get(shape.name) ??
      asked(asking<Given, Row>(1, (of, [places]) => build(of, places as Given, shape), PLANNED_EACH_TIME));
    // Whatever was not asked for longest goes first.
    shapes.delete(shape.name);
    if (shapes.size >= SHAPES_KEPT) shapes.delete(shapes.keys().next().value ?? '');
    shapes.set(shape.name, text);
    return text.all(db, given);
  };
}

/** A query as its engine gets it. */
interface Text<Row> {
  readonly query: CompiledQuery<Row>;
  /** For each of its parameters where the value is found; null for one that is the same each time. */
  readonly places: readonly (Place | null)[];
  /** Where all of them are members of one row. */
  readonly members: readonly string[] | null;
}

interface Asking<Item, Row> {
  readonly all: (db: Queries, items: readonly Item[]) => Row[] | Promise<Row[]>;
  readonly first: (db: Queries, items: readonly Item[]) => Row | undefined | Promise<Row | undefined>;
}

/** A query of so many rows, with a text for each engine. What is asked past the query builder is answered, or thrown, at once. */
function asking<Item extends object, Row>(
  size: number,
  build: (db: Queries, items: readonly Item[]) => Compilable<Row>,
  { isNamed } = PLANNED_ONCE,
): Asking<Item, Row> {
  const given = Array.from(
    { length: size },
    (_, row) => new Proxy({}, { get: (_target, name) => new Place(row, String(name)) }) as Item,
  );
  const texts = new Map<Dialect, Text<Row>>();
  const textFor = (db: Queries, dialect: Dialect): Text<Row> => {
    const known = texts.get(dialect);
    if (known !== undefined) return known;
    const query = build(db, given).compile();
    const places = query.parameters.map((value) => (value instanceof Place ? value : null));
    const members = size === 1 && places.every((place) => place !== null) ? places.map(({ name }) => name) : null;
    if (isNamed && places.length <= MOST_VALUES) names.set(query.sql, sha256Hex(query.sql).slice(0, 32));
    const text = { query, places, members };
    texts.set(dialect, text);
    return text;
  };
  const execute = async (db: Queries, items: readonly Item[]) => {
    const text = textFor(db, dialectOf(db));
    const { rows } = await db.executeQuery<Row>({ ...text.query, parameters: valuesOf(text, items) });
    return rows;
  };
  // The rows are what the builder says of its query.
  return {
    all(db, items) {
      const ask = shortcuts.get(db);
      if (ask === undefined) return execute(db, items);
      const text = textFor(db, 'sqlite');
      return ask.all(text.query.sql, valuesOf(text, items)) as Row[];
    },
    first(db, items) {
      const ask = shortcuts.get(db);
      if (ask === undefined) return execute(db, items).then((rows) => rows[0]);
      const text = textFor(db, 'sqlite');
      return ask.first(text.query.sql, valuesOf(text, items)) as Row | undefined;
    },
  };
}

function valuesOf({ query, places, members }: Text<unknown>, items: readonly object[]): unknown[] {
  const given = items as readonly Readonly<Record<string, unknown>>[];
  const [only] = given;
  if (members !== null && only !== undefined) return members.map((name) => only[name]);
  const values: unknown[] = [];
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] ?? null;
    values.push(place === null ? query.parameters[at] : given[place.row]?.[place.name]);
  }
  return values;
}
