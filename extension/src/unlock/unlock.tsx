import '@passwordbroker/ui/styles/base.css';
import { inChosenLanguage } from '../texts/language.ts';

void inChosenLanguage(async () => (await import('./unlock-page.tsx')).showUnlock());
