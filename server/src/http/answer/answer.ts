import type { Readable } from 'node:stream';
import type { RequestContext } from '../context.ts';

/** A value with another status. */
export class Answer<T> {
  readonly status: number;
  readonly value: T;
  constructor(status: number, value: T) {
    this.status = status;
    this.value = value;
  }
}

/** Not JSON; the contract has its type. */
export class Media {
  readonly body: Buffer | string | Readable;
  readonly headers: Readonly<Record<string, string>>;
  constructor(body: Buffer | string | Readable, headers: Readonly<Record<string, string>> = {}) {
    this.body = body;
    this.headers = headers;
  }
}

/** Prepared JSON, sent without validation; tests check it. */
export class WrittenJson {
  readonly body: Buffer;
  /** Encodes once: Node would do it twice, for the length and the socket. */
  constructor(json: string) {
    this.body = Buffer.from(json);
  }
}

export type SealedContext = Partial<Pick<RequestContext, 'deps' | 'files'>>;

/** 304: the client's `ETag` is current. */
export class NotModified {}

/** Continues with the endpoint's sealed handler. */
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
export const writtenJson = (json: string): WrittenJson => new WrittenJson(json);
export const sealedForm = <Body>(body: Body, context: SealedContext = {}): SealedForm<Body> =>
  new SealedForm(body, context);
