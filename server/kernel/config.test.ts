import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigError, readConfig, unknownNamesInFile } from './config.ts';

const wrong = (variables: Record<string, string>, said: RegExp) =>
  assert.throws(
    () => readConfig(variables),
    (error) => error instanceof ConfigError && said.test(error.message),
  );

test('nothing needs to be set', () => {
  const config = readConfig({});
  assert.deepEqual(
    [config.host, config.port, config.publicUrl, config.databaseUrl, config.rateLimit],
    ['127.0.0.1', 3000, 'http://localhost:3000', undefined, 6000],
  );
  assert.deepEqual(readConfig({ PORT: '', DATABASE_URL: '  ' }), config);
});

test('PUBLIC_URL follows the port, and loses a slash at its end', () => {
  assert.equal(readConfig({ PORT: '8080' }).publicUrl, 'http://localhost:8080');
  assert.equal(readConfig({ PUBLIC_URL: 'https://simcha.example/' }).publicUrl, 'https://simcha.example');
});

test('an error names the setting, its value and the expected one', () => {
  wrong({ PORT: 'http' }, /^PORT is "http"; expected a port number from 0 to 65535\.$/);
  wrong({ PORT: '65536' }, /PORT/);
  wrong({ PORT: '-1' }, /PORT/);
  wrong({ PUBLIC_URL: 'simcha.example' }, /PUBLIC_URL/);
  wrong({ PUBLIC_URL: 'https://simcha.example/events' }, /without a path/);
  wrong({ APPS_GIT_CA_FILE: import.meta.dirname }, /APPS_GIT_CA_FILE/);
  wrong({ APPS_GIT_CA_FILE: import.meta.filename }, /PEM certificates/);
  wrong({ JWT_JWKS_URL: 'ftp://x' }, /JWT_JWKS_URL/);
  wrong({ JWT_ISSUER: 'x' }, /JWT_ISSUER is set without JWT_JWKS_URL/);
  const JWT_JWKS_URL = 'https://id.example/keys';
  wrong({ JWT_JWKS_URL, JWT_ISSUER: 'x' }, /^JWT_JWKS_URL is set without JWT_AUDIENCE: [^.]+\.$/);
  assert.equal(readConfig({ JWT_JWKS_URL, JWT_AUDIENCE: 'simcha' }).jwtAudience, 'simcha');
  wrong({ TRUSTED_PROXIES: '10.0.0.0/33' }, /TRUSTED_PROXIES/);
  wrong({ TRUSTED_PROXIES: 'proxy' }, /TRUSTED_PROXIES/);
  wrong({ CORS_ORIGINS: 'https://a.example/path' }, /CORS_ORIGINS/);
  wrong({ LOG_LEVEL: 'loud' }, /LOG_LEVEL/);
  wrong({ LOG_FORMAT: 'xml' }, /LOG_FORMAT/);
  wrong({ RATE_LIMIT: '0' }, /RATE_LIMIT/);
});

test('memory of builds, and of all sites and builds, is what the machine has', () => {
  const on = (machineMb: number, variables: Record<string, string> = {}) => {
    const { appsTogetherMb, appsBuildMemoryMb } = readConfig(variables, false, machineMb);
    return [appsTogetherMb, appsBuildMemoryMb];
  };
  assert.deepEqual(on(1_000), [500, 500]);
  assert.deepEqual(on(4_000), [2_976, 2_976]);
  assert.deepEqual(on(24_000), [21_000, 4_096]);
  assert.deepEqual(on(256_000), [251_904, 4_096]);
  assert.deepEqual(on(4_000, { APPS_RESERVE_MB: '3000', APPS_BUILD_MEMORY_MB: '2048' }), [1_000, 2_048]);
  assert.throws(
    () => on(4_000, { APPS_RESERVE_MB: '3999' }),
    new ConfigError(
      'APPS_RESERVE_MB leaves 1 of this machine’s 4000 MiB to sites and builds; expected a number that leaves 64 or more.',
    ),
  );
});

