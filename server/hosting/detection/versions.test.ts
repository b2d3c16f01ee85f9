import assert from 'node:assert/strict';
import { test } from 'node:test';
import { satisfiesVersion, versionRequests } from './versions.ts';

test('a version that is asked for is found where each tool writes it', () => {
  const asked = (texts: Record<string, string>, language = 'Python') =>
    versionRequests(language, texts, false);
  assert.deepEqual(asked({ '.python-version': '# ours\n3.12.4\n', 'runtime.txt': 'python-3.10' }), [
    { version: '3.12.4', by: '.python-version', isBound: false },
  ]);
  assert.deepEqual(asked({ 'runtime.txt': 'python-3.11.9\n' })[0]?.version, '3.11.9');
  assert.deepEqual(asked({ '.ruby-version': 'ruby-3.3.0\n' }, 'Ruby')[0]?.version, '3.3.0');
  const pyproject = { 'pyproject.toml': '[project]\nname = "x"\nrequires-python = ">=3.12"\n' };
  assert.deepEqual(asked(pyproject), [{ version: '>=3.12', by: 'pyproject.toml', isBound: true }]);
  assert.deepEqual(versionRequests('Python', pyproject, true), [], 'pip looks after it by itself');
  const told = (texts: Record<string, string>, language = 'Python') =>
    asked(texts, language).map(({ version, by, isBound }) => [version, by, isBound]);
  assert.deepEqual(told({ '.tool-versions': 'nodejs 24.1\npython 3.12.1 3.11\n' }), [
    ['3.12.1', '.tool-versions', false],
  ]);
  assert.deepEqual(told({ Pipfile: '[requires]\npython_version = "3.12"\n' }), [['3.12', 'Pipfile', false]]);
  assert.deepEqual(told({ 'go.mod': 'module x\n\ngo 1.22.1\n' }, 'Go'), [['>=1.22.1', 'go.mod', true]]);
  assert.deepEqual(
    told(
      {
        'rust-toolchain.toml': '[toolchain]\nchannel = "1.84.0"\n',
        'Cargo.toml': '[package]\nrust-version = "1.80"\n',
      },
      'Rust',
    ),
    [
      ['1.84.0', 'rust-toolchain.toml', false],
      ['>=1.80', 'Cargo.toml', true],
    ],
  );
  assert.deepEqual(told({ 'rust-toolchain': 'stable\n' }, 'Rust'), []);
  assert.deepEqual(told({ 'rust-toolchain': '1.75\n' }, 'Rust'), [['1.75', 'rust-toolchain', false]]);
  assert.deepEqual(asked({ '.python-version': '\n', 'pyproject.toml': 'requires-python = [' }), []);
});

test('a version does for what is asked', () => {
  const does = (version: string, isBound: boolean, has = '3.11.2') =>
    satisfiesVersion(has, { version, by: 'a file', isBound });
  for (const [version, expected] of [
    ['3.11', true],
    ['3.11.9', true],
    ['3', true],
    ['3.1', false],
    ['3.12', false],
    ['pypy3.10', false],
  ] as const) {
    assert.equal(does(version, false), expected, version);
  }
  for (const [version, expected] of [
    ['>=3.9', true],
    ['>=3.9,<3.11', false],
    ['>=3.9, <4', true],
    ['~=3.11', true],
    ['~=3.11.0', true],
    ['~=3.10.0', false],
    ['~=3.12', false],
    ['==3.11.*', true],
    ['==3.10.*', false],
    ['==3.11.2', true],
    ['!=3.11.*', false],
    ['!=3.11.1', true],
    ['>3.11.2', false],
    ['<=3.11.2', true],
    ['', true],
    ['what is this', true],
  ] as const) {
    assert.equal(does(version, true), expected, version);
  }
  assert.equal(does('>=1.70', true, 'rustc 1.63.0 (4b91a6ea7 2022-08-08)'), false);
  assert.equal(does('1.63', false, 'rustc 1.63.0 (4b91a6ea7 2022-08-08)'), true);
  const go = { version: '>=1.99', by: 'go.mod', isBound: true, obtainedSince: '1.21' };
  assert.equal(satisfiesVersion('go version go1.19.8 linux/amd64', go), false);
  assert.equal(satisfiesVersion('go version go1.26.0 linux/amd64', go), true, 'Go downloads it by itself');
});
