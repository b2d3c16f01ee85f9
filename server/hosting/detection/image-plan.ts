import type { Finding } from '../model/finding.ts';
import { commandOf, type ImageConfig, ownImageOf } from '../model/image-config.ts';
import type { ImagePlan, Plan, PlanSettings } from '../model/plan.ts';
import { WEB } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';

/**
 * Plan for a site that runs an image by its name: the image's own command and port, unless the application sets them.
 * Throws RuntimeFailure if there is no command.
 */
export function planOfImage(
  image: ImagePlan,
  config: ImageConfig,
  { start, port }: Pick<PlanSettings, 'start' | 'port'>,
): Plan {
  const own = ownImageOf(config);
  if (!start && own.lacksCommand)
    throw new RuntimeFailure(reason('no_command_in_image', { image: image.name }));
  const findings: Finding[] = [
    { kind: 'line', line: 'image', value: `${image.name} (${image.digest})`, by: 'settings' },
    start
      ? { kind: 'line', line: 'start', value: start, by: 'settings' }
      : { kind: 'line', line: 'start', value: shownWords(commandOf(config)), by: 'image' },
  ];
  if (port) findings.push({ kind: 'line', line: 'port', value: String(port), by: 'settings' });
  else if (own.port !== undefined)
    findings.push({ kind: 'line', line: 'port', value: String(own.port), by: 'image' });
  return {
    build: { kind: 'server', steps: [], publish: [], image },
    run: { processes: { [WEB]: start ?? '' }, ...(port && { port }) },
    findings,
  };
}

/** Words of a command as one line for people: words with other characters than usual ones are quoted. */
function shownWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}
