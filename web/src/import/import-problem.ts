/** What is said when an import fails. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { translated } from '@passwordbroker/core/texts';
import { KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { Imported, VaultWrite } from '@passwordbroker/client/vault/vault';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';

/** @throws NotTakenBack if the import may still exist */
export async function takeBack(write: Pick<VaultWrite, 'undo'>, answer: Imported): Promise<void> {
  try {
    await write.undo(answer.operation_id);
  } catch (failure) {
    throw new NotTakenBack(answer.name, failure);
  }
}

/** docs/spec/product.md §5, §8 */
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
    return { message: TEXTS.failed, lines: [translated(failure.message)] };
  return { message: failure instanceof Error && failure.message !== '' ? failure.message : TEXTS.failed, lines: [] };
}

/** Stored although cancelled, and not undone. */
export class NotTakenBack extends Error {
  override readonly name = 'NotTakenBack';
  readonly tree: string;

  constructor(tree: string, cause: unknown) {
    super(reasonOf(cause), { cause });
    this.tree = tree;
  }
}

/** @param isInto it went into an existing group, which must not be deleted */
export function keptProblem({ tree, message }: NotTakenBack, isInto: boolean): ImportProblem {
  return { message: isInto ? TEXTS.notTakenBackInto(tree) : TEXTS.notTakenBack(tree), lines: [message] };
}

/** The connection or session ended when the server may have received everything. */
export function lostProblem(failure: unknown, isInto: boolean): ImportProblem {
  return { message: isInto ? TEXTS.lostInto : TEXTS.lost, lines: [reasonOf(failure)] };
}
