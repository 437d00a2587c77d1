/** The table of a run, and its comparison with `budget.json`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { number } from './measure.ts';
import type { Measure } from './measure.ts';

const DOCUMENT = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const BUDGET = fileURLToPath(new URL('../budget.json', import.meta.url));
/** How much worse than the budget a ratio may be. */
const SLACK = 0.2;

const ratioOf = ({ ratio }: Measure) => (ratio === null ? '' : number(ratio));
const yesOrNo = (holds: boolean) => (holds ? 'yes' : 'no');

/** A time or rate that misses the goal is also converted to the reference machine. */
function goalOf({ goal }: Measure, slowness: number): string {
  if (goal === null) return '';
  const here = `${goal.text}: ${yesOrNo(goal.holds)}`;
  if (goal.holds) return here;
  const { ms, aSecond } = goal;
  if (ms !== undefined)
    return `${here}; ${number(ms.value / slowness)} ms there: ${yesOrNo(ms.value / slowness < ms.most)}`;
  if (aSecond === undefined) return here;
  const there = aSecond.value * slowness;
  return `${here}; ${number(there)} there: ${yesOrNo(there >= aSecond.least)}`;
}

/** @param slowness see `machine-speed.ts` */
export function tableOf(measures: readonly Measure[], slowness: number): string {
  const rows = measures.map((measure) => [
    measure.what,
    measure.value,
    measure.limit,
    ratioOf(measure),
    goalOf(measure, slowness),
  ]);
  return markdownTable([['what', 'measured', 'limit in the same run', 'ratio', 'asked for'], ...rows]);
}

/** @param lines the first one is the head */
export function markdownTable(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0), 3));
  const text = lines.map((line) => `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [text[0], rule, ...text.slice(1)].join('\n');
}

/** Replaces the text between `<!-- name -->` and the next `<!-- end -->` in `docs/performance.md`. */
export function writeSection(name: string, text: string): void {
  const page = readFileSync(DOCUMENT, 'utf8');
  const begin = `<!-- ${name} -->`;
  const [before = '', rest] = page.split(begin);
  if (rest === undefined) throw new Error(`docs/performance.md has no ${begin}`);
  const after = rest.slice(rest.indexOf('<!-- end -->'));
  writeFileSync(DOCUMENT, `${before}${begin}\n\n${text}\n\n${after}`);
}

type Budget = Readonly<Record<string, number>>;

export function writeBudget(measures: readonly Measure[]): void {
  const ratios = measures.flatMap(({ what, ratio }) => (ratio === null ? [] : [[what, Number(ratio.toPrecision(3))]]));
  writeFileSync(BUDGET, `${JSON.stringify(Object.fromEntries(ratios), null, 2)}\n`);
}

/** @returns one sentence for each ratio that is missing, or worse than the budget by more than a fifth */
export function overBudget(measures: readonly Measure[]): string[] {
  if (!existsSync(BUDGET)) return ['There is no budget: run with --budget first.'];
  const budget = JSON.parse(readFileSync(BUDGET, 'utf8')) as Budget;
  return Object.entries(budget).flatMap(([what, allowed]) => {
    const measure = measures.find((one) => one.what === what);
    const ratio = measure?.ratio ?? null;
    if (measure === undefined || ratio === null) return [`${what}: not measured`];
    const isWorse = measure.isMoreBetter ? ratio < allowed * (1 - SLACK) : ratio > allowed * (1 + SLACK);
    return isWorse ? [`${what}: ${number(ratio)}, the budget says ${number(allowed)}`] : [];
  });
}
