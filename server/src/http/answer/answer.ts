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

/** A response that is not JSON; its type is the contract's. */
export class Media {
  readonly body: Buffer | string | Readable;
  readonly headers: Readonly<Record<string, string>>;
  constructor(body: Buffer | string | Readable, headers: Readonly<Record<string, string>> = {}) {
    this.body = body;
    this.headers = headers;
  }
}

/** Prepared JSON text for thousands of rows, sent without validation; tests compare it with the contract. */
export class WrittenJson {
  readonly body: Buffer | string;
  constructor(body: Buffer | string) {
    this.body = body;
  }
}

export type SealedContext = Partial<Pick<RequestContext, 'deps' | 'files'>>;

/** Sends 304: the client's `ETag` is current. */
export class NotModified {}

/** The sealed form of a plain body; the endpoint's sealed handler continues with it. */
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

/** Sends the operation id, with which the client can undo (ADR 7). */
export function nameAct({ head }: Pick<RequestContext, 'head'>, operationId: string | null): void {
  if (operationId !== null) head.setHeader('x-operation-id', operationId);
}
