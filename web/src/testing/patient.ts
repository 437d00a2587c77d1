/** What is waited for comes at once on a quiet machine; a busy one is no failure. For tests of screens over a real server. */
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 10_000 });
