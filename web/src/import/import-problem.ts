/** Why an import was refused: a message and the list by field (specification §5, §8). */
import { AppError } from '@passwordbroker/core/contract/problem';
import { formatFileSize } from '@passwordbroker/core/domain/file-size';
import { KeyringError } from '../keyring/keyring-error.ts';
import { IMPORT_TEXTS as TEXTS } from '../texts/import.ts';
import { ImportTooLarge } from '../vault/online-import.ts';

export interface ImportProblem {
  readonly message: string;
  /** 'file: The file is not a KeePass XML 2.x file.' */
  readonly lines: readonly string[];
}

export function problemLines(failure: unknown): ImportProblem {
  if (failure instanceof AppError && failure.errors !== undefined) {
    const lines = Object.entries(failure.errors).flatMap(([field, texts]) => texts.map((text) => `${field}: ${text}`));
    return {
      message: failure.message,
      lines: lines.length === 1 && failure.message === Object.values(failure.errors)[0]?.[0] ? [] : lines,
    };
  }
  if (failure instanceof KeyringError && failure.code === 'import_file')
    return { message: TEXTS.failed, lines: [failure.message] };
  if (failure instanceof ImportTooLarge) {
    const [size, limit] = [failure.size, failure.limit].map(formatFileSize);
    return { message: TEXTS.failed, lines: [TEXTS.sealedTooLarge(size ?? '', limit ?? '')] };
  }
  return { message: failure instanceof Error && failure.message !== '' ? failure.message : TEXTS.failed, lines: [] };
}

/** The line broke, or the undo failed, when the server may have had all of it. */
export function lostProblem(failure: Error): ImportProblem {
  return { message: TEXTS.lost, lines: [failure.message] };
}
