import { useComputedColorScheme } from '@mantine/core';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import classes from './product-picture.module.css';

const PICTURES = import.meta.glob<string>('../pictures/*.webp', {
  eager: true,
  import: 'default',
  query: '?url',
});

/** Picture of the console's guest list, in the language and color scheme of the page (`npm run pictures`). */
export function ProductPicture() {
  const say = useWords(words);
  const { language } = useLanguage();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const sourceOf = (size: 'desk' | 'phone') => PICTURES[`../pictures/${language}-${scheme}-${size}.webp`];
  return (
    <picture>
      <source media="(max-width: 47.99em)" srcSet={sourceOf('phone')} width={390} height={700} />
      <img
        src={sourceOf('desk')}
        width={1000}
        height={635}
        alt={say('pictureAbout')}
        loading="lazy"
        decoding="async"
        className={classes.picture}
      />
    </picture>
  );
}
