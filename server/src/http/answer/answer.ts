/** What a handler may return instead of the plain value of the contract. */
import type { Readable } from 'node:stream';
import type { RequestContext } from '../context.ts';

/** The value under another status: 200 for the repeat of a create, 503 for 'not ready'. */
export class Answer<T> {
  readonly status: number;
  readonly value: T;
  constructor(status: number, value: T) {
    this.status = status;
    this.value = value;
  }
}

/** An answer that is not JSON: the media type is the contract's. */
export class Media {
  readonly body: Buffer | string | Readable;
  readonly headers: Readonly<Record<string, string>>;
  constructor(body: Buffer | string | Readable, headers: Readonly<Record<string, string>> = {}) {
    this.body = body;
    this.headers = headers;
  }
}

/**
 * JSON text in the form of the contract, for answers of thousands of rows. It is sent unchecked;
 * tests compare it with the contract.
 */
export class WrittenJson {
  readonly body: Buffer | string;
  constructor(body: Buffer | string) {
    this.body = body;
  }
}

/** Replaces parts of the context for the sealed handler, for example with the sealed files. */
export type SealedContext = Partial<Pick<RequestContext, 'deps' | 'files'>>;

/** The client has the version of the `ETag`: 304 without a body. */
export class NotModified {}

/** The plain form, sealed: the sealed handler of the endpoint continues with it. */
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

/** Sends the id of the operation, by which a client can undo it at once (ADR 7). */
export function nameAct({ head }: Pick<RequestContext, 'head'>, operationId: string | null): void {
  if (operationId !== null) head.setHeader('x-operation-id', operationId);
}
