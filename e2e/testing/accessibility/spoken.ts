/** Faults of the accessibility tree that the browser gives to a screen reader. */
import type { CDPSession, Page } from 'playwright-core';

/** The members used here; the protocol has more. */
interface AXNode {
  readonly nodeId: string;
  readonly childIds?: readonly string[];
  readonly ignored: boolean;
  readonly role?: { readonly value?: string };
  readonly name?: { readonly value?: string };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
  readonly backendDOMNodeId?: number;
}

const INTERACTIVE = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'listbox',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'PopUpButton',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
  'treeitem',
]);
/** Roles that need a name, because users tell them apart by it. */
const NAMED = new Set([
  'dialog',
  'alertdialog',
  'grid',
  'table',
  'treegrid',
  'tablist',
  'radiogroup',
  'image',
  'img',
  'menu',
]);
const LANDMARKS = new Set(['banner', 'complementary', 'contentinfo', 'form', 'main', 'navigation', 'region', 'search']);

const roleOf = ({ role }: AXNode) => role?.value ?? '';
const nameOf = ({ name }: AXNode) => (name?.value ?? '').trim();
const property = (node: AXNode, name: string) => node.properties?.find((one) => one.name === name)?.value.value;

/** Every fault as a line; empty on a good page. Chromium only. */
export async function spokenFaults(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: readonly AXNode[] };
    const told = inReadingOrder(nodes).filter(({ ignored }) => !ignored);
    const nameless = told.filter(
      (node) => (INTERACTIVE.has(roleOf(node)) || NAMED.has(roleOf(node))) && nameOf(node) === '',
    );
    const lines = await Promise.all(
      nameless.map(async (node) => `${roleOf(node)} without a name: ${await markupOf(session, node)}`),
    );
    return [...lines, ...landmarkFaults(told), ...headingFaults(told), ...repeatedNames(told)];
  } finally {
    await session.detach();
  }
}

/** The protocol returns the nodes level by level. */
function inReadingOrder(nodes: readonly AXNode[]): readonly AXNode[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const ordered: AXNode[] = [];
  const waiting = nodes.slice(0, 1);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    ordered.push(node);
    const children = (node.childIds ?? []).map((id) => byId.get(id));
    waiting.push(...children.filter((child) => child !== undefined).reverse());
  }
  return ordered;
}

function landmarkFaults(told: readonly AXNode[]): readonly string[] {
  const seen = new Map<string, number>();
  for (const node of told) {
    if (!LANDMARKS.has(roleOf(node))) continue;
    // A form or region without a name is no landmark.
    if (nameOf(node) === '' && /^(form|region)$/.test(roleOf(node))) continue;
    const key = `${roleOf(node)} “${nameOf(node)}”`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return [...seen].filter(([, count]) => count > 1).map(([key, count]) => `${count} landmarks: ${key}`);
}

/** In a dialog the page behind it is not in the tree. Content before the main part may start with level 2. */
function headingFaults(told: readonly AXNode[]): readonly string[] {
  const headings = told.filter((node) => roleOf(node) === 'heading');
  const levels = headings.map((node) => Number(property(node, 'level')));
  const hasDialog = told.some((node) => roleOf(node).endsWith('dialog'));
  const faults: string[] = [];
  headings.forEach((node, at) => {
    const level = levels[at] ?? 0;
    const before = levels[at - 1] ?? 1;
    if (level > before + 1) faults.push(`heading of level ${level} after ${before}: ${nameOf(node)}`);
    if (nameOf(node) === '') faults.push(`heading of level ${level} without a name`);
  });
  const first = levels.filter((level) => level === 1).length;
  if (!hasDialog && first !== 1) faults.push(`${first} headings of level 1`);
  return faults;
}

/** Containers with the name of the open dialog: a screen reader would say it twice. */
function repeatedNames(told: readonly AXNode[]): readonly string[] {
  const dialog = told.findLast((node) => roleOf(node).endsWith('dialog'));
  if (dialog === undefined) return [];
  return told
    .slice(told.indexOf(dialog) + 1)
    .filter((node) => (NAMED.has(roleOf(node)) || LANDMARKS.has(roleOf(node))) && nameOf(node) === nameOf(dialog))
    .map((node) => `${roleOf(node)} named like its dialog: ${nameOf(node)}`);
}

async function markupOf(session: CDPSession, { backendDOMNodeId }: AXNode): Promise<string> {
  if (backendDOMNodeId === undefined) return '';
  const { outerHTML } = await session.send('DOM.getOuterHTML', { backendNodeId: backendDOMNodeId });
  return outerHTML.slice(0, 200);
}
