/** Copies from a page without a window, and clears later. */

const CLEAR_MS = 60_000;

export interface Clipboard {
  /** @returns seconds after which it is cleared */
  copy(text: string): Promise<number>;
}

export function createClipboard(): Clipboard {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    async copy(text) {
      put(text);
      clearTimeout(timer);
      timer = setTimeout(() => put(' '), CLEAR_MS);
      return CLEAR_MS / 1000;
    },
  };
}

/** A page without focus may not use `navigator.clipboard`. */
function put(text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) throw new Error('The browser did not allow copying');
}
