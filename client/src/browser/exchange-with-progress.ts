import {
  CLEARING_HEADER,
  type Incoming,
  isClearing,
  NetworkError,
  OPERATION_HEADER,
  type Outgoing,
  REQUEST_TIMEOUT_MS,
  secondsOf,
  TimeoutError,
  watchSilence,
} from '../transport/exchange.ts';

/** Tells `onSent` how much has been sent, which `fetch` cannot. @throws NetworkError; the signal's reason when aborted */
export function exchangeByXhr(outgoing: Outgoing): Promise<Incoming> {
  const { method, url, headers, body, signal, onSent, silenceMs = REQUEST_TIMEOUT_MS } = outgoing;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(asError(signal.reason));
      return;
    }
    const xhr = new XMLHttpRequest();
    const watch = watchSilence(silenceMs, () => stop(new TimeoutError(silenceMs)));
    const stop = (reason: unknown) => {
      end();
      xhr.abort();
      reject(asError(reason));
    };
    const abort = () => stop(signal?.reason);
    const end = () => {
      watch.stop();
      signal?.removeEventListener('abort', abort);
    };
    signal?.addEventListener('abort', abort, { once: true });
    xhr.upload.onprogress = (event) => {
      watch.alive();
      onSent?.(event.loaded, event.total);
    };
    xhr.upload.onload = (event) => onSent?.(event.total, event.total);
    xhr.onprogress = watch.alive;
    xhr.onerror = () => {
      end();
      reject(new NetworkError('Network Error'));
    };
    xhr.onload = () => {
      end();
      resolve({
        status: xhr.status,
        contentType: xhr.getResponseHeader('content-type') ?? '',
        retryAfter: secondsOf(xhr.getResponseHeader('retry-after')),
        operationId: xhr.getResponseHeader(OPERATION_HEADER) ?? undefined,
        clearsStorage: isClearing(xhr.getResponseHeader(CLEARING_HEADER)),
        bytes: new Uint8Array(xhr.response instanceof ArrayBuffer ? xhr.response : new ArrayBuffer(0)),
      });
    };
    xhr.open(method, url);
    xhr.responseType = 'arraybuffer';
    xhr.withCredentials = true;
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.send(body ?? null);
  });
}

const asError = (reason: unknown) => (reason instanceof Error ? reason : new DOMException('Aborted', 'AbortError'));
