/** Results that a handler may return instead of the plain value of the contract. */
import type { Readable } from 'node:stream';
import type { RequestContext } from '../context.ts';

/** The value with another status, for example 200 for a repeated create. */
export class Answer<T> {
  readonly status: number;
  readonly value: T;
  constructor(status: number, value: T) {
    this.status = status;
    this.value = value;
  }
}

/** A response that is not JSON, with the contract's media type. */
export class Media {
  readonly body: Buffer | string | Readable;
  readonly headers: Readonly<Record<string, string>>;
  constructor(body: Buffer | string | Readable, headers: Readonly<Record<string, string>> = {}) {
    this.body = body;
    this.headers = headers;
  }
}

/**
 * Prepared JSON text for responses of thousands of rows. Sent without validation; tests compare it with the
 * contract.
 */
export class WrittenJson {
  readonly body: Buffer | string;
  constructor(body: Buffer | string) {
    this.body = body;
  }
}

/** Replaces parts of the context for the sealed handler. */
export type SealedContext = Partial<Pick<RequestContext, 'deps' | 'files'>>;

/** Sends 304: the client has the version of the `ETag`. */
export class NotModified {}

/** The plain form after sealing; the endpoint's sealed handler continues with it. */
export class SealedForm<Body> {
  readonly body: Body;
  readonly context: SealedContext;
  constructor(body: Body, context: SealedContext) {
    this.body = body;
    this.context = context;
  }
}

export const answer = <T>(status: number, value: T): Answer<T> => new Answer(status, value);
export const media = (body: Buffer | string | Readable, headers: Readonly<Record<string, string>> = {}): Media =>
  new Media(body, headers);
export const writtenJson = (body: Buffer | string): WrittenJson => new WrittenJson(body);
export const sealedForm = <Body>(body: Body, context: SealedContext = {}): SealedForm<Body> =>
  new SealedForm(body, context);

/** Sends the operation id, with which a client can undo the operation (ADR 7). */
export function nameAct({ head }: Pick<RequestContext, 'head'>, operationId: string | null): void {
  if (operationId !== null) head.setHeader('x-operation-id', operationId);
}
