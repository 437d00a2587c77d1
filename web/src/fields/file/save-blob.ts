/** Time for the browser to start the download. */
const RELEASE_MS = 60_000;

/** Saves bytes as a file. They are never shown in this origin (docs/spec/crypto.md §11). */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = safeFileName(name);
  link.rel = 'noopener';
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), RELEASE_MS);
}

const FALLBACK = 'file';
const MAX_CHARACTERS = 200;
/** Control characters, and invisible ones such as direction overrides. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const NOT_IN_NAMES = /[<>:"|?*]/g;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A safe name: no path, device name or invisible characters, whatever was sealed (M30). */
export function safeFileName(sealed: string): string {
  const last = sealed.replace(UNSEEN, '').split(/[/\\]/).at(-1) ?? '';
  const name = last.replace(NOT_IN_NAMES, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  if (name === '') return FALLBACK;
  return shortened(DEVICE.test(name) ? `_${name}` : name);
}

function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_CHARACTERS) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : '';
  return characters.slice(0, MAX_CHARACTERS - ending.length).join('') + ending;
}
