/** How easily a password is guessed, with dictionaries. They are loaded by sites that ask for it alone. */

/**
 * The estimator blocks the event loop for longer with longer texts, so only the first characters
 * are scored.
 */
const LONGEST = 72;

type Check = (password: string, about: string[]) => { readonly score: number };

let loading: Promise<Check> | null = null;

async function load(): Promise<Check> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  const dictionary = { ...common.dictionary, ...english.dictionary };
  const estimator = new ZxcvbnFactory({ graphs: common.adjacencyGraphs, dictionary });
  return (password, about) => estimator.check(password, about);
}

/**
 * zxcvbn score from 0 to 4, as in the web client.
 * @param about name and e-mail of the person: easy to guess
 */
export async function passwordScore(password: string, about: readonly string[]): Promise<number> {
  loading ??= load();
  const check = await loading;
  const words = about.flatMap((text) => text.split(/[\s@.]+/)).filter((word) => word.length > 2);
  return check(password.slice(0, LONGEST), words).score;
}
