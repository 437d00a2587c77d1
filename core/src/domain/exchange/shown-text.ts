import { LIMITS } from '../limits.ts';

const UNTITLED = '(no title)';

/** Ends a cut text with an ellipsis; surrogate pairs stay whole. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Neither empty nor too long (docs/spec/decisions.md G13). */
export const shownTitle = (title: string): string => shorten(title.trim(), LIMITS.title) || UNTITLED;

export const isShortened = (title: string): boolean => title.trim().length > LIMITS.title;