test('processors of a site are a number with a fraction, or as many as there are', () => {
  assert.equal(readConfig({}).appsCpus, undefined);
  assert.equal(readConfig({ APPS_CPUS: '1.5' }).appsCpus, 1.5);
  for (const APPS_CPUS of ['0', '0.05', '-1', 'two', '1e3', '2000']) wrong({ APPS_CPUS }, /^APPS_CPUS is/);
});

test('a wrong secret is not repeated', () => {
  wrong({ DATABASE_URL: 'mysql://root:hunter2@db/x' }, /^DATABASE_URL is invalid; expected postgres:/);
  wrong({ METRICS_TOKEN: 'hunter2' }, /^METRICS_TOKEN is invalid; expected/);
});

test('lists are separated by commas', () => {
  const config = readConfig({
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    CORS_ORIGINS: 'https://a.example,http://localhost:5173',
  });
  assert.deepEqual(config.trustedProxies, ['10.0.0.0/8', '::1']);
  assert.deepEqual(config.corsOrigins, ['https://a.example', 'http://localhost:5173']);
});

test('registration is open, closed, or for some mail domains', () => {
  assert.equal(readConfig({}).registration, 'open');
  assert.equal(readConfig({ REGISTRATION: ' Closed' }).registration, 'closed');
  assert.deepEqual(readConfig({ REGISTRATION: 'Example.com, example.org' }).registration, [
    'example.com',
    'example.org',
  ]);
  for (const text of [
    'opne',
    'example',
    '@example.com',
    'example.com,',
    'a.example,open',
    'dev@example.com',
  ]) {
    wrong({ REGISTRATION: text }, /^REGISTRATION is ".+"; expected open, closed, or mail domains/);
  }
});

test('Dockerfiles are built if the operator says so, or by default if not everybody may register', () => {
  for (const [APPS_DOCKERFILES, REGISTRATION, support] of [
    ['', '', 'open_registration'],
    ['auto', 'open', 'open_registration'],
    ['auto', 'closed', 'built'],
    ['', 'example.com', 'built'],
    ['on', 'open', 'built'],
    ['off', 'closed', 'off'],
  ] as const)
    assert.equal(readConfig({ APPS_DOCKERFILES, REGISTRATION }).appsDockerfiles, support);
});

test('sites run images by name in containers, if the operator says so or decides who registers', () => {
  for (const [APPS_RUNTIME, APPS_NAMED_IMAGES, REGISTRATION, support] of [
    ['process', 'on', 'closed', 'no_engine'],
    ['docker', '', '', 'open_registration'],
    ['docker', 'auto', 'closed', 'on'],
    ['docker', 'on', 'open', 'on'],
    ['docker', 'off', 'closed', 'off'],
  ] as const)
    assert.equal(readConfig({ APPS_RUNTIME, APPS_NAMED_IMAGES, REGISTRATION }).appsNamedImages, support);
  assert.deepEqual(readConfig({ APPS_HTTP_REGISTRIES: '10.0.0.7:5000, r.lan' }).appsHttpRegistries, [
    '10.0.0.7:5000',
    'r.lan',
  ]);
  wrong(
    { APPS_HTTP_REGISTRIES: 'http://r.lan' },
    /^APPS_HTTP_REGISTRIES is "http:\/\/r\.lan"; expected registries/,
  );
});

