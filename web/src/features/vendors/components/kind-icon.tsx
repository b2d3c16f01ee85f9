import {
  Brush,
  Bus,
  CakeSlice,
  Camera,
  ClipboardList,
  Disc3,
  Flower2,
  Landmark,
  type LucideIcon,
  Mail,
  Music,
  Palette,
  ScrollText,
  Shapes,
  ShieldCheck,
  Shirt,
  UtensilsCrossed,
  Video,
  Wine,
} from 'lucide-react';
import { isVendorKind, type VendorKind } from '../api/search.ts';

const ICONS: Readonly<Record<VendorKind, LucideIcon>> = {
  hall: Landmark,
  catering: UtensilsCrossed,
  cakes: CakeSlice,
  bar: Wine,
  photographer: Camera,
  videographer: Video,
  dj: Disc3,
  band: Music,
  rabbi: ScrollText,
  flowers: Flower2,
  design: Palette,
  makeup: Brush,
  dress: Shirt,
  invitations: Mail,
  transport: Bus,
  security: ShieldCheck,
  planner: ClipboardList,
  other: Shapes,
};

export function KindIcon({ kind, size = 22 }: { kind: string | null; size?: number }) {
  const Icon = ICONS[isVendorKind(kind) ? kind : 'other'];
  return <Icon size={size} strokeWidth={1.75} style={{ flex: 'none' }} aria-hidden />;
}
