/** `verify-web`: compares the web client that a server gives out with the release that this program is of (decision R5, threats W8). */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareSite } from '../releases/compare-site.ts';
import type { Difference } from '../releases/compare-site.ts';
import { readRelease } from '../releases/release-manifest.ts';
import { CommandError, EXIT, UsageError } from './command.ts';
import type { Command } from './command.ts';

/** Where the build puts it: beside this program. */
const OWN = join(dirname(fileURLToPath(import.meta.url)), 'release.json');

export const verifyWeb: Command = {
  summary: 'Compares the web client that a server gives out with that of this program’s own build.',
  details: [
    'Run it on a machine that you trust, from a tree that you trust, not on the server itself. It asks as',
    'anybody would: a server that gives other files to other people is not found out by asking once.',
  ],
  args: ['url'],
  options: {
    manifest: { value: 'file', help: 'The release.json of another build; else the one of this program.' },
  },
  async run(call) {
    const { terminal, args } = call;
    const origin = originOf(args[0] ?? '');
    const [path = OWN] = call.values('manifest');
    const release = await readRelease(path);
    if (release === null) throw new CommandError('There is no list of a release: give --manifest, or build first.');
    const differences = await compareSite(origin, release);
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
    // Told below.
  }
  throw new UsageError('The address is that of the site: https://vault.example.org');
}

function sentenceOf({ kind, address }: Difference): string {
  switch (kind) {
    case 'changed':
      return `${address} is not the file of the release.`;
    case 'missing':
      return `${address} is not there.`;
    case 'unreadable':
      return `${address} could not be read.`;
    case 'added':
      return `${address} is not part of the release.`;
    case 'policy':
      return `${address} comes with a policy that lets more than the client’s own files run.`;
  }
}
