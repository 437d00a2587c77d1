/** Groups as trees: order of titles, and what the path of a group says (decisions G7, G14). */

/** Made when two titles first need it: what it knows takes a browser longer to load than most trees take to be sorted. */
let collator: Intl.Collator | null = null;
const byLanguage = (a: string, b: string) =>
  (collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })).compare(a, b);

interface Titled {
  readonly title: string;
  readonly id: string;
}

/** Order of titles on both sides: numbers by value, case and accents without weight, ties by id. */
export const compareTitles = (a: Titled, b: Titled): number => compare(a.title, a.id, b.title, b.id);

function compare(titleA: string, idA: string, titleB: string, idB: string): number {
  // Most titles differ in their first letter, and between two of these there is nothing to know about languages.
  const [letterA, letterB] = [firstLetter(titleA), firstLetter(titleB)];
  if (letterA !== letterB && letterA !== 0 && letterB !== 0) return letterA - letterB;
  return byLanguage(titleA, titleB) || (idA < idB ? -1 : idA > idB ? 1 : 0);
}

const CASE = 0x20;
const [A, Z] = [0x61, 0x7a];

/** One of a to z, whatever its case; 0 for anything else. */
function firstLetter(title: string): number {
  const code = title.charCodeAt(0) | CASE;
  return code >= A && code <= Z ? code : 0;
}

/** The group that a path leads to. */
export const idOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** The group right above the one that a path leads to. */
export function parentIdOf(path: string): string | null {
  const end = path.lastIndexOf('.');
  return end === -1 ? null : path.slice(path.lastIndexOf('.', end - 1) + 1, end);
}

/** Ids above a group, the root first, without itself. */
export const ancestorsOf = (path: string): string[] => path.split('.').slice(0, -1);

/** Whether a group lies below another, or is it: by whole ids, never by the beginning of a text. */
export const isWithin = (path: string, ancestorId: string): boolean => path.split('.').includes(ancestorId);

/** The number of groups from the root to this one. */
export const depthOf = (path: string): number => path.split('.').length;
