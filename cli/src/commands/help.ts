/** Help, the manual page and completion, made from the commands. */
import type { Command, Option } from './command.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export const SHARED_OPTIONS: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', help: 'write one JSON document' },
  quiet: { type: 'boolean', short: 'q', help: 'no notices' },
  yes: { type: 'boolean', short: 'y', help: 'answer questions with yes' },
  'no-agent': { type: 'boolean', help: 'ask for the master password and keep nothing open' },
  help: { type: 'boolean', short: 'h', help: 'explain a command' },
};

const flagOf = (name: string, { short, value }: Option) =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;

const optionLines = (options: Readonly<Record<string, Option>>) => {
  const flags = Object.entries(options).map(([name, option]) => [flagOf(name, option), option.help] as const);
  const width = Math.max(...flags.map(([flag]) => flag.length));
  return flags.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}`);
};

const REFERENCES = [
  'A reference (REF) names a field or an entry: ops/databases/db/password, or pb://ops/databases/db/password.',
  'An entry alone stands for its password. Behind it, #login, #code or #name names another part.',
  'A name with a slash: write %2F. A thing by its id: id:….',
];

export function helpOf(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'pb: the command line of PasswordBroker',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    ...REFERENCES,
    '',
    'Explain a command: pb COMMAND --help',
    '',
  ].join('\n');
}

export function helpOfCommand({ name, usage, summary, options = {}, examples }: Command): string {
  return [
    `pb ${name} ${usage}`.trimEnd(),
    '',
    summary,
    '',
    ...optionLines({ ...options, ...SHARED_OPTIONS }),
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
    '',
  ].join('\n');
}

/** A manual page in roff. */
export function manualPage(commands: readonly Command[], version: string): string {
  const plain = (text: string) =>
    text
      .replaceAll('\\', '\\e')
      .replaceAll('-', '\\-')
      .replace(/^([.'])/, '\\&$1');
  const sections = commands.flatMap(({ name, usage, summary, options = {}, examples }) => [
    `.SS ${plain(`pb ${name} ${usage}`.trimEnd())}`,
    plain(summary),
    ...Object.entries(options).flatMap(([flag, option]) => [
      '.TP',
      `.B ${plain(flagOf(flag, option))}`,
      plain(option.help),
    ]),
    '.PP',
    'Examples:',
    ...examples.flatMap((example) => ['.br', plain(example)]),
  ]);
  return [
    `.TH PB 1 "" "pb ${version}" "PasswordBroker"`,
    '.SH NAME',
    'pb \\- the command line of PasswordBroker',
    '.SH REFERENCES',
    ...REFERENCES.map(plain),
    '.SH COMMANDS',
    ...sections,
    '.SH OPTIONS',
    ...Object.entries(SHARED_OPTIONS).flatMap(([flag, option]) => [
      '.TP',
      `.B ${plain(flagOf(flag, option))}`,
      plain(option.help),
    ]),
    '',
  ].join('\n');
}

/** Completes commands and their options. */
export function shellScript(shell: Shell, commands: readonly Command[]): string {
  const flagsOf = ({ options = {} }: Command) =>
    Object.keys({ ...options, ...SHARED_OPTIONS }).map((name) => `--${name}`);
  const names = commands.map(({ name }) => name).join(' ');
  if (shell === 'fish')
    return commands
      .flatMap((command) => [
        `complete -c pb -n __fish_use_subcommand -a ${command.name} -d '${command.summary.replaceAll("'", '')}'`,
        ...Object.entries({ ...command.options, ...SHARED_OPTIONS }).map(
          ([name, { help }]) =>
            `complete -c pb -n '__fish_seen_subcommand_from ${command.name}' -l ${name} -d '${help.replaceAll("'", '')}'`,
        ),
        '',
      ])
      .join('\n');
  const cases = commands.map((command) => `    ${command.name}) words='${flagsOf(command).join(' ')}' ;;`);
  const body = ['  case "$1" in', ...cases, `    *) words='${names}' ;;`, '  esac'];
  if (shell === 'zsh')
    return [
      '#compdef pb',
      '_pb_words() {',
      ...body,
      '}',
      '_pb() {',
      '  local words_before="${words[2]}" words',
      '  if (( CURRENT == 2 )); then _pb_words; else _pb_words "$words_before"; fi',
      '  compadd -- ${=words}',
      '}',
      'compdef _pb pb',
      '',
    ].join('\n');
  return [
    '_pb() {',
    '  local words',
    '  set -- "${COMP_WORDS[1]}"',
    '  [ "$COMP_CWORD" -eq 1 ] && set -- \'\'',
    ...body,
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _pb pb',
    '',
  ].join('\n');
}
