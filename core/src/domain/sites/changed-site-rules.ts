import { type SiteMode, type SiteRules, siteRulesOf } from './site-rules.ts';

/**
 * The rules of a link that gets another value or mode. If its value was a web address, the first rule came from it and
 * is replaced; the others were added by a person and stay, unless the link is offered nowhere.
 * @param former `rules` undefined: those of its value
 */
export function changedSiteRules(
  former: { readonly value: string; readonly rules: SiteRules | undefined },
  value: string,
  mode?: SiteMode,
): SiteRules {
  const ofFormer = siteRulesOf(former.value);
  const hadOwn = ofFormer.length > 0;
  const rules = former.rules ?? ofFormer;
  const own = siteRulesOf(value, mode ?? (hadOwn ? rules[0]?.mode : undefined));
  return own[0]?.mode === 'never' ? own : [...own, ...rules.slice(hadOwn ? 1 : 0)];
}
