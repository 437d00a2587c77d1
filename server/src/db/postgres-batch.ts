/**
 * Statements that go to a PostgreSQL server together and are answered together: one way there and back, whatever their number. The server does them in their
 * order and skips the rest behind one that fails. Those with a name are read and planned by it once for each connection.
 */
import type pg from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The same name is the same text, in every process: a pooler may hand one's connection to another. */
  readonly name?: string;
  /** Nobody asks for its rows. */
  readonly isSilent?: boolean;
}

export interface Answer {
  /** `UPDATE`, `SELECT` …: the first word of what the server says it did. */
  readonly command: string;
  readonly rowCount: number;
  readonly rows: Readonly<Record<string, unknown>>[];
}

type Parse = (text: string) => unknown;
interface Column {
  readonly name: string;
  readonly parse: Parse;
}

/** What one connection's server knows by name. More would cost its memory; what was not asked for longest is forgotten. */
const KEPT = 200;
/** A name pays for statements that come again; those of long lists are many, and large. */
const MOST_VALUES = 64;

/** The statements that one connection has named. */
export class Names {
  /** Columns of their rows, null for those that have none. */
  readonly #known = new Map<string, readonly Column[] | null>();
  /** The server may have them or not. */
  readonly #doubtful = new Set<string>();

  columnsOf(name: string): readonly Column[] | null | undefined {
    const columns = this.#known.get(name);
    if (columns === undefined) return undefined;
    this.#known.delete(name);
    this.#known.set(name, columns);
    return columns;
  }

  learn(name: string, columns: readonly Column[] | null): void {
    this.#known.set(name, columns);
  }

  doubt(names: Iterable<string>): void {
    for (const name of names) {
      this.#known.delete(name);
      this.#doubtful.add(name);
    }
  }

  doubtAll(): void {
    this.doubt([...this.#known.keys()]);
  }

  /** Names that the server has to forget before it can be told of `next`. */
  *inTheWayOf(next: string): Iterable<string> {
    if (this.#doubtful.delete(next)) yield next;
    if (this.#known.size + this.#doubtful.size < KEPT) return;
    const [oldest] = [...this.#doubtful, ...this.#known.keys()];
    if (oldest === undefined) return;
    this.#doubtful.delete(oldest);
    this.#known.delete(oldest);
    yield oldest;
  }
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** What some statements that went together did, up to the first one that failed. */
export interface Answers {
  readonly given: readonly Answer[];
  /** Of the statement behind those that were answered; what came behind it was not done. */
  readonly failure: Error | null;
}

/** How the columns of a type are read. */
type ParserOf = (type: number) => Parse;

/** One batch, as the driver's queue of a connection takes it. */
export class Batch implements pg.Submittable {
  /** The driver wraps it for its time limit. */
  callback: (error: unknown) => void;
  readonly #statements: readonly Sending[];
  readonly #names: Names;
  readonly #parserOf: ParserOf;
  /** The server was told of them in this batch, or to forget them. */
  readonly #told = new Set<string>();
  readonly #forgotten = new Set<string>();
  #columns: (readonly Column[] | null)[] = [];
  readonly #given: Answer[] = [];
  /** Of the statement that is being answered. */
  #rows: Record<string, unknown>[] = [];

  /** @throws TypeError for a value that is neither text nor number nor bytes nor a list of them */
  constructor(
    statements: readonly Statement[],
    { names, parserOf }: { readonly names: Names; readonly parserOf: ParserOf },
    callback: Batch['callback'],
  ) {
    this.#statements = statements.map((statement) => ({ ...statement, values: statement.values.map(sent) }));
    this.#names = names;
    this.#parserOf = parserOf;
    this.callback = callback;
  }

  /** The responses so far: all, or those before the failure. */
  get given(): readonly Answer[] {
    return this.#given;
  }

  submit(connection: pg.Connection): void {
    connection.stream.cork();
    for (const statement of this.#statements) this.#send(connection, statement);
    connection.sync();
    connection.stream.uncork();
  }

  #send(connection: pg.Connection, { text, values, name }: Sending): void {
    const kept = name !== undefined && values.length <= MOST_VALUES ? name : '';
    const known = kept === '' || this.#told.has(kept) ? undefined : this.#names.columnsOf(kept);
    this.#columns.push(known ?? null);
    if (known === undefined && !this.#told.has(kept)) {
      for (const former of kept === '' ? [] : this.#names.inTheWayOf(kept)) {
        connection.close({ type: 'S', name: former }, true);
        this.#forgotten.add(former);
      }
      connection.parse({ name: kept, text, types: [] }, true);
      if (kept !== '') this.#told.add(kept);
    }
    connection.bind({ statement: kept, values: [...values] }, true);
    if (known === undefined) connection.describe({ type: 'P' }, true);
    connection.execute(null, true);
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#columns[this.#given.length] = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#parserOf(dataTypeID),
    }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const at = this.#given.length;
    if (this.#statements[at]?.isSilent === true) return;
    const columns = this.#columns[at] ?? [];
    const row: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index += 1) {
      const { name, parse } = columns[index] as Column;
      const text = fields[index] ?? null;
      row[name] = text === null ? null : parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const words = text.split(' ');
    this.#answer({ command: words[0] ?? '', rowCount: words.length < 2 ? 0 : Number(words.at(-1)), rows: this.#rows });
  }

  handleEmptyQuery(): void {
    this.#answer({ command: '', rowCount: 0, rows: [] });
  }

  #answer(answer: Answer): void {
    this.#given.push(answer);
    this.#rows = [];
  }

  handleError(error: unknown): void {
    // Which of them the server has read, it does not say.
    this.#names.doubt([...this.#told, ...this.#forgotten]);
    this.callback(error);
  }

  handleReadyForQuery(): void {
    for (const [at, { name }] of this.#statements.entries()) {
      if (name !== undefined && this.#told.has(name)) this.#names.learn(name, this.#columns[at] ?? null);
    }
    this.callback(null);
  }
}

type Sent = Buffer | string | null;

interface Sending extends Statement {
  readonly values: readonly Sent[];
}

function sent(value: unknown): Sent {
  if (typeof value === 'string' || value === null || Buffer.isBuffer(value)) return value;
  if (value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return `{${value.map(member).join(',')}}`;
  throw new TypeError('The server takes text, numbers, bytes and lists of them');
}

/** A member of a list, as the server reads it in the text of one. */
function member(value: unknown): string {
  const text = sent(value);
  if (text === null) return 'NULL';
  if (typeof text !== 'string') return `"\\\\x${text.toString('hex')}"`;
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
