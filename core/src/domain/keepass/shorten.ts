/** Texts as the vault's lists can hold them (`api.md` §1.6). Whatever is cut is kept whole elsewhere, by the caller. */
import { LIMITS } from '../limits.ts';

const UNTITLED = '(no title)';

/** At most `most` UTF-16 units, ending in an ellipsis when it was cut, never inside of a character. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** A title that is neither empty nor too long (decision G13). */
export const shownTitle = (title: string): string => shorten(title.trim(), LIMITS.title) || UNTITLED;

export const isShortened = (title: string): boolean => title.trim().length > LIMITS.title;
