import assert from 'node:assert/strict';
import { describeReason, type Reason } from '../../../server/hosting/model/reasons/reason.ts';
import { newId } from '../../../server/kernel/identifiers.ts';
import { buildStartOrder, containersOfFile, runCommand } from '../../support/containers.ts';
import { ENGINE_KIND } from '../../support/engine.ts';
import { buildSite, serverSite } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';

const NEVER = new AbortController().signal;

const { withEngine } = containersOfFile();

const deep = `node -e 'for (let i = 0; i < 2000; i++) { fs.mkdirSync("deep"); process.chdir("deep"); }' && sleep 1000`;

withEngine('a site that fills its disk is ended, be it beside its volumes or in one', async (at) => {
  const order = await buildStartOrder(at, serverSite('1'));
  const fill = (file: string) => `dd if=/dev/zero of=${file} bs=1M count=80 && sleep 1000`;
  const endOf = async (command: string) => {
    const instance = newId();
    await at.runtime.start({ ...order, instance, command });
    let how: Reason | undefined;
    await until(async () => {
      how = (await at.runtime.list()).find((one) => one.instance === instance)?.ended;
      return how !== undefined;
    }, 60_000);
    await at.runtime.stop(instance, 0);
    return how && describeReason(how, 'en');
  };
  assert.match((await endOf(fill('large'))) ?? '', /own folder.*64 MiB/);
  assert.match((await endOf(fill('$HOME/large'))) ?? '', /home.*64 MiB/);
  // Deeper than any path is long, where no engine comes.
  if (ENGINE_KIND === 'docker') assert.match((await endOf(deep)) ?? '', /own folder.*nested too deeply/);
});

withEngine(
  'a build that fills its disk is ended, be it its home, and what it left there goes',
  async (at, engine) => {
    const applicationId = newId();
    const turn = (command: string) =>
      buildSite(
        at,
        { ...serverSite('1'), settings: { build: command } },
        { applicationId, buildId: newId() },
      );
    const fill = (file: string, more = '&& sleep 1000') =>
      `dd if=/dev/zero of=${file} bs=1M count=80 ${more}`;
    await assert.rejects(turn(fill('large')), /The build’s output uses more than 64 MiB/);
    await assert.rejects(turn(fill('$HOME/large')), /home folder uses more than 64 MiB/);
    await turn(fill('$HOME/large', ''));
    const volume = `simcha-${applicationId}-cache`;
    await until(async () => !(await engine.usage(NEVER)).volumes.has(volume), 30_000);
    await at.builder.forget(applicationId, NEVER);
  },
);

withEngine('a command that fills its disk is ended', async (at) => {
  await at.runtime.list();
  const order = await buildStartOrder(at, serverSite('1'));
  const command = 'dd if=/dev/zero of=large bs=1M count=80 && sleep 1000';
  const { how } = await runCommand(at, order, command, { seconds: 120 });
  assert.match(describeReason(how, 'en'), /own folder.*64 MiB/);
});
