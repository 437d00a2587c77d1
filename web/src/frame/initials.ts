/** 'Mira Okafor' → 'MO'. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = (word: string | undefined) => [...(word ?? '')][0] ?? '';
  return `${first(words[0])}${words.length > 1 ? first(words.at(-1)) : ''}`.toUpperCase();
}
