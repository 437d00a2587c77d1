import '@passwordbroker/ui/styles/base.css';
import { inChosenLanguage } from '../texts/language.ts';
import { beginOpening } from './parts.ts';

beginOpening();
void inChosenLanguage(async () => (await import('./app.tsx')).showPopup());
