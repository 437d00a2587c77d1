#!/usr/bin/env node
import { agentNote } from './agent/agent-address.ts';
import { runCommandLine } from './command-line.ts';
import { EXIT } from './failure.ts';
import { OUTPUT_CLOSED, processTerminal } from './terminal/terminal.ts';

// Files are for this account alone.
process.umask(0o077);
const terminal = processTerminal();
// Of a program of `run` whose output is masked.
process.stdout.on('error', () => {
  terminal.note(OUTPUT_CLOSED);
  process.exit(EXIT.failed);
});
process.stderr.on('error', () => process.exit(EXIT.failed));

if (process.argv[2] === 'agent') {
  const { runAgent } = await import('./engine/engine.ts');
  await runAgent(agentNote(process.env));
} else process.exitCode = await runCommandLine(process.argv.slice(2), process.env, terminal);
process.exit();
