import { createContext, type ReactNode, useContext } from 'react';
import type { Application } from 'simcha-client';
import classes from './for-role.module.css';

type Role = Application['role'];

/** Tells whether the user's role in the open site allows what a role allows; set by the frame of a site's pages. */
export const RoleCheck = createContext<(required: Role) => boolean>(() => true);

interface ForRoleProps {
  atLeast: Role;
  children: ReactNode;
}

/** Buttons and forms of a page of a site that are shown only to those whose role allows what they do. */
export function ForRole({ atLeast, children }: ForRoleProps) {
  const isAllowed = useContext(RoleCheck);
  return isAllowed(atLeast) ? children : null;
}

/** Form that those without the role can only read: its fields are disabled, and its buttons are hidden. */
export function ReadOnlyBelow({ atLeast, children }: ForRoleProps) {
  const isAllowed = useContext(RoleCheck);
  if (isAllowed(atLeast)) return children;
  return (
    <fieldset disabled className={classes.readOnly}>
      {children}
    </fieldset>
  );
}
