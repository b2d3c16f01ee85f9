/** Changed fields in the history of an application, by the API’s names; the console has the same words. */
export const FIELD_WORDS: Readonly<Record<string, string>> = {
  application: 'From site',
  branch: 'Branch',
  build: 'Build command',
  command: 'Command',
  commit: 'Commit',
  deployment_uuid: 'Deployment',
  description: 'Description',
  enabled: 'Enabled',
  files: 'Files',
  headers: 'Headers',
  health_path: 'Health check path',
  image: 'Container image',
  install: 'Install command',
  kinds: 'Messages',
  maintenance: 'Maintenance page',
  max_body_mb: 'Largest request body in MiB',
  name: 'Name',
  node: 'Node.js version',
  password: 'Password',
  path: 'Folder',
  port: 'Port',
  preview: 'From preview',
  previews: 'Previews',
  protection: 'Password protection',
  publish: 'Publish folder',
  redirect_to: 'Redirects to',
  redirects: 'Redirects',
  registry_password: 'Password at the registry',
  registry_user: 'User name at the registry',
  repository: 'Repository',
  response_seconds: 'Response timeout in seconds',
  role: 'Role',
  root: 'Root folder',
  scopes: 'Scopes',
  sha256: 'SHA-256',
  source: 'Source',
  spa: 'Single-page app',
  start: 'Start command',
  status: 'Status',
  sticky: 'Sticky sessions',
  subdomain: 'Subdomain',
  tag: 'Tag',
  time_zone: 'Time zone',
  to_application: 'To site',
  type: 'Kind',
  url: 'Address',
  username: 'Username',
  watch_paths: 'Watch paths',
};

/** Operations whose fields have names that people gave: variables and processes. */
const GIVEN_NAMES: ReadonlySet<string> = new Set([
  'updateEnvironment',
  'updateVariables',
  'updateVariableGroup',
  'scaleProcesses',
]);

/** Words for a field that an operation changed; a name that people gave stays as it is. */
export function fieldWords(operation: string, field: string): string {
  return GIVEN_NAMES.has(operation) ? field : (FIELD_WORDS[field] ?? field);
}
