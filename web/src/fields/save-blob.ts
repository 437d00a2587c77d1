/** Saves bytes as a file; they are never shown in this origin (docs/spec/crypto.md §11). */
import { safeFileName } from './safe-file-name.ts';

/** Long enough for any browser to have begun. */
const RELEASE_MS = 60_000;

export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = safeFileName(name);
  link.rel = 'noopener';
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), RELEASE_MS);
}
