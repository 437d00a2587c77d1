/**
 * Delays, drops or replaces requests of a page. `page.route` is not used: it waits for every worker of the
 * page, and a terminating worker never replies.
 */
import type { CDPSession, Page } from 'playwright-core';

export interface CaughtRequest {
  readonly method: string;
  /** Continues to the server, or with the response to the page. */
  goOn(): Promise<void>;
  /** The page sees a broken connection. */
  lose(): Promise<void>;
  answer(body: string, status?: number): Promise<void>;
}

export interface CaughtAnswer extends CaughtRequest {
  text(): Promise<string>;
}

interface Paused {
  requestId: string;
  request: { method: string };
  responseStatusCode?: number;
  responseHeaders?: { name: string; value: string }[];
}

/**
 * Intercepts requests to `pattern` (`*` is any text, `?` any character or none) before the server gets them,
 * until the returned function is called.
 */
export const beforeSending = (page: Page, pattern: string, act: (caught: CaughtRequest) => Promise<void>) =>
  intercept(page, pattern, 'Request', (session, paused) => act(caughtRequest(session, paused)));

/** The same for responses: the server has handled the request. */
export const beforeAnswer = (page: Page, pattern: string, act: (caught: CaughtAnswer) => Promise<void>) =>
  intercept(page, pattern, 'Response', (session, paused) =>
    act({
      ...caughtRequest(session, paused),
      text: async () => {
        const { body, base64Encoded } = await session.send('Fetch.getResponseBody', { requestId: paused.requestId });
        return Buffer.from(body, base64Encoded ? 'base64' : 'utf8').toString();
      },
    }),
  );

export const lost = (caught: CaughtRequest) => caught.lose();

async function intercept(
  page: Page,
  urlPattern: string,
  requestStage: 'Request' | 'Response',
  act: (session: CDPSession, paused: Paused) => Promise<void>,
): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', (paused) => void unlessGivenUp(act(session, paused)));
  // Cached responses would not be requested.
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Fetch.enable', { patterns: [{ urlPattern, requestStage }] });
  return () => session.detach();
}

function caughtRequest(session: CDPSession, paused: Paused): CaughtRequest {
  const { requestId, request, responseStatusCode, responseHeaders = [] } = paused;
  return {
    method: request.method,
    goOn: async () => void (await session.send('Fetch.continueRequest', { requestId })),
    lose: async () => void (await session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })),
    answer: async (body, status = responseStatusCode ?? 200) =>
      void (await session.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: status,
        responseHeaders: responseHeaders.filter(({ name }) => !/^content-(encoding|length)$/i.test(name)),
        body: Buffer.from(body).toString('base64'),
      })),
  };
}

/**
 * A request may be cancelled by the page, or the interception may end, while it is held; the browser then
 * continues it.
 */
async function unlessGivenUp(sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
  } catch (error) {
    if (!/Invalid InterceptionId|has been closed/.test(String(error))) throw error;
  }
}
