import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { migrations } from './migrations.ts';

// Databases hold what a file said when it ran there, so a file stays as it was. A new one gets its line here.

const FROZEN: Readonly<Record<string, string>> = {
  '0001-writes': '64274edd80a7df08289ca043bf9b019751cb1197333817e935d18fc6a1cff8f1',
  '0002-identity': '9094293374c95bd413f65d66c653a2a31790f001c7ccb6903f6faf34934bf815',
  '0003-mail': '3815bc90f010aca85ec06e64dc11131e2a64dff6e24b7e9713dcf1c397d9aa84',
  '0004-events': '3e19aca7b41814f7638f4565a162d5623295803436f2481d4e729df9b9c42ed2',
  '0005-guests': 'b4fcc5bef8259426bfc06b760a9da5bc7e01c715ac8d667ca568108efaba8ad8',
  '0006-answers': '7acd64b0f673f64e607b9a388f614ead99043ec2f5ce8fba3b5cf5ba45ae505f',
  '0007-rounds': '282caa12c58161d5544f2388777f02112f84c7d697fb464c96f2507081eb7f66',
  '0008-vendors': '9f3e95607f62c9c5043416d9ea6451c8ecfe6282a4ab3f2dba6dde3baf23952e',
  '0009-tallies': '07e6b32dde1cc4fb4e11c2d24d7569179452699f0332eb3711960b9fbbeeca4e',
  '0010-checklist': 'c2cb88436b4a4b7a9e1431d72ce2d6191db073135bf2967f6b1369c86d5b4f16',
  '0011-retention': '90e466e9eafdbda7c4db2e6e6de1b4f734967bbd117d7a2b20fb94d5b98929f1',
  '0012-applications': '8927879350823178393dbf2134feb11a5c542a2ee776cc15cde5caa1466d7894',
  '0013-deployments': '67b082863e7a5bfa857f48dc19cd8d111f0a33b9972d2ba2c0f3fe547f4c4b39',
  '0014-domains': '29916629a673d12e649dce5ea83bf7f2fa84f481f63998145543ec7e0d793b74',
  '0015-logs': '560451e110c890a46a81b970a7b903c5922cb855ab6b3e89619637d04e52ee25',
  '0016-fleet': '4fe443579e7ec689ad7b80fe1595980f54c4a37193e7dd034071577cbea151d3',
  '0017-deliveries': '450a109292ea8ba7e156cb4fa57b656e66bffe3627e6043649038692bcf93341',
  '0018-deleted-guests': '7297f18247195aceb9b6982a5be70ff52a7d756f512be0c9febdab82c960d429',
  '0019-questions': 'acf612f0754ac2df42903bcd9f31f71470d58c94a7517d90386776896f731353',
  '0020-calendar-feeds': '2dd7f4933a11d4bf3b992fa2f3d036fe8f4b504ee044bbe6709aa5974731ea1d',
  '0021-pictures': '3701e06c0b756da798c34306e23fc3c930cc7e57d548c4fc0aac23fe503c6512',
  '0022-agenda': 'e7f3503c2e685b68316b7cc075f610325b28e267be9fa267c91704e117b9b136',
  '0023-sessions': 'e7c59efa07c3131f022458767d830c94f17204b1c5cf51c8d6a9f12eec555321',
  '0024-deleted-events': 'cf53bf44cf373b459b33154320f3f705be172bed41ff98d255a8ea90bdf6f9fb',
  '0025-visits': '5efd95c680f4eddf2eb321bcd60e21c5443f579f1b979525852a217b6b3f5667',
  '0026-example-events': '59fd8f045014b78425b7f13eb5f10926bbe179eeb48db3145003b3b2157feb13',
  '0027-builds': '45193823e6e1d4d475fa40c1a7fef7339850f5b137369feee24870e4a281ebbf',
  '0028-processes': '734241416272b4649dda982a3fa7c5a764428371214404897c7443a5b55020ed',
  '0029-plans': '23741d25ea996fb28b219a94adc00e31cc7ff40832f2a2f3d07c2bc82aecd68d',
  '0030-runs': 'a4447eb3574f7128110a6a9b0b206bfb706108124826a212d6c56835af82a31e',
  '0031-volumes': '73d0bc55d6c48ea538e7e0f20c6612b652c485cc50b670f46371268cadc919e4',
  '0032-few-of-many': 'a0c8e1b14a01836918b14042722c59e60b4f9338a40ac54af92714345f332919',
  '0033-plan-requests': 'bb541cfac57799861631c6d7132cc05b3527a287a0f11013c5afa56aab4800df',
  '0034-previews': 'f0eefe32bce70ca22df94933955edb2dad1e2765967e70568a5bf56dd2848f1f',
  '0035-node-versions': '5730e565616ed67b6d66c4498b75b9eace91fb5ccf7dc27f1214608911354b4f',
  '0036-clusters': '88f34492b299ea433b7006f86670cdbf05473eef85439c63617aec05e78ad185',
  '0037-volume-contents': 'ee23c15cdc8672d8567facf8100b864d29177a210ba980dde39e1aa7c41ec0ac',
  '0038-kept-contents': 'a47cbacf7389a5da482e4849348528969273b5aebbed551048760a8d67c5665f',
  '0039-code-requests': '1223cffdbbf9598667062872ff9ff48f34f381d3f91a970feb31a64c9d2fb2e9',
  '0040-mail-senders': '6fa07e1b44cf52d61b99551951c21a2cb0ed494e8c706949d9fd7c4d151b2757',
  '0041-owner-budgets': 'e5a05ec3be4f80b0d2ab0df8d8190fefde032d940268b4febdd16692e0292677',
  '0042-open-tunnels': '24d141d403d399849e72381fe023e278b7967873edc91208260113bd644648f4',
  '0043-request-networks': '60fd2489006146c8c4887f843b60fc119c2544f28c5a2a4b34f51066794d8922',
};

const files = globSync('[0-9]*.ts', { cwd: import.meta.dirname }).sort();
const sourceOf = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

test('the list names every file, numbered in the order in which they run', () => {
  const names = Object.keys(migrations);
  assert.deepEqual(
    names.map((name) => `${name}.ts`),
    files,
  );
  for (const [index, name] of names.entries()) {
    assert.match(name, new RegExp(`^${String(index + 1).padStart(4, '0')}-[a-z-]+$`));
  }
});

test('a migration stays as it was', () => {
  for (const file of files) {
    const hash = createHash('sha256').update(sourceOf(file)).digest('hex');
    const frozen = FROZEN[file.replace('.ts', '')];
    assert.ok(frozen, `${file} is new: add its line to FROZEN, '${file.replace('.ts', '')}': '${hash}'`);
    assert.equal(
      hash,
      frozen,
      `${file} has changed. A database that ran it never runs it again: put it back, and add a new file for the change. ` +
        `Only while no release has it (CHANGELOG.md has no released version) may it change: then its hash here ` +
        `becomes ${hash}, in the same commit.`,
    );
  }
  assert.deepEqual(Object.keys(FROZEN), Object.keys(migrations));
});

test('a migration stands alone: what it imported could change beneath it', () => {
  for (const file of files) {
    const imports = [...sourceOf(file).matchAll(/from '([^']+)'/g)].map(([, target]) => target);
    assert.deepEqual(imports, ['kysely'], file);
  }
});
