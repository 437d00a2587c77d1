import { processTerminal } from '../commands/terminal.ts';
import { runCommandLine } from '../commands/run.ts';

// Files are private to this account (docs/spec/threats.md §3.1.36).
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2), process.env, processTerminal);
