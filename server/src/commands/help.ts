/** What `--help` says. */
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';

const column = (rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n');
};

export const HELP = `Usage: npx passwordbroker <command>

Commands:
${column(Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary]))}

  <command> --help tells more about one of them.

The configuration is that of the server: DATA_DIR and the other variables of the
environment. All but migrate, seed and backup restore may be used while the server runs.

Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong usage.`;

/** The help of one command. */
export function helpOf(name: string, { summary, details, args, options }: Command): string {
  const named = args.map((arg) => ` <${arg}>`).join('');
  const rows = Object.entries(options).map(([option, { value, help }]): [string, string] => [
    `--${option}${value === undefined ? '' : ` <${value}>`}`,
    help,
  ]);
  return [
    `Usage: npx passwordbroker ${name}${named}${rows.length === 0 ? '' : ' [options]'}`,
    '',
    summary,
    ...details,
    ...(rows.length === 0 ? [] : ['', column(rows)]),
  ].join('\n');
}
