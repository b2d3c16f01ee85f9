import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SessionLoading } from './session-loading.tsx';

const SIGN_IN = '/sign-in';

/** Leads to the sign-in page when the session ends while a page is open, and back to that page after the sign-in. */
export function SignedOut() {
  const navigate = useNavigate();
  const { href, pathname } = useLocation();
  useEffect(() => {
    // The address already names the sign-in page while that page is loading, so nothing has to be done.
    if (pathname === SIGN_IN) return;
    navigate({ to: SIGN_IN, search: { to: href }, replace: true }).catch(() => {});
  }, [navigate, href, pathname]);
  return <SessionLoading />;
}
