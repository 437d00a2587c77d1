import { serveDerivations } from '@passwordbroker/client/browser/keyring/derive';

serveDerivations();
