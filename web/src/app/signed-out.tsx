import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Opening } from './opening.tsx';

/** The session has ended while the page was open: back to where one was, once one has signed in again. */
export function SignedOut() {
  const navigate = useNavigate();
  const { href } = useLocation();
  useEffect(() => {
    navigate({ to: '/sign-in', search: { to: href }, replace: true }).catch(() => {});
  }, [navigate, href]);
  return <Opening />;
}
