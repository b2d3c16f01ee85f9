import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'אתר חדש', ar: 'موقع جديد', en: 'New site' },
} as const satisfies Catalogue;
