import type { Command } from 'commander';
import { type Application, type ApplicationChanges, type Client, updateApplication } from 'simcha-client';
import { usageError } from '../errors.ts';
import { askSecret, readStdin } from '../prompts.ts';

/** Options that name an image, and the login at its registry. */
export interface ImageOptions {
  image?: string;
  registryUser?: string;
  registryPasswordStdin?: boolean;
}

type ImageSettings = Pick<ApplicationChanges, 'image' | 'registry_user' | 'registry_password'>;

export function withImage(command: Command): Command {
  return command
    .option('--image <name>', 'Container image that the site runs, such as ghcr.io/owner/name:tag.')
    .option('--registry-user <name>', 'User name at its registry; the password is asked for.')
    .option('--registry-password-stdin', 'Read the password or token at the registry from stdin.');
}

/** Settings that the options name. The password is asked for on a terminal, unless it comes from stdin. */
export async function imageSettings({
  image,
  registryUser: user,
  registryPasswordStdin: isPiped = false,
}: ImageOptions): Promise<ImageSettings> {
  if (image === '') throw usageError('--image is empty.');
  if (isPiped && !user)
    throw usageError('A registry’s password needs a user name.', 'Pass --registry-user <name> too.');
  return {
    ...(image !== undefined && { image }),
    ...(user === '' && { registry_user: null, registry_password: null }),
    ...(user && {
      registry_user: user,
      registry_password: isPiped
        ? await readStdin()
        : await askSecret(`Password or token of ${user} at the registry:`, '--registry-password-stdin'),
    }),
  };
}

/**
 * Sets the image that a deployment should run. Throws for an application with a repository, whose source one command to
 * deploy should not replace.
 */
export async function setImage(
  { client, path, application }: { client: Client; path: { uuid: string }; application: Application },
  options: ImageOptions & { preview?: string },
): Promise<Application> {
  if (options.preview !== undefined) throw usageError('A preview runs no image.');
  if (application.source === 'repository')
    throw usageError(
      'The application is deployed from its repository.',
      'Change its source first: simcha apps update --source image --image <name>',
    );
  const { data } = await updateApplication({ client, path, body: await imageSettings(options) });
  return data;
}
