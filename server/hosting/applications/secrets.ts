import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Encryption } from '../../kernel/encryption.ts';
import type { RegistryLogin } from '../model/deployed-image.ts';
import { type DeployKey, newDeployKey } from './deploy-key.ts';
import type { NewApplication } from './fields.ts';
import { newHookSecret } from './hook-secret.ts';
import { addressWithCredentials } from './repository.ts';
import type { VariableParent } from './variable-definitions.ts';

/**
 * Contexts with which secrets are encrypted: one for each kind of secret and its owner, so that one application's
 * secrets can't be decrypted as another's.
 */
export const secretContexts = {
  variable: ({ kind, id }: VariableParent, name: string) => `variable of ${kind}:${id}:${name}`,
  previewVariable: ({ kind, id }: VariableParent, name: string) =>
    `preview variable of ${kind}:${id}:${name}`,
  credentials: (uuid: string) => `repository credentials:${uuid}`,
  registryPassword: (uuid: string) => `registry password:${uuid}`,
  deployKey: (uuid: string) => `deploy key:${uuid}`,
  hook: (uuid: string) => `hook secret:${uuid}`,
};

/** Columns of an application's source; only those that are given change. */
export function sourceColumns(
  encryption: Encryption,
  uuid: string,
  { repository, image, registry_password: password }: SourceValues,
) {
  return {
    ...(repository !== undefined && {
      repository: repository?.address ?? null,
      credentials_sealed: sealIfGiven(encryption, repository?.credentials, secretContexts.credentials(uuid)),
    }),
    ...(image !== undefined && { image: image?.name ?? null }),
    ...(password !== undefined && {
      registry_password_sealed: sealIfGiven(
        encryption,
        password ?? undefined,
        secretContexts.registryPassword(uuid),
      ),
    }),
  };
}

type SourceValues = {
  [Field in 'repository' | 'image' | 'registry_password']: NewApplication[Field] | undefined;
};

/** Encrypts a secret; null if there is none. */
function sealIfGiven(encryption: Encryption, plain: string | undefined, context: string): string | null {
  return plain === undefined ? null : encryption.seal(plain, context);
}

function openIfStored(encryption: Encryption, text: string | null, context: string): string | undefined {
  return text === null ? undefined : encryption.open(text, context);
}

/**
 * Repository's address for git, including credentials (never to be shown or logged), and the private deploy key. The
 * address is null for an application without a repository.
 */
export async function readSource(
  db: Kysely<unknown>,
  encryption: Encryption,
  uuid: string,
): Promise<{ address: string | null; deployKey: string | undefined } | undefined> {
  const { rows } = await sql<{
    repository: string | null;
    credentials_sealed: string | null;
    deploy_key_sealed: string | null;
  }>`
    select repository, credentials_sealed, deploy_key_sealed
    from applications where application_uuid = ${uuid}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const credentials = openIfStored(encryption, row.credentials_sealed, secretContexts.credentials(uuid));
  return {
    address: row.repository === null ? null : addressWithCredentials(row.repository, credentials),
    deployKey: openIfStored(encryption, row.deploy_key_sealed, secretContexts.deployKey(uuid)),
  };
}

/** Image that an application runs, and its login at the image's registry. */
export interface ImageSource {
  name: string | null;
  login: RegistryLogin | undefined;
}

/** Image of an application, with its login; undefined if the application does not exist. */
export async function readImageSource(
  db: Kysely<unknown>,
  encryption: Encryption,
  uuid: string,
): Promise<ImageSource | undefined> {
  const { rows } = await sql<{
    image: string | null;
    registry_user: string | null;
    registry_password_sealed: string | null;
  }>`
    select image, registry_user, registry_password_sealed
    from applications where application_uuid = ${uuid}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { image: name, registry_user: user, registry_password_sealed: sealed } = row;
  const password = openIfStored(encryption, sealed, secretContexts.registryPassword(uuid));
  return { name, login: user === null || password === undefined ? undefined : { user, password } };
}

/**
 * Replaces the key pair and returns the public key; undefined if the application does not exist. Host keys of the
 * repository's host are forgotten and trusted anew.
 */
export async function replaceDeployKey(
  db: Kysely<unknown>,
  encryption: Encryption,
  uuid: string,
  comment: string,
): Promise<string | undefined> {
  const { publicKey, privateKey }: DeployKey = await newDeployKey(comment);
  const { numAffectedRows = 0n } = await sql`
    update applications set deploy_key_public = ${publicKey},
      deploy_key_sealed = ${encryption.seal(privateKey, secretContexts.deployKey(uuid))}, host_keys = ''
    where application_uuid = ${uuid}`.execute(db);
  return numAffectedRows > 0n ? publicKey : undefined;
}

/** Secret with which webhook deliveries of the push hook are verified; undefined if the application does not exist. */
export async function readHookSecret(
  db: Kysely<unknown>,
  encryption: Encryption,
  uuid: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; hook_secret_sealed: string }>`
    select application_uuid as id, hook_secret_sealed from applications where application_uuid = ${uuid}`.execute(
    db,
  );
  return rows[0] && encryption.open(rows[0].hook_secret_sealed, secretContexts.hook(rows[0].id));
}

/** Replaces the push hook's secret and returns it; undefined if the application does not exist. */
export async function replaceHookSecret(
  db: Kysely<unknown>,
  encryption: Encryption,
  uuid: string,
): Promise<string | undefined> {
  const secret = newHookSecret();
  const { numAffectedRows = 0n } = await sql`
    update applications set hook_secret_sealed = ${encryption.seal(secret, secretContexts.hook(uuid))}
    where application_uuid = ${uuid}`.execute(db);
  return numAffectedRows > 0n ? secret : undefined;
}

/** Replaces the push hooks' secrets of all applications for which the SQL condition holds. */
export async function replaceHookSecrets(
  transaction: Kysely<unknown>,
  encryption: Encryption,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ application_uuid: string }>`
    select application_uuid from applications where ${condition} for update`.execute(transaction);
  for (const { application_uuid: uuid } of rows) await replaceHookSecret(transaction, encryption, uuid);
}

/** Deletes all secrets of applications that can no longer be decrypted, and makes new secrets for the push hooks. */
export async function deleteSecrets(transaction: Kysely<unknown>, encryption: Encryption): Promise<void> {
  await sql`delete from environment_variables`.execute(transaction);
  await sql`delete from group_variables`.execute(transaction);
  await sql`
    update applications set credentials_sealed = null, deploy_key_sealed = null, deploy_key_public = null,
      registry_user = null, registry_password_sealed = null`.execute(transaction);
  await replaceHookSecrets(transaction, encryption, sql`true`);
}
