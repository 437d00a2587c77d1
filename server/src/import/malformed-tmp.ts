import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError } from '@passwordbroker/core/contract/problem';
export const malformed = (...path: readonly (string | number)[]) =>
  new AppError('bad_sealed_value', { errors: { [path.join('.')]: [TEXTS.malformed(labelOf(path.map(String)))] } });
