/** `group/sub/entry`, `group/sub/entry/field`, with `pb://` or without, and `#login`, `#code` or `#name` behind it. */
import { wrongUsage } from './failure.ts';

const PARTS = ['login', 'code', 'name'] as const;
type Part = (typeof PARTS)[number];

export interface Reference {
  /** As written, for messages. */
  readonly text: string;
  /** Percent-decoded, NFC; 'id:<uuid>' names an id. */
  readonly elements: readonly string[];
  readonly part: Part | null;
}

const SCHEME = 'pb://';

/** @throws CommandError with exit 2 */
export function parseReference(text: string): Reference {
  const bare = text.startsWith(SCHEME) ? text.slice(SCHEME.length) : text;
  const [path = '', part, ...more] = bare.split('#');
  if (more.length > 0 || (part !== undefined && !isPart(part)))
    throw wrongUsage(`“${text}” is no reference: behind # stands login, code or name. Write # in a name as %23.`);
  return { text, elements: elementsOf(path, text), part: part ?? null };
}

const isPart = (text: string): text is Part => (PARTS as readonly string[]).includes(text);

/** Of a path of groups: '' is the root. @throws CommandError with exit 2 */
export function parsePath(text: string): readonly string[] {
  const bare = text.startsWith(SCHEME) ? text.slice(SCHEME.length) : text;
  return bare === '' || bare === '/' ? [] : elementsOf(bare, text);
}

function elementsOf(path: string, text: string): readonly string[] {
  const elements = path
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .split('/')
    .map((element) => decoded(element, text));
  if (elements.some((element) => element === '')) throw wrongUsage(`“${text}” is no reference: a name is empty.`);
  return elements;
}

function decoded(element: string, text: string): string {
  try {
    return decodeURIComponent(element).normalize('NFC');
  } catch {
    throw wrongUsage(`“${text}” is no reference: write % in a name as %25.`);
  }
}

/** One element as a reference writes it. */
export const encodeElement = (name: string): string => name.replaceAll(/[%/#]/g, (sign) => encodeURIComponent(sign));
