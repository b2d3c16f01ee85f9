import { Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowUpFromLine } from 'lucide-react';
import { useState } from 'react';
import type { Application } from 'simcha-client';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { siteNameOf, sitesQuery, useSite } from '../../sites/api/sites.ts';
import { usePromoteTo } from '../api/promotion.ts';
import { promotionTargets } from '../api/promotion-targets.ts';
import type { SiteRelease } from '../api/release-list.ts';
import { words } from '../words.ts';

interface PromoteReleaseProps {
  release: SiteRelease;
  title: string;
}

/** Button that takes a release live on another site of the user; absent if there is none. */
export function PromoteRelease({ release, title }: PromoteReleaseProps) {
  const say = useWords(words);
  const { site } = useSite();
  const { data: sites = [] } = useQuery(sitesQuery);
  const [isOpen, setOpen] = useState(false);
  const targets = promotionTargets(site, sites);
  if (targets.length === 0) return null;
  return (
    <>
      <Button
        variant="subtle"
        leftSection={<ArrowUpFromLine size={18} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {say('promote')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        attributes={{ header: { role: 'none' } }}
        title={say('promoteTitle', { title })}
        closeButtonProps={{ 'aria-label': say('keepHere'), size: 44 }}
      >
        <TargetForm release={release} targets={targets} onCancel={() => setOpen(false)} />
      </Modal>
    </>
  );
}

interface TargetFormProps {
  release: SiteRelease;
  targets: readonly Application[];
  onCancel(): void;
}

/** Form that chooses the other site, says what happens there, and opens the deployment. */
function TargetForm({ release, targets, onCancel }: TargetFormProps) {
  const say = useWords(words);
  const { site } = useSite();
  const navigate = useNavigate();
  const promotion = usePromoteTo(site);
  const [name, setName] = useState(() => (targets[0] ? siteNameOf(targets[0]) : ''));
  const target = targets.find((one) => siteNameOf(one) === name);
  const promote = () => {
    if (!target) return;
    const opened = ({ deployment_uuid: deploymentId }: { deployment_uuid: string }) => {
      navigate({ to: '/sites/$name/deployments/$deploymentId', params: { name, deploymentId } }).catch(
        () => {},
      );
    };
    promotion.mutate({ target, deployment: release.deployment }, { onSuccess: opened });
  };
  return (
    <Stack>
      <NativeSelect
        label={say('promoteTo')}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data={targets.map((one) => ({ value: siteNameOf(one), label: `${one.name} (${one.subdomain})` }))}
        data-autofocus
      />
      <Text size="sm">{say('promoteAbout')}</Text>
      <ProblemNote error={promotion.error} />
      <Group>
        <Button variant="default" onClick={onCancel}>
          {say('keepHere')}
        </Button>
        <Button onClick={promote} loading={promotion.isPending} disabled={!target}>
          {say('promoteNow')}
        </Button>
      </Group>
    </Stack>
  );
}
