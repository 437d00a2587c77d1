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
      timer = setTimeout(() => put(''), CLEAR_MS);
      return CLEAR_MS / 1000;
    },
  };
}

/** A page without focus may not use `navigator.clipboard`. The value does not go into the document. */
function put(text: string): void {
  const field = document.createElement('textarea');
  // The browser copies nothing without a selection.
  field.value = ' ';
  document.body.append(field);
  field.select();
  const give = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
  };
  document.addEventListener('copy', give, { once: true });
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', give);
  field.remove();
  if (!isCopied) throw new Error('The browser did not allow copying');
}
