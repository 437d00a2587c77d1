/** A file name that may be offered for saving, whatever was sealed (M30): one name, no path, no device, nothing that turns the reading order. */

const FALLBACK = 'file';
const MAX_CHARACTERS = 200;
/** Control characters, and those that change the direction of the text around them or are not seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const NOT_IN_NAMES = /[<>:"|?*]/g;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

export function safeFileName(sealed: string): string {
  const last = sealed.replace(UNSEEN, '').split(/[/\\]/).at(-1) ?? '';
  const name = last.replace(NOT_IN_NAMES, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  if (name === '') return FALLBACK;
  return shortened(DEVICE.test(name) ? `_${name}` : name);
}

/** The ending is kept: it says what the file is. */
function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_CHARACTERS) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : '';
  return characters.slice(0, MAX_CHARACTERS - ending.length).join('') + ending;
}