test('keys, mail and applications have settings of their own', () => {
  const config = readConfig({});
  assert.deepEqual(
    [
      config.encryptionKeys,
      config.smtpUrl,
      config.production,
      config.appsGitProtocols,
      config.appsAllowPrivateHosts,
    ],
    [[], undefined, false, ['https', 'ssh'], false],
  );
  const [one, two] = ['a'.repeat(32), 'b'.repeat(40)];
  assert.deepEqual(readConfig({ ENCRYPTION_KEY: `${one},${two}` }).encryptionKeys, [one, two]);
  wrong({ ENCRYPTION_KEY: 'hunter2' }, /^ENCRYPTION_KEY is invalid; expected a secret of 32/);
  wrong({ SMTP_URL: 'http://user:hunter2@mail' }, /^SMTP_URL is invalid; expected/);
  for (const MAIL_FROM of ['simcha@example.com', 'שמחה <simcha@example.com>']) {
    assert.equal(readConfig({ MAIL_FROM }).mailFrom, MAIL_FROM);
  }
  for (const from of ['Simcha', '%2B972501234567', `MG${'0a'.repeat(16)}`, 'Noa and Itay'.slice(0, 11)]) {
    const SMS_URL = `https://AC1:secret@api.twilio.com?from=${from}`;
    assert.equal(readConfig({ SMS_URL }).smsUrl, SMS_URL);
  }
  for (const from of ['', 'Noa and Itay’s', '12345', '%2B972-50']) {
    wrong({ SMS_URL: `https://AC1:hunter2@api.twilio.com?from=${from}` }, /^SMS_URL is invalid; expected/);
  }
  wrong({ SMS_URL: 'http://AC1:hunter2@api.twilio.com?from=Simcha' }, /^SMS_URL is invalid/);
  wrong({ SMS_URL: 'https://AC1@api.twilio.com?from=Simcha' }, /^SMS_URL is invalid/);
  wrong({ WHATSAPP_URL: 'https://hunter2@graph.facebook.com/1063' }, /^WHATSAPP_URL is invalid/);
  wrong({ WHATSAPP_APP_SECRET: 'short' }, /^WHATSAPP_APP_SECRET is invalid; expected/);
  wrong({ MAIL_FROM: 'Simcha' }, /MAIL_FROM/);
  wrong({ MAIL_FROM: 'a@b.co\r\nBcc: c@d.co' }, /MAIL_FROM/);
  wrong({ PORT: '8080', APPS_PORT: '8080' }, /^APPS_PORT is 8080, the same as PORT/);
  wrong({ APPS_DOMAIN: 'apps.example:3000' }, /APPS_DOMAIN/);
  wrong(
    { APPS_GIT_PROTOCOLS: 'https,ext' },
    /APPS_GIT_PROTOCOLS is "https,ext"; expected some of https, ssh/,
  );
  wrong({ APPS_RUNTIME: 'podman' }, /APPS_RUNTIME is "podman"; expected process, docker or swarm/);
  wrong({ APPS_RUNTIME: 'swarm' }, /APPS_REGISTRY is not set/);
  for (const address of ['registry.example.com', 'https://u@r.example.com', 'https://r.example.com/Sites'])
    wrong({ APPS_REGISTRY: address }, /^APPS_REGISTRY is invalid; expected/);
  assert.deepEqual(readConfig({ APPS_REGISTRY: 'https://u:p%40@r.example.com:5000/sites/' }).appsRegistry, {
    origin: 'https://r.example.com:5000',
    prefix: 'r.example.com:5000/sites',
    user: 'u',
    password: 'p@',
  });
  wrong({ APPS_ENGINE: 'tcp://10.0.0.1' }, /APPS_ENGINE/);
  for (const range of ['10.224.0.0', '10.224.0.0/27', '10.0.0.0/7', 'fd00::/26'])
    wrong({ APPS_SUBNETS: range }, /APPS_SUBNETS is .* of at most 26 bits/);
  wrong({ APPS_DOCKERFILES: 'false' }, /APPS_DOCKERFILES is "false"; expected auto, on or off/);
  wrong({ APPS_IMAGE_NODE: 'Node image' }, /APPS_IMAGE_NODE is "Node image"; expected the name of an image/);
  wrong({ APPS_IMAGE_NODE: 'user:secret@registry.example/node:26' }, /APPS_IMAGE_NODE/);
  const APPS_IMAGE_NODE = 'registry.example:5000/node:{version}-x';
  assert.equal(readConfig({ APPS_IMAGE_NODE }).appsImages.node, APPS_IMAGE_NODE);
  wrong({ APPS_ALLOW_PRIVATE_HOSTS: 'yes' }, /APPS_ALLOW_PRIVATE_HOSTS is "yes"; expected true or false/);
  assert.equal(readConfig({ APPS_ALLOW_PRIVATE_HOSTS: 'true' }).appsAllowPrivateHosts, true);
});

