/**
 * Null for a text that is no URL. Use it instead of `URL.canParse`, which in Node 20 refuses names such as
 * 'bücher.example' once it is optimised.
 */
export function urlOf(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
