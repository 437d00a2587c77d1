/** Checks docs/specification-coverage.md against the tests of the repository. */

interface Sentence {
  readonly text: string;
  readonly tests: readonly { readonly file: string; readonly name: string }[];
}

/** Number of sentences of each section, in the order of the specification. */
const SECTIONS: Readonly<Record<string, number>> = {
  '§1 What the product does': 13,
  '§2 Top-level routes': 1,
  '§2 Main application': 28,
  '§2 Identity': 6,
  '§2 Admin panel': 11,
  '§3 Entities and their fields': 25,
  '§4 States and transitions': 47,
  '§5 Validation rules': 27,
  '§6 Roles and permissions': 10,
  '§7 Calls': 3,
  '§7 Calls: entry groups and entries': 24,
  '§7 Calls: identity': 17,
  '§7 Calls: system': 3,
  '§8 Error catalogue': 29,
  '§9 Constants and limits': 25,
};

/**
 * Faults of the page: missing sections, wrong numbers of sentences, sentences without a test,
 * missing files and names.
 * @param sourceOf null for a file that does not exist
 */
export function coverageFaults(page: string, sourceOf: (file: string) => string | null): string[] {
  const sections = sectionsOf(page);
  const counted = Object.entries(SECTIONS).flatMap(([title, count]) => {
    const found = sections.get(title)?.length ?? 0;
    return found === count ? [] : [`${title}: ${found} sentences instead of ${count}`];
  });
  const unknown = [...sections.keys()].filter((title) => !Object.hasOwn(SECTIONS, title));
  const faulty = [...sections.values()].flat().flatMap((sentence) => faultsOf(sentence, sourceOf));
  return [...counted, ...unknown.map((title) => `${title}: no section of the specification`), ...faulty];
}

function sectionsOf(page: string): ReadonlyMap<string, Sentence[]> {
  const sections = new Map<string, Sentence[]>();
  for (const block of page.split(/^## /m).slice(1)) {
    const [title = '', ...lines] = block.split('\n');
    const items = lines.join('\n').split(/^- /m).slice(1);
    sections.set(title, items.map(sentenceOf));
  }
  return sections;
}

function sentenceOf(item: string): Sentence {
  const [text = '', ...below] = item.trim().split('\n');
  const tests = below.flatMap((line) => {
    const [, file, name] = /^ {2}- `([^`]+)`: (.+)$/.exec(line) ?? [];
    return file === undefined || name === undefined ? [] : [{ file, name: name.replaceAll('\\', '') }];
  });
  return { text, tests };
}

function faultsOf({ text, tests }: Sentence, sourceOf: (file: string) => string | null): string[] {
  if (tests.length === 0) return [`No test for: ${text}`];
  return tests.flatMap(({ file, name }) => {
    const source = sourceOf(file);
    if (source === null) return [`${file} is not there: ${text}`];
    return hasName(source, name) ? [] : [`${file} has no test “${name}”: ${text}`];
  });
}

/** Source text before the name of a test, a `describe`, a table of tests, or a row of a table. */
const CALL = String.raw`(?:\b(?:test|it|describe)(?:\.\w+)*|[)>])\(\s*|\[\s*`;

/** A name that ends with `…` is a prefix. */
function hasName(source: string, name: string): boolean {
  const start = name
    .replace(/…$/, '')
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll("'", String.raw`\\?'`);
  const end = name.endsWith('…') ? '' : String.raw`\1`;
  return new RegExp(`(?:${CALL})(['"\`])${start}${end}`).test(source);
}
