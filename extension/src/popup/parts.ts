/** The two parts that the popup calls. */
import { callBackground, connectKeeper } from '../calls.ts';
import type { BackgroundOperations } from '../background/operations.ts';
import type { KeeperOperations } from '../keeper/operations.ts';

export const background = callBackground<BackgroundOperations>();
export const keeper = connectKeeper<KeeperOperations>(() => background('keeperStarted'));
