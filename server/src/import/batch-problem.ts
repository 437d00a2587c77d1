/** Errors by path, such as `batch.fields.3.revisions.0.cek_wrapped`. */
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError } from '@passwordbroker/core/contract/problem';

type Path = readonly (string | number)[];

const refusal = (path: Path, text: string) => new AppError('validation', { errors: { [path.join('.')]: [text] } });

/** The reference is missing in the batch, or comes later. */
export const unknownReference = (...path: Path) => refusal(path, TEXTS.unknown(labelOf(path.map(String))));

export const misplaced = (text: string, ...path: Path) => refusal(path, text);

export const malformedAt = (path: Path, member: string) =>
  new AppError('bad_sealed_value', { errors: { [[...path, member].join('.')]: [TEXTS.malformed(labelOf([member]))] } });

/** Prefixes the members of an `AppError` with the path. */
export function at<T>(path: Path, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw placed(path, error);
  }
}

export async function atAsync<T>(path: Path, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw placed(path, error);
  }
}

function placed(path: Path, error: unknown): unknown {
  if (!(error instanceof AppError) || error.errors === undefined) return error;
  const prefix = path.join('.');
  const errors = Object.fromEntries(Object.entries(error.errors).map(([key, texts]) => [`${prefix}.${key}`, texts]));
  return new AppError(error.code, { errors });
}
