import type { LanguageName } from '../../kernel/languages.ts';
import type { Diet } from './fields.ts';

/** Names of the kinds of meals in the plural, for organizers and caterers. */
export const mealWords: Readonly<Record<LanguageName, Readonly<Record<Diet, string>>>> = {
  hebrew: {
    vegetarian: 'צמחוניות',
    vegan: 'טבעוניות',
    kosher: 'כשרות',
    mehadrin: 'כשרות למהדרין (גלאט)',
    chalav_yisrael: 'חלב ישראל',
    childrens_meals: 'מנות ילדים',
  },
  arabic: {
    vegetarian: 'نباتية',
    vegan: 'نباتية صرفة (فيغان)',
    kosher: 'كوشير',
    mehadrin: 'كوشير مهدرين (چلات)',
    chalav_yisrael: 'حلاف يسرائيل',
    childrens_meals: 'وجبات أطفال',
  },
  english: {
    vegetarian: 'Vegetarian',
    vegan: 'Vegan',
    kosher: 'Kosher',
    mehadrin: 'Mehadrin (glatt)',
    chalav_yisrael: 'Chalav Yisrael',
    childrens_meals: 'Children’s meals',
  },
};

/** Names of the kinds of meals in the singular, for the guest who eats one. */
export const oneMealWords: typeof mealWords = {
  hebrew: {
    ...mealWords.hebrew,
    vegetarian: 'צמחונית',
    vegan: 'טבעונית',
    kosher: 'כשרה',
    mehadrin: 'כשרה למהדרין (גלאט)',
    childrens_meals: 'מנת ילדים',
  },
  arabic: { ...mealWords.arabic, childrens_meals: 'وجبة أطفال' },
  english: { ...mealWords.english, childrens_meals: 'Children’s meal' },
};
