import type { Catalogue } from '../../../lib/words.ts';

/** Names of meals, diets and allergies. */
export const words = {
  regular: { he: 'רגיל', ar: 'عادي', en: 'Regular' },
  vegetarian: { he: 'צמחוני', ar: 'نباتي', en: 'Vegetarian' },
  vegan: { he: 'טבעוני', ar: 'نباتي صرف', en: 'Vegan' },
  kosher: { he: 'כשר', ar: 'كوشير', en: 'Kosher' },
  mehadrin: { he: 'מהדרין (גלאט)', ar: 'مهدرين', en: 'Mehadrin (glatt)' },
  chalav_yisrael: { he: 'חלב ישראל', ar: 'حلاف يسرائيل', en: 'Chalav Yisrael' },
  childrens_meals: { he: 'מנות ילדים', ar: 'وجبات أطفال', en: 'Children’s meals' },
  allergies: { he: 'אלרגיות', ar: 'الحساسية', en: 'Allergies' },
} as const satisfies Catalogue;
