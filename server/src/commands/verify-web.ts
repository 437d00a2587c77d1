/** `verify-web` (docs/spec/decisions.md R5, docs/spec/threats.md §3.2). */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareSite, type Difference, readRelease } from '../releases/compare-site.ts';
import { CommandError, EXIT, UsageError } from './command.ts';
import type { Command } from './command.ts';

/** The build puts it next to this program. */
const OWN = join(dirname(fileURLToPath(import.meta.url)), 'release.json');

export const verifyWeb: Command = {
  summary: 'Compares the web client that a server gives out with that of this program’s own build.',
  details: [
    'Run it on a machine that you trust, from a tree that you trust, not on the server itself. It asks as',
    'anybody would: a server that gives other files to other people is not found out by asking once.',
    'Headers are compared with those that this program gives, so a proxy must leave them as they are.',
  ],
  args: ['url'],
  options: {
    manifest: { value: 'file', help: 'The release.json of another build; else the one of this program.' },
    'connect-origin': {
      value: 'origin',
      help: 'One of the site’s CONNECT_ORIGINS, in their order.',
      isRepeatable: true,
    },
  },
  async run(call) {
    const { terminal, args } = call;
    const origin = originOf(args[0] ?? '');
    const connectOrigins = call.values('connect-origin').map(originOf);
    const [path = OWN] = call.values('manifest');
    const release = await readRelease(path);
    if (release === null) throw new CommandError('There is no list of a release: give --manifest, or build first.');
    const differences = await compareSite({ origin, connectOrigins }, release);
    for (const difference of differences) terminal.tell(sentenceOf(difference));
    const count = Object.keys(release.files).length;
    const isSame = differences.length === 0;
    terminal.say(
      isSame
        ? `${origin} gives out the ${count} files of release ${release.version}.`
        : `${origin} does not give out release ${release.version}: ${differences.length} differences.`,
    );
    return isSame ? EXIT.done : EXIT.failed;
  },
};

function originOf(url: string): string {
  try {
    const { origin, protocol, pathname, search } = new URL(url);
    if (/^https?:$/.test(protocol) && pathname === '/' && search === '') return origin;
  } catch {
    // Thrown below.
  }
  throw new UsageError('The address is that of the site: https://vault.example.org');
}

function sentenceOf(difference: Difference): string {
  const { address } = difference;
  switch (difference.kind) {
    case 'changed':
      return `${address} is not the file of the release.`;
    case 'missing':
      return `${address} is not there.`;
    case 'unreadable':
      return `${address} could not be read.`;
    case 'added':
      return `${address} is not part of the release.`;
    case 'header':
      return `${address} does not come with the header ${difference.name} as the release gives it.`;
  }
}
