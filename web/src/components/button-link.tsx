import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { Ref } from 'react';

interface AnchorButtonProps extends ButtonProps {
  ref?: Ref<HTMLAnchorElement>;
}

/** Link to a page of the console that looks like a button. Its parameters are typed by the route. */
export const ButtonLink = createLink(({ ref, ...props }: AnchorButtonProps) => (
  <Button component="a" ref={ref} {...props} />
));
