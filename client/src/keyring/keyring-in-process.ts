import type { KeyringWorker } from '../platform.ts';
import { describeFailure } from './describe-failure.ts';
import { serve, type Services } from './remote.ts';

/** The keyring's worker without a worker: its calls are cloned through a channel, so keys do not pass. */
export function keyringInProcess(services: Services): KeyringWorker {
  const { port1, port2 } = new MessageChannel();
  serve(port2, services, describeFailure);
  return {
    postMessage: (message, transfer = []) => port1.postMessage(message, transfer),
    set onmessage(listener: ((event: MessageEvent) => void) | null) {
      port1.onmessage = listener;
    },
    get onmessage() {
      return port1.onmessage;
    },
    terminate() {
      port1.close();
      port2.close();
    },
    onerror: null,
    onmessageerror: null,
  };
}
