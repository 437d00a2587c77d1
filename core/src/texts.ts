/** Texts of the chosen language. They are set before the first catalogue is loaded; without any, catalogues are English. */

/** The same keys and parameters with other words: what does not fit does not compile. */
export type Translation<Text> = Text extends string
  ? string
  : Text extends (...given: infer Given) => infer Result
    ? (...given: Given) => Translation<Result>
    : { readonly [Key in keyof Text]: Translation<Text[Key]> };

let translations: Readonly<Record<string, unknown>> = {};

/** @param all catalogues of one language by name */
export function translate(all: Readonly<Record<string, unknown>>): void {
  translations = all;
}

/** The catalogue of that name in the chosen language. */
export const catalogue = <const English extends object>(name: string, english: English): Translation<English> =>
  (translations[name] as Translation<English> | undefined) ?? (english as unknown as Translation<English>);
