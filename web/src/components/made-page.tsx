import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import classes from './made-page.module.css';

interface MadePageProps {
  src: string;
  /** What it is called by screen readers. */
  title: string;
  /** Of what it was made from: another one is another page. undefined: it is not known yet. */
  version: string | undefined;
  /** How large it is, and its edge. */
  className?: string | undefined;
  /** It may do nothing but be read. */
  isStill?: boolean;
}

/** A page that the server makes, within ours. Until it is there something stands in its place, at its size. */
export function MadePage({ src, title, version, className, isStill = false }: MadePageProps) {
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
