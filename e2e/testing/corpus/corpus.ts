/** All pages of the corpus, written by hand after forms of well-known sites and frameworks. */
import { FRAMEWORK_PAGES } from './frameworks.ts';
import { HARDER_PAGES } from './harder.ts';
import { OTHER_PAGES } from './others.ts';
import { SIGN_IN_PAGES } from './sign-in.ts';
import { STEP_PAGES } from './steps.ts';

export const CORPUS = [...SIGN_IN_PAGES, ...FRAMEWORK_PAGES, ...STEP_PAGES, ...OTHER_PAGES, ...HARDER_PAGES];
