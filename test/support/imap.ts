import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chown, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './postgres.ts';
import { until } from './until.ts';

export interface ImapServer extends AsyncDisposable {
  /** URL of the test's mailbox, with the user and password, in the form that the server's setting requires. */
  url: string;
  /** Puts a message into the mailbox, as a mail server would. */
  deliver(message: string): Promise<void>;
  /** Number of messages that are marked as read. */
  read(): Promise<number>;
}

/** Starts Debian's Dovecot with one mailbox, by STARTTLS with a self-made certificate. */
export async function startImapServer(): Promise<ImapServer> {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-imap-'));
  const maildir = join(folder, 'mail');
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? idsOf('nobody') : { uid: userInfo().uid, gid: userInfo().gid };
  for (const part of ['', 'new', 'cur', 'tmp']) {
    await mkdir(join(maildir, part), { recursive: true, mode: 0o755 });
    await chown(join(maildir, part), owner.uid, owner.gid);
  }
  execFileSync('chmod', ['755', folder]);
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  );
  const config = join(folder, 'dovecot.conf');
  const user = isRoot ? undefined : userInfo().username;
  await writeFile(
    config,
    `base_dir = ${folder}/run
state_dir = ${folder}/state
protocols = imap
log_path = /dev/stderr
listen = 127.0.0.1
ssl = yes
ssl_cert = <${certificate}
ssl_key = <${key}
disable_plaintext_auth = yes
mail_location = maildir:${maildir}
first_valid_uid = 1
${user ? `default_internal_user = ${user}\ndefault_login_user = ${user}\ndefault_internal_group = ${user}` : ''}
passdb {
  driver = static
  args = password=p@ss
}
userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${folder}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
`,
  );
  const child = spawn('/usr/sbin/dovecot', ['-F', '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await until(() => {
    if (child.exitCode !== null) throw new Error(`dovecot: ${output}`);
    return canConnect(port);
  }, 20_000);
  return {
    url: `imap://bounces:p%40ss@127.0.0.1:${port}/INBOX?tls.rejectUnauthorized=false`,
    async deliver(message) {
      const name = `${Date.now()}.${randomUUID()}.localhost`;
      const file = join(maildir, 'tmp', name);
      await writeFile(file, message);
      await chown(file, owner.uid, owner.gid);
      await rename(file, join(maildir, 'new', name));
    },
    async read() {
      return (await readdir(join(maildir, 'cur'))).filter((name) => /:2,.*S/.test(name)).length;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

function idsOf(name: string): { uid: number; gid: number } {
  const [uid, gid] = ['-u', '-g'].map((which) =>
    Number(execFileSync('id', [which, name], { encoding: 'utf8' })),
  );
  return { uid: uid ?? 0, gid: gid ?? 0 };
}