test('a key for DKIM is an RSA key as PEM or in a file, and comes with its domain, selector and mail server', async () => {
  const pem = (bits: number) =>
    generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type: 'pkcs1', format: 'pem' });
  const key = pem(2_048).toString();
  const folder = await mkdtemp(join(tmpdir(), 'simcha-dkim-'));
  const file = join(folder, 'key.pem');
  try {
    await writeFile(file, key);
    const whole = { MAIL_DKIM_DOMAIN: 'Example.com', MAIL_DKIM_SELECTOR: 's1', SMTP_URL: 'smtp://mail' };
    const keys = [key, key.trim().replaceAll('\n', '\\n'), file].map((text) =>
      readConfig({ ...whole, MAIL_DKIM_KEY: text }),
    );
    for (const { mailDkimKey, mailDkimDomain } of keys) {
      assert.equal(mailDkimKey, createPrivateKey(key).export({ type: 'pkcs8', format: 'pem' }));
      assert.equal(mailDkimDomain, 'example.com');
    }
    const ed = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    for (const text of ['hunter2', join(folder, 'none.pem'), pem(512).toString(), ed.toString()])
      wrong({ ...whole, MAIL_DKIM_KEY: text }, /^MAIL_DKIM_KEY is invalid; expected an RSA private key/);
    wrong({ MAIL_DKIM_DOMAIN: 'example.com' }, /MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY must be set too/);
    wrong({ MAIL_DKIM_SELECTOR: 's_1' }, /^MAIL_DKIM_SELECTOR is "s_1"/);
    wrong({ ...whole, SMTP_URL: '', MAIL_DKIM_KEY: file }, /MAIL_DKIM_KEY is set without SMTP_URL/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('bounces have an address with room for a token, and a mailbox with a login', () => {
  const smtp = { SMTP_URL: 'smtp://mail' };
  const config = readConfig({ ...smtp, MAIL_BOUNCE_ADDRESS: 'Bounces@Example.com' });
  assert.equal(config.mailBounceAddress, 'bounces@example.com');
  for (const MAIL_BOUNCE_ADDRESS of ['bounces', 'a+b@example.com', 'a-name-too-long-x@example.com'])
    wrong(
      { ...smtp, MAIL_BOUNCE_ADDRESS },
      /^MAIL_BOUNCE_ADDRESS is ".+"; expected a mail address with at most 15/,
    );
  wrong({ MAIL_BOUNCE_ADDRESS: 'bounces@example.com' }, /MAIL_BOUNCE_ADDRESS is set without SMTP_URL/);
  const MAIL_BOUNCE_IMAP_URL = 'imaps://user:hunter2@imap.example.com/Bounces';
  wrong({ ...smtp, MAIL_BOUNCE_IMAP_URL }, /MAIL_BOUNCE_IMAP_URL is set without MAIL_BOUNCE_ADDRESS/);
  for (const url of ['imaps://imap.example.com', 'https://user:hunter2@imap.example.com'])
    wrong({ ...smtp, MAIL_BOUNCE_IMAP_URL: url }, /^MAIL_BOUNCE_IMAP_URL is invalid; expected imaps:/);
  wrong({ MAIL_BOUNCE_SECRET: 'short' }, /^MAIL_BOUNCE_SECRET is invalid; expected at least 16/);
});

test('names in the .env file that are no settings are found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-env-'));
  const file = join(folder, '.env');
  try {
    await writeFile(
      file,
      'SMPT_URL=smtp://localhost\nSMTP_URL=smtp://localhost\nNODE_OPTIONS=\n# APPS_X=1\n',
    );
    assert.deepEqual(unknownNamesInFile(file), ['SMPT_URL']);
    assert.deepEqual(unknownNamesInFile(join(folder, 'none')), []);
  } finally {
    await rm(folder, { recursive: true });
  }
});
