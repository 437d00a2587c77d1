/** Loading its data takes longer than sorting most trees. */
let collator: Intl.Collator | null = null;
const byLanguage = (a: string, b: string) =>
  (collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })).compare(a, b);

interface Titled {
  readonly title: string;
  readonly id: string;
}

/** Numbers by value, without case and accents, ties by id (docs/spec/decisions.md G14). */
export const compareTitles = (a: Titled, b: Titled): number => compare(a.title, a.id, b.title, b.id);

function compare(titleA: string, idA: string, titleB: string, idB: string): number {
  // Different letters a to z need no collator.
  const [letterA, letterB] = [firstLetter(titleA), firstLetter(titleB)];
  if (letterA !== letterB && letterA !== 0 && letterB !== 0) return letterA - letterB;
  return byLanguage(titleA, titleB) || (idA < idB ? -1 : idA > idB ? 1 : 0);
}

const CASE = 0x20;
const [A, Z] = [0x61, 0x7a];

function firstLetter(title: string): number {
  const code = title.charCodeAt(0) | CASE;
  return code >= A && code <= Z ? code : 0;
}

export const idOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Null for a root. */
export function parentIdOf(path: string): string | null {
  const end = path.lastIndexOf('.');
  return end === -1 ? null : path.slice(path.lastIndexOf('.', end - 1) + 1, end);
}

/** Root first. */
export const ancestorsOf = (path: string): string[] => path.split('.').slice(0, -1);

/** Whether the group is `ancestorId` or below it. */
export const isWithin = (path: string, ancestorId: string): boolean => path.split('.').includes(ancestorId);

export const depthOf = (path: string): number => path.split('.').length;
