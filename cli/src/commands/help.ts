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

/** Completes commands, their options, and names in the vault while it is unlocked. */
export function shellScript(shell: Shell, commands: readonly Command[]): string {
  if (shell === 'fish') return fishScript(commands);
  const flagsOf = ({ options = {} }: Command) =>
    Object.keys({ ...options, ...SHARED_OPTIONS }).map((name) => `--${name}`);
  const withPaths = commands.filter(({ completesPaths }) => completesPaths).map(({ name }) => name);
  const body = [
    '  case "$1" in',
    ...commands.map((command) => `    ${command.name}) candidates='${flagsOf(command).join(' ')}' ;;`),
    `    *) candidates='${commands.map(({ name }) => name).join(' ')}' ;;`,
    '  esac',
  ];
  const isPath = ['  case "$1" in', `    ${withPaths.join('|')}) return 0 ;;`, '  esac', '  return 1'];
  return (shell === 'zsh' ? ZSH : BASH)
    .map((line) => (line === WORDS ? body.join('\n') : line === HAS_PATHS ? isPath.join('\n') : line))
    .join('\n');
}

const [WORDS, HAS_PATHS] = ['words', 'has paths'];

const ZSH = [
  '#compdef pb',
  '_pb_words() {',
  WORDS,
  '}',
  '_pb_has_paths() {',
  HAS_PATHS,
  '}',
  '_pb() {',
  '  local command="${words[2]}" current="${(Q)words[CURRENT]}" candidates',
  '  if (( CURRENT == 2 )); then',
  '    _pb_words',
  '    compadd -- ${=candidates}',
  '  elif [[ "$current" == -* ]]; then',
  '    _pb_words "$command"',
  '    compadd -- ${=candidates}',
  '  elif _pb_has_paths "$command"; then',
  '    compadd -S \'\' -- ${(f)"$(pb completion paths "$current" 2>/dev/null)"}',
  '  else',
  '    _files',
  '  fi',
  '}',
  'compdef _pb pb',
  '',
];

const BASH = [
  '_pb_words() {',
  WORDS,
  '}',
  '_pb_has_paths() {',
  HAS_PATHS,
  '}',
  '_pb() {',
  '  local candidates command="${COMP_WORDS[1]}" current="${COMP_WORDS[COMP_CWORD]}" line',
  '  COMPREPLY=()',
  '  if [ "$COMP_CWORD" -eq 1 ]; then',
  '    _pb_words',
  '    COMPREPLY=($(compgen -W "$candidates" -- "$current"))',
  '  elif [[ "$current" == -* ]]; then',
  '    _pb_words "$command"',
  '    COMPREPLY=($(compgen -W "$candidates" -- "$current"))',
  '  elif _pb_has_paths "$command"; then',
  // As typed, without what quotes blanks.
  '    current="${current//\\\\/}"',
  '    while IFS= read -r line; do COMPREPLY+=("$(printf \'%q\' "$line")"); done < <(pb completion paths "$current" 2>/dev/null)',
  '    [ "${#COMPREPLY[@]}" -gt 0 ] && compopt -o nospace 2>/dev/null',
  '  fi',
  '  return 0',
  '}',
  'complete -o default -F _pb pb',
  '',
];

function fishScript(commands: readonly Command[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", '’')}'`;
  return commands
    .flatMap(({ name, summary, options, completesPaths }) => {
      const within = `complete -c pb -n '__fish_seen_subcommand_from ${name}'`;
      const takes = ({ value }: Option) =>
        value === undefined ? '' : value === 'FILE' || value === 'PATH' ? ' -r -F' : ' -x';
      return [
        `complete -c pb -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
        ...Object.entries({ ...options, ...SHARED_OPTIONS }).map(
          ([flag, option]) =>
            `${within}${option.short === undefined ? '' : ` -s ${option.short}`} -l ${flag}${takes(option)} -d ${quoted(option.help)}`,
        ),
        ...(completesPaths === true ? [`${within} -f -a '(pb completion paths (commandline -ct) 2>/dev/null)'`] : []),
        '',
      ];
    })
    .join('\n');
}
