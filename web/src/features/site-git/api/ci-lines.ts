/** Services that run pipelines, each with its file. */
export const CI_SERVICES = ['github', 'gitlab', 'forgejo'] as const;
export type CiService = (typeof CI_SERVICES)[number];

/** Script that deploys the tested commit, and fails with the deployment: that of docs/ci.md, which a test compares. */
export const DEPLOY_SCRIPT = `set -eu
app="$SIMCHA_URL/api/v1/applications/$SIMCHA_APP"
key="Authorization: Bearer $SIMCHA_TOKEN"
answer=$(curl -fsS -X POST "$app/deploy" -H "$key" -H 'Content-Type: application/json' -d "{\\"commit\\":\\"$COMMIT\\"}")
deployment=$(printf %s "$answer" | sed 's/.*"deployment_uuid":"\\([^"]*\\)".*/\\1/')

# Each request waits for up to a minute.
record=
until printf %s "$record" | grep -q '"ended_at":"'; do
  record=$(curl -fsS --retry 5 "$app/deployments/$deployment?wait=60" -H "$key")
done
curl -fsS "$app/deployments/$deployment/logs" -H "$key"
printf %s "$record" | grep -q '"status":"live"'
`;

interface CiFile {
  name: string;
  path: string;
  content: string;
}

/** File of a service's pipeline for the application with this name on this server. */
export function pipelineFile(service: CiService, server: string, application: string): CiFile {
  if (service === 'gitlab')
    return { name: 'GitLab', path: '.gitlab-ci.yml', content: gitlab(server, application) };
  return service === 'github'
    ? {
        name: 'GitHub',
        path: '.github/workflows/deploy.yml',
        content: actions(server, application, 'ubuntu-latest'),
      }
    : {
        name: 'Forgejo',
        path: '.forgejo/workflows/deploy.yml',
        content: actions(server, application, 'docker'),
      };
}

const actions = (server: string, application: string, machine: string): string =>
  `on: { push: { branches: [main] } }
concurrency: deploy
jobs:
  deploy:
    runs-on: ${machine}
    steps:
      - uses: actions/checkout@v4
      # … the tests
      - run: sh deploy.sh
        env:
          COMMIT: \${{ github.sha }}
          SIMCHA_URL: ${server}
          SIMCHA_APP: ${application}
          SIMCHA_TOKEN: \${{ secrets.SIMCHA_TOKEN }}
`;

const gitlab = (server: string, application: string): string =>
  `deploy:
  stage: deploy
  image: curlimages/curl
  resource_group: deploy
  rules: [{ if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH }]
  variables:
    SIMCHA_URL: ${server}
    SIMCHA_APP: ${application}
  script: COMMIT=$CI_COMMIT_SHA sh deploy.sh
`;
