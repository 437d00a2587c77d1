/**
 * Translates whole sentences, and those with placeholders, whose words are translated in turn.
 * @param otherwise for what is not in the list
 */
export function sentencesIn(
  list: Readonly<Record<string, string>>,
  otherwise: (text: string) => string,
): (text: string) => string {
  // Longest first: 'too long (at most {} characters)' before 'too long (at most {})'.
  const patterns = Object.entries(list)
    .filter(([english]) => english.includes('{}'))
    .sort(([a], [b]) => b.length - a.length)
    .map(([english, words]) => {
      const parts = english.split('{}').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      return { pattern: new RegExp(`^${parts.join('(.+?)')}$`), words };
    });
  const translated = (text: string): string => {
    if (Object.hasOwn(list, text)) return list[text] ?? text;
    for (const { pattern, words } of patterns) {
      const [, ...found] = pattern.exec(text) ?? [];
      if (found.length > 0) return words.replaceAll('{}', () => translated(found.shift() ?? ''));
    }
    return otherwise(text);
  };
  return translated;
}

/** The exported catalogues by the name that `catalogue` asks for: `AUDIT_EVENTS` is 'auditEvents'. */
export const cataloguesOf = (modules: readonly object[]): Readonly<Record<string, object>> =>
  Object.fromEntries(
    modules.flatMap((one) =>
      Object.entries(one as Readonly<Record<string, object>>).map(([name, texts]) => [
        name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
        texts,
      ]),
    ),
  );
