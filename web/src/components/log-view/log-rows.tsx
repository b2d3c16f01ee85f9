import { UnstyledButton } from '@mantine/core';
import { Check, ChevronRight, CircleAlert, CircleSlash, LoaderCircle, type LucideIcon } from 'lucide-react';
import { memo } from 'react';
import { useWords } from '../../lib/language-context.tsx';
import type { Span } from './ansi.ts';
import type { LogEntry } from './log-lines.ts';
import type { Section, StepState } from './log-steps.ts';
import classes from './log-view.module.css';
import { partsOf } from './marks.ts';
import { words } from './words.ts';

interface LineRowProps {
  entry: LogEntry;
  /** Searched text in lower case, which is marked in the line. */
  searched: string;
  /** True for the match to which the user went. */
  isFound: boolean;
}

/** Line of a log with its time. */
export const LineRow = memo(({ entry: { time, process, text, level }, searched, isFound }: LineRowProps) => (
  <div className={classes.line} data-level={level} data-found={isFound || undefined}>
    {time && (
      <time dateTime={time} className={classes.time} title={time}>
        {clockTime(time)}
      </time>
    )}
    {process && <span className={classes.process}>{process}</span>}
    {/* A text in Hebrew or Arabic keeps its own direction within the line. */}
    <bdi className={classes.text}>
      {partsOf(text, searched).map(({ isMatch, spans }, at) => {
        const Part = isMatch ? 'mark' : 'span';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line change only with the search
          <Part key={at}>
            <ColoredText spans={spans} />
          </Part>
        );
      })}
    </bdi>
  </div>
));

function ColoredText({ spans }: { spans: readonly Span[] }) {
  return spans.map((span, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the spans of a part never change
    <span key={at} className={classNameOf(span)} data-color={span.color}>
      {span.text}
    </span>
  ));
}

const classNameOf = ({ isBold, isDim }: Span): string | undefined =>
  isBold ? classes.bold : isDim ? classes.dim : undefined;

/** Time of day in the browser's time zone: `14:05:09`. */
function clockTime(iso: string): string {
  const at = new Date(iso);
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

const ICONS: Readonly<Record<StepState, LucideIcon>> = {
  running: LoaderCircle,
  done: Check,
  failed: CircleAlert,
  ended: CircleSlash,
};

interface StepHeaderProps {
  section: Section;
  isFolded: boolean;
  onToggle(): void;
}

/** Header of a step with its duration, which folds the step's lines. */
export function StepHeader({
  section: { step = '', state, seconds, from, to },
  isFolded,
  onToggle,
}: StepHeaderProps) {
  const say = useWords(words);
  const Icon = ICONS[state];
  return (
    <UnstyledButton className={classes.step} data-state={state} aria-expanded={!isFolded} onClick={onToggle}>
      <ChevronRight size={16} aria-hidden className={classes.chevron} />
      <Icon size={16} aria-hidden className={classes.state} />
      <span>{isStepName(step) ? say(step) : step}</span>
      {isFolded && to > from && <span className={classes.folded}>+{to - from}</span>}
      {seconds !== undefined && <span className={classes.seconds}>{say('seconds', { n: seconds })}</span>}
    </UnstyledButton>
  );
}

const STEP_NAMES = ['source', 'node', 'install', 'build', 'pull', 'push', 'release', 'start'] as const;
type StepName = (typeof STEP_NAMES)[number];
const isStepName = (step: string): step is StepName => (STEP_NAMES as readonly string[]).includes(step);
