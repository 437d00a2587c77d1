/** What works with keys in this process. The build puts it into a file of its own: with an agent, a command does not load it. */
export { WRITERS } from '@passwordbroker/core/domain/exchange/writers';
export { runAgent } from '../agent/agent.ts';
export { runConfig, runDoctor } from '../commands/settings.ts';
export { signIn, signOut } from '../commands/sign-in.ts';
export { createNodeClient } from './node-platform.ts';
export { operationsOf } from './operations.ts';
export { createServiceEngine, serviceSource } from './service-engine.ts';
