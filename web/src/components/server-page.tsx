import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import classes from './server-page.module.css';

interface MadePageProps {
  src: string;
  /** Name of the page's frame for screen readers. */
  title: string;
  /** Version of the data on the page; undefined while it is loading. A new version reloads the page. */
  version: string | undefined;
  /** CSS class that sets the size and border of the page's frame. */
  className?: string | undefined;
  /** True to block scripts, links and forms of the framed page, so that it can only be read. */
  isStill?: boolean;
}

/**
 * Frame that shows a page rendered by the server. A placeholder of the same size stands there until the page is loaded.
 */
export function ServerPage({ src, title, version, className, isStill = false }: MadePageProps) {
  const [shown, setShown] = useState<string>();
  const key = `${src} ${version}`;
  return (
    <div className={`${classes.frame} ${className}`}>
      {version !== undefined && (
        <iframe
          key={key}
          src={src}
          title={title}
          {...(isStill && { sandbox: '' })}
          onLoad={() => setShown(key)}
        />
      )}
      {shown !== key && <Skeleton className={classes.waiting} radius={0} />}
    </div>
  );
}
