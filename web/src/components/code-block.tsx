import { Group, Text } from '@mantine/core';
import classes from './code-block.module.css';
import { CopyText } from './copy-text.tsx';

interface CodeBlockProps {
  /** Name of the block, such as the path of the file that it belongs into. */
  title: string;
  code: string;
  copyLabel: string;
}

/** Lines of code or of a file, with a button that copies them. */
export function CodeBlock({ title, code, copyLabel }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      <Group justify="space-between" gap="xs" className={classes.head}>
        <Text size="sm" fw={500} dir="ltr">
          {title}
        </Text>
        <CopyText text={code} label={copyLabel} variant="subtle" />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls long lines */}
      <pre className={classes.code} dir="ltr" tabIndex={0}>
        {code}
      </pre>
    </div>
  );
}
