/** The worker that holds all keys; no other part of the client has access. */
import { DEFAULT_KDF, KDF_PROFILES } from '@passwordbroker/core/crypto/kdf';
import { browserName } from '../account/browser-name.ts';
import { argon2InWorker, startDerivingEarly } from './argon2-in-worker.ts';
import { openDeviceShelf } from './device-shelf.ts';
import { describeFailure } from './describe-failure.ts';
import { serve, type Port } from './remote.ts';
import { createServices } from './services.ts';

const scope = self as unknown as Port;

serve(
  scope,
  createServices(
    { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2InWorker },
    openDeviceShelf(),
    null,
    browserName(navigator.userAgent) ?? undefined,
  ),
  describeFailure,
);

startDerivingEarly();
