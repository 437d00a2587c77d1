/** A name in a sentence: shown bold, and as a link if it has an address. */
export interface Name {
  readonly name: string;
  readonly to?: string;
}

export type Sentence = readonly (string | Name)[];

/** Template of a sentence: say`${who} showed ${field}`. Parts may be sentences. */
export function say(texts: TemplateStringsArray, ...parts: readonly (string | Name | Sentence)[]): Sentence {
  const all = texts.flatMap((text, at): Sentence => [text, ...partsOf(parts[at] ?? '')]);
  return all.filter((part) => part !== '');
}

const partsOf = (part: string | Name | Sentence): Sentence =>
  typeof part === 'string' || 'name' in part ? [part] : part;

export const textOf = (sentence: Sentence): string =>
  sentence.map((part) => (typeof part === 'string' ? part : part.name)).join('');
