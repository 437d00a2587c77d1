import {
  BookOpen,
  Briefcase,
  Bug,
  Building2,
  Calendar,
  Camera,
  Car,
  Cloud,
  Code,
  CreditCard,
  Database,
  FileText,
  Globe,
  HardDrive,
  Heart,
  House,
  Key,
  Landmark,
  Lock,
  Mail,
  MessageCircle,
  Monitor,
  Phone,
  Plane,
  Plug,
  Printer,
  Router,
  Server,
  Shield,
  ShoppingCart,
  Smartphone,
  StickyNote,
  Terminal,
  User,
  Users,
  Wifi,
  type LucideIcon,
} from 'lucide-react';
import type { Entry } from '@passwordbroker/core/contract/entities';
import type { EntryIcon as IconName } from '@passwordbroker/core/domain/entry-marks';
import styles from './marks.module.css';

const ICONS: Readonly<Record<IconName, LucideIcon>> = {
  key: Key,
  server: Server,
  database: Database,
  'credit-card': CreditCard,
  terminal: Terminal,
  plug: Plug,
  'sticky-note': StickyNote,
  globe: Globe,
  mail: Mail,
  cloud: Cloud,
  router: Router,
  wifi: Wifi,
  monitor: Monitor,
  smartphone: Smartphone,
  printer: Printer,
  'hard-drive': HardDrive,
  code: Code,
  bug: Bug,
  shield: Shield,
  lock: Lock,
  landmark: Landmark,
  'shopping-cart': ShoppingCart,
  'building-2': Building2,
  briefcase: Briefcase,
  user: User,
  users: Users,
  phone: Phone,
  'message-circle': MessageCircle,
  calendar: Calendar,
  camera: Camera,
  car: Car,
  plane: Plane,
  house: House,
  heart: Heart,
  'book-open': BookOpen,
  'file-text': FileText,
};

const glyphs = Object.fromEntries(Object.entries(ICONS).map(([name, Icon]) => [name, <Icon key={name} size={14} />]));

/** The chosen icon, or the first letter of the title. Decorative: the title stands beside it. */
export function EntryIcon({ entry }: { readonly entry: Pick<Entry, 'icon' | 'title'> }) {
  const [letter = ''] = entry.title.trim();
  return (
    <span className={styles['icon']} aria-hidden="true">
      {glyphs[entry.icon ?? ''] ?? <span data-letter={letter.toUpperCase()} />}
    </span>
  );
}
