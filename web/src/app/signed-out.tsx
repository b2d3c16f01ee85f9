import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Opening } from './opening.tsx';

const SIGN_IN = '/sign-in';

/** The session has ended while the page was open: back to where one was, once one has signed in again. */
export function SignedOut() {
  const navigate = useNavigate();
  const { href, pathname } = useLocation();
  useEffect(() => {
    // On its way there already, which takes until that page is loaded.
    if (pathname === SIGN_IN) return;
    navigate({ to: SIGN_IN, search: { to: href }, replace: true }).catch(() => {});
  }, [navigate, href, pathname]);
  return <Opening />;
}
