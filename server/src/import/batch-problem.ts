/** What can be wrong with a sealed batch, told with the place of the member (`batch.fields.3.revisions.0.cek_wrapped`). */
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError } from '@passwordbroker/core/contract/problem';

type Path = readonly (string | number)[];

const refusal = (path: Path, text: string) => new AppError('validation', { errors: { [path.join('.')]: [text] } });

/** A reference to something that is not in the batch, or not before this. */
export const unknownReference = (...path: Path) => refusal(path, TEXTS.unknown(labelOf(path.map(String))));

export const misplaced = (text: string, ...path: Path) => refusal(path, text);

/** A sealed member, or one that goes with it, of the wrong form. */
export const malformedAt = (path: Path, member: string) =>
  new AppError('bad_sealed_value', { errors: { [[...path, member].join('.')]: [TEXTS.malformed(labelOf([member]))] } });

/** Does the work; a refusal that names a member is told with the member's place in the batch. */
export function at<T>(path: Path, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw placed(path, error);
  }
}

/** As `at`, for work that takes its time. */
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
