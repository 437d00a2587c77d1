/**
 * Hand-written checks for answers that are read before the schema library is loaded; a test compares them
 * with the contract.
 */

/** @throws TypeError */
export type Read<T> = (value: unknown) => T;

function refuse(): never {
  throw new TypeError('Not as the contract describes it');
}

export const text: Read<string> = (value) => (typeof value === 'string' ? value : refuse());
export const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : refuse());
export const count: Read<number> = (value) => (typeof value === 'number' ? value : refuse());
export const anything: Read<unknown> = (value) => value;

export const oneOf =
  <const T extends string | boolean>(...known: readonly T[]): Read<T> =>
  (value) =>
    known.find((one) => one === value) ?? refuse();

export const orNull =
  <T>(read: Read<T>): Read<T | null> =>
  (value) =>
    value === null ? null : read(value);

export const list =
  <T>(read: Read<T>): Read<T[]> =>
  (value) =>
    Array.isArray(value) ? value.map((one) => read(one)) : refuse();

export const record =
  <T>(read: Read<T>): Read<Record<string, T>> =>
  (value) =>
    Object.fromEntries(
      Object.entries(membersOf(value))
        .filter(([name]) => name !== '__proto__')
        .map(([name, member]) => [name, read(member)]),
    );

type Members<T> = { readonly [Name in keyof T]: Read<T[Name]> };

/** @param optional members that may be missing */
export const object =
  <T extends object, O extends object = object>(
    required: Members<T>,
    optional: Members<Required<O>> = {} as Members<Required<O>>,
  ): Read<T & O> =>
  (value) => {
    const members = membersOf(value);
    const read = Object.entries<Read<unknown>>(required).map(([name, check]) => [name, check(members[name])]);
    for (const [name, check] of Object.entries<Read<unknown>>(optional)) {
      if (members[name] !== undefined) read.push([name, check(members[name])]);
    }
    return Object.fromEntries(read) as T & O;
  };

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : refuse();
