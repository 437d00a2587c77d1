/** What a handler may answer instead of the plain value that the contract promises. */
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
 * JSON that its writer has already given the form of the contract, member by member: for answers of thousands of rows, which are not made into objects and
 * walked again to be written. Nothing looks at it any more, so a test holds it against the contract.
 */
export class WrittenJson {
  readonly body: Buffer | string;
  constructor(body: Buffer | string) {
    this.body = body;
  }
}

/** What the sealed handler sees otherwise than the plain one did: files sealed meanwhile, an act that carries more. */
export type SealedContext = Partial<Pick<RequestContext, 'deps' | 'files'>>;

/** The client has the version of the `ETag`: 304 without a body. */
export class NotModified {}

/** The plain form turned into the sealed form: the sealed handler of the endpoint goes on with it. */
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
