import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../../kernel/languages.ts';
import { reasonCatalogue } from './messages.ts';
import { describeReason, type Reason, reason } from './reason.ts';

const SCRIPTS = { he: /[\u05d0-\u05ea]/, ar: /[\u0627-\u064a]/, en: /^[\x20-\x7e’“”…–]+$/ };

const how = reason('disk_unmeasured', { why: reason('disk_unreadable', { error: 'Input/output error' }) });
const ended = reason('exited', { code: 4 });
const folders = 'dist, build';

const ONE_OF_EACH: readonly Reason[] = [
  ended,
  how,
  reason('killed', { signal: 'SIGKILL' }),
  reason('cant_run', { error: 'EAGAIN' }),
  reason('silent', { seconds: 60 }),
  reason('files_gone'),
  reason('vanished'),
  reason('no_host'),
  reason('earlier_deployment'),
  reason('other_deployments'),
  reason('place_to_build'),
  reason('stopped'),
  reason('too_slow', { seconds: 900 }),
  reason('too_much_memory', { mebibytes: 512 }),
  reason('build_memory', { mebibytes: 4096 }),
  reason('build_heap', { mebibytes: 4096 }),
  reason('heap_full', { mebibytes: 512 }),
  reason('too_much_together'),
  reason('too_many_processes', { most: 200 }),
  reason('release_exceeds', { how }),
  reason('home_exceeds', { how }),
  reason('layer_exceeds', { how }),
  reason('volume_exceeds', { how }),
  reason('unlinked_exceeds', { how }),
  reason('disk_full', { mebibytes: 64 }),
  reason('no_room'),
  reason('no_files'),
  reason('helper_ended', { name: 'pasta', how }),
  reason('disk_budget_full', { most: 51_200, used: 51_300, applications: 3 }),
  reason('over_budget', { resource: 'memory_mb', most: 4096, after: 4608, used: 2560, applications: 2 }),
  reason('disk_closed'),
  reason('disk_uncounted'),
  reason('disk_endless', { seconds: 60 }),
  reason('disk_moving'),
  reason('disk_unreadable', { error: 'Input/output error' }),
  reason('repository_refused'),
  reason('protocol_refused', { protocol: 'file', accepted: 'https, ssh' }),
  reason('no_branch', { branch: 'main' }),
  reason('no_tag', { tag: 'v1' }),
  reason('no_commits'),
  reason('no_access'),
  reason('no_access_by_deploy_key'),
  reason('no_access_without_deploy_key'),
  reason('no_access_by_credentials'),
  reason('no_access_without_credentials'),
  reason('other_host_key'),
  reason('repository_unreachable', { why: reason('host_unknown') }),
  reason('host_unknown'),
  reason('host_silent'),
  reason('host_refuses'),
  reason('repository_moved'),
  reason('certificate_untrusted'),
  reason('protocol_not_allowed'),
  reason('repository_ours'),
  reason('git_failed'),
  reason('fetch_ended', { how: reason('too_much_memory', { mebibytes: 2048 }) }),
  reason('repository_too_slow', { seconds: 300 }),
  reason('repository_too_large', { mebibytes: 64 }),
  reason('repository_unmeasured', { how }),
  reason('no_commit', { hash: '6dfbcc2f4a9f' }),
  reason('ambiguous_commit', { hash: '6dfbcc2' }),
  reason('no_repository'),
  reason('not_uploaded'),
  reason('upload_gone'),
  reason('upload_too_large', { mebibytes: 2048 }),
  reason('submodule_failed', { path: 'themes/one', why: reason('no_commit', { hash: '6dfbcc2f4a9f' }) }),
  reason('too_many_submodules', { most: 50 }),
  reason('nothing_found', { folders }),
  reason('nothing_found_in_package', { folders, hint: reason('other_platform', { file: 'fly.toml' }) }),
  reason('compose_beside', { file: 'compose.yaml', folders: 'api, web' }),
  reason('applications_below', { folders: 'server', first: 'server' }),
  reason('other_language', { file: 'pom.xml', language: 'Java' }),
  reason('other_platform', { file: 'fly.toml' }),
  reason('unbuilt_page', { page: 'index.html', mark: '<%', folder: '.' }),
  reason('broken_manifest', { error: 'Unexpected end of JSON input' }),
  reason('manifest_no_object'),
  reason('no_start'),
  reason('only_development', { script: 'vite', tool: 'vite' }),
  reason('needs_adapter', { framework: 'SvelteKit', packages: '@sveltejs/adapter-node' }),
  reason('several_programs', { language: 'Go', programs: 'a, b', start: './bin/a' }),
  reason('no_start_in_language', {
    language: 'Python',
    file: 'requirements.txt',
    example: 'gunicorn app:app --bind $HOST:$PORT',
  }),
  reason('needs_server', { framework: 'Flask', needs: 'gunicorn', file: 'requirements.txt' }),
  reason('program_missing', { name: 'Python', command: 'apt-get install python3-venv' }),
  reason('version_unmet', { language: 'Python', version: '>=3.14', by: 'pyproject.toml', has: '3.11.2' }),
  reason('node_unreadable', { by: '.nvmrc', value: 'iojs' }),
  reason('node_crowded', { wanted: '19.9.0', most: 2, there: '22.21.1, 18.20.8' }),
  reason('node_unmet', { wanted: '>=19.0.0 <20.0.0-0', error: 'npm error code ETARGET' }),
  reason('accepts_node'),
  reason('unreadable', { seconds: 10 }),
  reason('process_name', { name: 'Web' }),
  reason('too_many_kinds', { most: 20 }),
  reason('plan_file_broken', { error: 'Unexpected end of JSON input' }),
  reason('plan_file_unknown', { field: 'ports', known: 'port, spa' }),
  reason('plan_file_field', { field: 'port', accepted: reason('accepts_port') }),
  reason('accepts_command', { most: 10_000 }),
  reason('accepts_process_name'),
  reason('accepts_schedule'),
  reason('accepts_one_of', { values: 'static, server, auto' }),
  reason('accepts_folder'),
  reason('accepts_folders', { most: 20 }),
  reason('accepts_port'),
  reason('accepts_path'),
  reason('accepts_object'),
  reason('accepts_jobs', { most: 50 }),
  reason('accepts_dockerfile'),
  reason('accepts_stage'),
  reason('accepts_arguments', { most: 50 }),
  reason('accepts_own_name'),
  reason('accepts_start_once'),
  reason('unusable_command', { command: 'node server.js', most: 10_000 }),
  reason('no_root', { root: 'site' }),
  reason('command_failed', { command: 'npm run build', how: ended }),
  reason('build_exceeds', { how }),
  reason('runtime_lacks', { capability: 'replicas' }),
  reason('sandbox_missing', { command: 'apt-get install bubblewrap passt' }),
  reason('sandbox_fails', { error: 'No external routable interface for IPv4' }),
  reason('no_index', { folders, root: 1 }),
  reason('pages_in', { folders: 'docs', first: 'docs' }),
  reason('link_outside', { path: 'a/b' }),
  reason('machine_gone', { machine: 'node-2' }),
  reason('image_away', { machine: 'node-2' }),
  reason('registry_away'),
  reason('not_started', { seconds: 300, tasks: 'node-2: running; node-3: preparing' }),
  reason('no_machine', { error: 'no suitable node (scheduling constraints not satisfied on 3 nodes)' }),
  reason('engine_away', { error: 'connect ENOENT /run/docker.sock' }),
  reason('image_missing', { image: 'node:26-slim' }),
  reason('image_unreached', { image: 'node:26-slim' }),
  reason('image_program', { name: 'Python', image: 'node:26-slim', setting: 'APPS_IMAGE_PYTHON' }),
  reason('image_node', { image: 'node:26-slim', wanted: '^18.0.0', has: '26.10.0' }),
  reason('dockerfile_only', { file: 'Dockerfile' }),
  reason('dockerfile_unbuilt', { file: 'Dockerfile', why: reason('no_start') }),
  reason('dockerfile_untrusted', { file: 'Dockerfile' }),
  reason('dockerfile_missing', { file: 'docker/Dockerfile' }),
  reason('dockerfile_target', { file: 'Dockerfile', target: 'web' }),
  reason('dockerfile_refused', { file: 'Dockerfile', error: 'unknown instruction: RUNN' }),
  reason('dockerignore_line', { line: '[' }),
  reason('dockerignore_endless', { seconds: 30 }),
  reason('no_shell', { command: 'node worker.js' }),
  reason('no_own_command'),
  reason('registry_refused'),
  reason('named_image_missing', { image: 'ghcr.io/who/app:1' }),
  reason('named_image_denied', { image: 'ghcr.io/who/app:1' }),
  reason('named_image_too_large', { image: 'ghcr.io/who/app:1', mebibytes: 2048 }),
  reason('image_platform', { image: 'ghcr.io/who/app:1', platform: 'linux/amd64' }),
  reason('not_an_image', { image: 'ghcr.io/who/app:1' }),
  reason('no_command_in_image', { image: 'ghcr.io/who/app:1' }),
  reason('registry_limited', { registry: 'docker.io' }),
  reason('registry_unreached', { registry: 'docker.io' }),
  reason('image_without_engine'),
  reason('image_off'),
  reason('image_untrusted'),
  reason('procfile_line', { line: 2, text: 'worker node w.js' }),
  reason('volume_elsewhere', { path: '$HOME', runtime: 'docker', how: reason('kept_away') }),
  reason('kept_away'),
  reason('kept_too_large'),
  reason('volume_covered', { volume: '/data', path: '/data/db' }),
  reason('volume_through_link', { volume: '/app/a/b', path: 'a' }),
  reason('too_deep'),
  reason('not_searchable', { error: 'EIO' }),
  reason('ended_before_healthy', {
    how: ended,
    said: 'Error: no DATABASE_URL',
    hint: reason('error_in_package', { version: '26.10.0', earlier: 22 }),
  }),
  reason('error_in_package', { version: '26.10.0', earlier: 22 }),
  reason('not_healthy', { path: '/up', seconds: 60 }),
  reason('not_healthy_at_last', { path: '/up', seconds: 60, last: reason('last_status', { status: 503 }) }),
  reason('not_listening', { port: 8080, seconds: 60, said: 'connecting to the database' }),
  reason('listens_elsewhere', { port: 8080, seconds: 60, ports: '3000, 4567' }),
  reason('last_status', { status: 503 }),
  reason('no_answer', { error: 'ECONNREFUSED' }),
  reason('no_answer_in_time'),
  reason('connection_closed'),
  reason('cancelled'),
  reason('release_failed', { command: 'npm run migrate', how: ended }),
  reason('run_cancelled'),
  reason('server_ended'),
  reason('still_running'),
  reason('missed'),
  reason('superseded'),
  reason('application_gone'),
  reason('release_gone'),
  reason('too_many_attempts'),
  reason('internal'),
  reason('site_ended', { how: ended }),
  reason('site_stopped'),
  reason('did_not_come_back', { why: reason('our_fault') }),
  reason('our_fault'),
];

