import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { Ref } from 'react';

interface AnchorButtonProps extends ButtonProps {
  ref?: Ref<HTMLAnchorElement>;
}

/** A button that leads to a page of ours; what it needs to be told is known from where it leads. */
export const ButtonLink = createLink(({ ref, ...props }: AnchorButtonProps) => (
  <Button component="a" ref={ref} {...props} />
));
