/** Fields by their names, in one call. */
import type { ResolvedField } from '@passwordbroker/core/contract/entries/resolve';
import { resolve } from '@passwordbroker/core/contract/entries/resolve';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { AnswerError } from '../../transport/answers.ts';
import type { Http } from '../../transport/http.ts';

export type NamedPlace = BodyOf<typeof resolve>['refs'][number];

/**
 * Fields for each place, in their order, at most ten; one call for each hundred places.
 * @returns null: the server does not know the call, or a name is longer than any
 */
export type Resolve = (places: readonly NamedPlace[]) => Promise<readonly (readonly ResolvedField[])[] | null>;

export const resolveNames =
  (http: Http): Resolve =>
  async (places) => {
    const found: (readonly ResolvedField[])[] = [];
    try {
      for (let at = 0; at < places.length; at += LIMITS.referencesAtOnce) {
        const refs = places.slice(at, at + LIMITS.referencesAtOnce);
        const { matches } = await http.call(resolve, { body: { refs } });
        if (matches.length !== refs.length) throw new AnswerError();
        found.push(...matches);
      }
    } catch (failure) {
      if (failure instanceof AppError && NOT_RESOLVED.has(failure.code)) return null;
      throw failure;
    }
    return found;
  };

const NOT_RESOLVED: ReadonlySet<string> = new Set(['not_found', 'validation']);