test('each reason is said in each language', () => {
  assert.deepEqual(ONE_OF_EACH.map(({ code }) => code).sort(), Object.keys(reasonCatalogue).sort());
  for (const one of ONE_OF_EACH) {
    for (const language of LANGUAGES) {
      const sentence = describeReason(one, language);
      assert.match(sentence, SCRIPTS[language], `${one.code} in ${language}`);
      assert.doesNotMatch(sentence, /undefined|\[object|\.\.$/, `${one.code} in ${language}`);
      if (language !== 'he') assert.doesNotMatch(sentence, SCRIPTS.he);
      if (language !== 'ar') assert.doesNotMatch(sentence, SCRIPTS.ar);
    }
  }
});

test('where a page was looked for is said as it was', () => {
  const where = (folders: string, root?: number) =>
    /no (.+)\.$/.exec(
      describeReason(reason('no_index', { folders, ...(root !== undefined && { root }) }), 'en'),
    )?.[1];
  assert.equal(where('dist, build', 1), 'index.html in dist, build or the root');
  assert.equal(where('', 1), 'index.html in the root');
  assert.equal(where('public', 0), 'index.html in public');
  // Rows from before the root was stored
  assert.equal(where('dist'), 'index.html in dist or the root');
  assert.equal(
    describeReason(reason('no_index', { folders: '', root: 1 }), 'he'),
    'הבנייה הסתיימה בהצלחה, אבל לא השאירה index.html בשורש.',
  );
});

test('a reason within a reason is said in the same language', () => {
  const nested = reason('site_ended', {
    how: reason('did_not_come_back', { why: reason('command_failed', { command: 'x', how: ended }) }),
  });
  assert.equal(describeReason(nested, 'en'), 'The site could not be started again: `x` exited with code 4.');
  const quoting = reason('did_not_come_back', {
    why: reason('ended_before_healthy', { how: ended, said: 'boom' }),
  });
  assert.equal(
    describeReason(quoting, 'en'),
    'could not be started again: The site did not start: it exited with code 4. Output: “boom”',
  );
  assert.equal(describeReason(nested, 'he'), 'האתר ירד: הוא לא חזר לפעול: הפקודה `x` נכשלה: יציאה עם קוד 4.');
  assert.equal(
    describeReason(JSON.parse(JSON.stringify(nested)), 'he'),
    describeReason(nested, 'he'),
    'a row is as good as what was made',
  );
});

test('a reason that this server does not know goes by its code', () => {
  const unknown: Reason = { code: 'eaten_by_mice', params: { how: ended } };
  assert.equal(describeReason(unknown, 'he'), 'eaten_by_mice');
  assert.match(describeReason(reason('site_ended', { how: unknown }), 'en'), /^The site eaten_by_mice\.$/);
  assert.equal(describeReason({ code: 'constructor', params: {} }, 'en'), 'constructor');
  assert.equal(describeReason({ code: 'site_ended', params: {} }, 'ar'), 'site_ended');
  assert.equal(describeReason({ code: 'exited' } as unknown as Reason, 'en'), 'exited');
});

test('what no database takes is left out of what comes from outside', () => {
  const { params } = reason('broken_manifest', { error: 'a\0b\ud800' });
  assert.deepEqual(params, { error: 'ab\ufffd' });
});

test('what a stranger wrote stands in a reason as text alone', () => {
  const { params } = reason('unusable_command', { command: 'a\x00\x1b[2J\u202eb', most: 9 });
  assert.deepEqual(params, { command: 'ab', most: 9 });
});
