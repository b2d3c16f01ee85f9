import { createLink, type LinkProps } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useRef } from 'react';
import classes from './section-nav.module.css';

interface Part {
  name: string;
  label: string;
  /** Search parameters of the link that opens this section of the page. */
  search: LinkProps['search'];
}

interface PartsNavProps {
  label: string;
  parts: readonly Part[];
  open: string;
}

const PartLink = createLink(({ isOpen, ...props }: ComponentProps<'a'> & { isOpen: boolean }) => (
  <a {...props} className={classes.part} aria-current={isOpen ? 'true' : undefined} />
));

/** Navigation between the sections of a page. On a phone it scrolls sideways, with the open section in view. */
export function SectionNav({ label, parts, open }: PartsNavProps) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time another section is open
  useEffect(() => {
    const openLink = nav.current?.querySelector('[aria-current]');
    openLink?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [open]);
  return (
    <nav ref={nav} aria-label={label} className={classes.parts}>
      {parts.map(({ name, label, search }) => (
        <PartLink key={name} to="." search={search} resetScroll={false} isOpen={name === open}>
          {label}
        </PartLink>
      ))}
    </nav>
  );
}
