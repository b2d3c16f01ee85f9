import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import classes from './back-link.module.css';

interface BackProps extends AnchorProps {
  ref?: Ref<HTMLAnchorElement>;
  children?: ReactNode;
}

/** Above a page that belongs to a list: the way back to it. */
export const BackLink = createLink(({ ref, children, ...props }: BackProps) => (
  <Anchor ref={ref} underline="hover" {...props} className={classes.back}>
    <ArrowLeft size={18} aria-hidden className="turns" />
    {children}
  </Anchor>
));
