/** What can be wrong with a sealed batch, told with the place of the member (`batch.fields.3.revisions.0.cek_wrapped`). */
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError } from '@passwordbroker/core/contract/problem';

type Path = readonly (string | number)[];

const refusal = (code: 'validation' | 'bad_sealed_value', path: Path, text: string) =>
  new AppError(code, { errors: { [path.join('.')]: [text] } });

/** Sealed bytes that have not the form they must have. */
export const malformed = (...path: Path) =>
  refusal('bad_sealed_value', path, TEXTS.malformed(labelOf(path.map(String))));

export const missing = (...path: Path) => refusal('validation', path, TEXTS.required(labelOf(path.map(String))));

/** A reference to something that is not in the batch, or not before this. */
export const unknownReference = (...path: Path) =>
  refusal('validation', path, TEXTS.unknown(labelOf(path.map(String))));

export const misplaced = (text: string, ...path: Path) => refusal('validation', path, text);
