import * as z from 'zod/mini';
import { runAgent } from './agent/agent.ts';
import { agentNote } from './agent/agent-address.ts';
import { runCommandLine } from './command-line.ts';
import { EXIT } from './failure.ts';
import { processTerminal } from './terminal/terminal.ts';

// Files are for this account alone.
process.umask(0o077);
// The agent runs without `eval`.
z.config({ jitless: true });
// A reader that has enough, such as `head`, ends the command without a word.
process.stdout.on('error', () => process.exit(EXIT.failed));

if (process.argv[2] === 'agent') await runAgent(agentNote(process.env));
else process.exitCode = await runCommandLine(process.argv.slice(2), process.env, processTerminal());
process.exit();
