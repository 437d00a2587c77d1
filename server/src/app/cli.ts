/** The process of the command line; the commands are in `commands/`. */
import { processTerminal } from '../commands/terminal.ts';
import { runCommandLine } from '../commands/run.ts';

// Private to its account (docs/spec/threats.md §3.1.36).
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2), process.env, processTerminal);
