import { Box } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useWords } from '../lib/language-context.tsx';
import { words } from '../lib/problem-words.ts';
import { useServerReachable } from '../lib/server-reachability.ts';
import classes from './offline-bar.module.css';

/** Bar that says that the device is offline or the server unreachable, visible wherever the page is scrolled to. */
export function OfflineBar() {
  const say = useWords(words);
  const { online } = useNetwork();
  const isReached = useServerReachable();
  return (
    <Box role="status" className={classes.bar}>
      {!(online && isReached) && <p className={classes.said}>{say(online ? 'away' : 'offline')}</p>}
    </Box>
  );
}
