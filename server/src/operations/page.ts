import { LIMITS } from '@passwordbroker/core/domain/limits';

export interface PageQuery {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

export function spanOf({ page = 1, perPage = LIMITS.pageDefault }: PageQuery) {
  return { offset: (page - 1) * perPage, limit: perPage };
}

/** A page (docs/spec/api.md §1.2); `total` counts all pages. */
export function pageOf<T>(data: T[], total: number, { page = 1, perPage = LIMITS.pageDefault }: PageQuery) {
  return { data, current_page: page, last_page: Math.max(1, Math.ceil(total / perPage)), per_page: perPage, total };
}
