/** Texts of the chosen language. They are set before the first catalogue is loaded; without any, catalogues are English. */

/** The same keys and parameters with other words: what does not fit does not compile. */
export type Translation<Text> = Text extends string
  ? string
  : Text extends (...given: infer Given) => infer Result
    ? (...given: Given) => Translation<Result>
    : { readonly [Key in keyof Text]: Translation<Text[Key]> };

let translations: Readonly<Record<string, unknown>> = {};
let sentence = (text: string): string => text;

/**
 * @param all catalogues of one language by name
 * @param sentenceOf translates a sentence of the server or of `core`; returns an unknown sentence unchanged
 */
export function translate(all: Readonly<Record<string, unknown>>, sentenceOf: typeof sentence): void {
  translations = all;
  sentence = sentenceOf;
}

/**
 * Adds catalogues that load later than the page.
 * @param sentencesOf adds sentences; it gets what translates the others
 */
export function translateMore(
  more: typeof translations,
  sentencesOf: (otherwise: typeof sentence) => typeof sentence,
): void {
  translations = { ...translations, ...more };
  sentence = sentencesOf(sentence);
}

/** A sentence of the server or of `core` in the chosen language; in English if it has no translation. */
export const translated = (text: string): string => sentence(text);

/** The catalogue of that name in the chosen language. */
export const catalogue = <const English extends object>(name: string, english: English): Translation<English> =>
  (translations[name] as Translation<English> | undefined) ?? (english as unknown as Translation<English>);
