import type { RequestContext } from '../http/context.ts';

export const HISTORY_ROWS = 200;

/**
 * Sets the header `Link` (RFC 8288) and returns the page.
 * @param rows newest first, one more than `limit` if there are older ones
 */
export function historyPage<Row extends { readonly field_edit_log_id: string }>(
  { head, url }: Pick<RequestContext, 'head' | 'url'>,
  rows: readonly Row[],
  limit: number,
): readonly Row[] {
  const [path = ''] = url.split('?');
  const link = (rel: string, before = '') => `<${path}?limit=${limit}${before}>; rel="${rel}"`;
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? [link('next', `&before=${page.at(-1)?.field_edit_log_id ?? ''}`)] : [];
  head.setHeader('link', [link('first'), ...next].join(', '));
  return page;
}
