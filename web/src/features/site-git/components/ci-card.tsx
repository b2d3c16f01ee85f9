import { List, SegmentedControl, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { Application } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { CI_SERVICES, type CiService, DEPLOY_SCRIPT, pipelineFile } from '../api/ci-lines.ts';
import { words } from '../words.ts';
import classes from './ci-card.module.css';

/** Lines with which a pipeline deploys the commit that it has tested. */
export function CiCard({ name, site }: { name: string; site: Application }) {
  const say = useWords(words);
  const [service, setService] = useState<CiService>('github');
  const { path, content } = pipelineFile(service, location.origin, name);
  return (
    <Card title={say('ciTitle')}>
      <Stack>
        <Text>{say('ciAbout')}</Text>
        <List type="ordered" spacing="md" styles={{ itemWrapper: { display: 'block' } }}>
          <List.Item>
            <Stack gap="sm" align="flex-start">
              <Text>{say('ciToken', { name: 'SIMCHA_TOKEN' })}</Text>
              <ButtonLink
                to="/settings/tokens"
                search={{ scope: 'deploy', application: site.application_uuid }}
                variant="default"
                leftSection={<KeyRound size={18} aria-hidden />}
              >
                {say('createToken')}
              </ButtonLink>
            </Stack>
          </List.Item>
          <List.Item>
            <Stack gap="sm">
              <Text>{say('ciScript')}</Text>
              <CodeBlock title="deploy.sh" code={DEPLOY_SCRIPT} copyLabel={say('copyFile')} />
            </Stack>
          </List.Item>
          <List.Item>
            <Stack gap="sm">
              <Text>{say('ciPipeline')}</Text>
              <SegmentedControl
                aria-label={say('service')}
                value={service}
                className={classes.choice}
                onChange={(value) => setService(value as CiService)}
                data={CI_SERVICES.map((value) => ({
                  value,
                  label: pipelineFile(value, location.origin, name).name,
                }))}
              />
              <CodeBlock title={path} code={content} copyLabel={say('copyFile')} />
            </Stack>
          </List.Item>
        </List>
      </Stack>
    </Card>
  );
}
