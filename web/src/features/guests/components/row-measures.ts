import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * Measures the height of a guest list's row and the distance of the first row from the top of the page, in pixels. They
 * change with what is above the list and with the font size.
 */
export function useRowMeasures(place: RefObject<HTMLElement | null>, rem: number) {
  const [measures, setMeasures] = useState({ height: rem * 16, margin: 0 });
  useLayoutEffect(() => {
    const measure = () => {
      const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const top = place.current?.getBoundingClientRect().top ?? 0;
      const next = { height: Math.round(rem * root), margin: Math.round(top + window.scrollY) };
      setMeasures((now) => (now.height === next.height && now.margin === next.margin ? now : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [place, rem]);
  return measures;
}
