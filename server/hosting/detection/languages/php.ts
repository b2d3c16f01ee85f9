import type { Language } from './language.ts';

const BUILT_IN_SERVER = 'https://www.php.net/manual/en/features.commandline.webserver.php';

export const PHP: Language = {
  name: 'PHP',
  files: [
    {
      file: 'composer.json',
      install: 'composer install --no-dev --no-interaction --no-progress --optimize-autoloader',
      programs: [{ name: 'Composer', check: 'composer --version --no-ansi', package: 'composer' }],
      source: 'https://getcomposer.org/doc/03-cli.md#install-i',
    },
    { file: 'index.php' },
    { file: 'public/index.php' },
  ],
  programs: [{ name: 'PHP', check: `php -r 'echo PHP_VERSION, "\\n";'`, package: 'php-cli' }],
  // PHP's built-in server otherwise handles one request at a time.
  variables: { PHP_CLI_SERVER_WORKERS: '4' },
  frameworks: [
    {
      name: 'Laravel',
      packages: ['laravel/framework'],
      kind: 'server',
      starts: [
        {
          command:
            'cd public && exec php -S $HOST:$PORT ../vendor/laravel/framework/src/Illuminate/Foundation/resources/server.php',
        },
      ],
      variables: { APP_ENV: 'production', APP_DEBUG: 'false', LOG_CHANNEL: 'stderr' },
      source: 'https://laravel.com/docs/deployment',
    },
    {
      name: 'Symfony',
      packages: ['symfony/framework-bundle'],
      files: ['public/index.php'],
      kind: 'server',
      starts: [{ command: 'php -S $HOST:$PORT -t public' }],
      variables: { APP_ENV: 'prod', APP_DEBUG: '0' },
      source: 'https://symfony.com/doc/current/deployment.html',
    },
    {
      name: 'PHP (public)',
      files: ['public/index.php'],
      kind: 'server',
      starts: [{ command: 'php -S $HOST:$PORT -t public' }],
      source: BUILT_IN_SERVER,
      verified: '8.2.36',
    },
    {
      name: 'PHP',
      files: ['index.php'],
      kind: 'server',
      starts: [{ command: 'php -S $HOST:$PORT' }],
      source: BUILT_IN_SERVER,
    },
  ],
  example: 'php -S $HOST:$PORT -t public',
  source: BUILT_IN_SERVER,
};
