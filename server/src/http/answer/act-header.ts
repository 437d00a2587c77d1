/** The header by which a client can take an act back at once (ADR 0007). */
import type { RequestContext } from '../context.ts';

export function nameAct({ head }: Pick<RequestContext, 'head'>, operationId: string | null): void {
  if (operationId !== null) head.setHeader('x-operation-id', operationId);
}
