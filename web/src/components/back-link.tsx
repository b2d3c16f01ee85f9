import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import classes from './back-link.module.css';

interface BackProps extends AnchorProps {
  ref?: Ref<HTMLAnchorElement>;
  children?: ReactNode;
}

/** Link above a page that leads back to the list to which the page belongs. */
export const BackLink = createLink(({ ref, children, ...props }: BackProps) => (
  <Anchor ref={ref} underline="hover" {...props} className={classes.back}>
    <ArrowLeft size={18} aria-hidden className="turns" />
    {children}
  </Anchor>
));
