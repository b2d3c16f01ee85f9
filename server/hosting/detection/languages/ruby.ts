import type { Language } from './language.ts';

export const RUBY: Language = {
  name: 'Ruby',
  files: [
    {
      file: 'Gemfile.lock',
      manifest: 'Gemfile',
      install: 'BUNDLE_FROZEN=true bundle install',
      source: 'https://bundler.io/man/bundle-install.1.html',
    },
    {
      file: 'Gemfile',
      isUnlocked: true,
      install: 'bundle install',
      source: 'https://bundler.io/man/bundle-install.1.html',
    },
  ],
  programs: [
    { name: 'Ruby', check: `ruby -e 'puts RUBY_VERSION'`, package: 'ruby' },
    { name: 'Bundler', check: 'bundle --version', package: 'ruby-bundler' },
  ],
  variables: {
    BUNDLE_PATH: 'vendor/bundle',
    BUNDLE_WITHOUT: 'development:test',
    RACK_ENV: 'production',
    APP_ENV: 'production',
  },
  frameworks: [
    {
      name: 'Rails',
      packages: ['rails'],
      files: ['config.ru'],
      kind: 'server',
      builds: [
        {
          command: 'SECRET_KEY_BASE_DUMMY=1 bundle exec rails assets:precompile',
          packages: ['propshaft', 'sprockets-rails'],
        },
      ],
      starts: [{ command: 'bundle exec rails server --binding $HOST --port $PORT' }],
      variables: {
        RAILS_ENV: 'production',
        RAILS_LOG_TO_STDOUT: '1',
        RAILS_SERVE_STATIC_FILES: '1',
      },
      source: 'https://guides.rubyonrails.org/configuring.html',
    },
    {
      name: 'Jekyll',
      packages: ['jekyll', 'github-pages'],
      files: ['_config.yml', '_config.yaml'],
      kind: 'static',
      builds: [{ command: 'bundle exec jekyll build' }],
      publish: ['_site'],
      source: 'https://jekyllrb.com/docs/deployment/',
    },
    {
      name: 'Rack',
      files: ['config.ru'],
      kind: 'server',
      starts: [
        { command: 'bundle exec puma --bind tcp://$HOST:$PORT', packages: ['puma'] },
        { command: 'bundle exec falcon serve --bind http://$HOST:$PORT', packages: ['falcon'] },
        { command: 'bundle exec unicorn --listen $HOST:$PORT', packages: ['unicorn'] },
        { command: 'bundle exec rackup --host $HOST --port $PORT', packages: ['thin', 'webrick'] },
      ],
      needs: 'puma',
      source: 'https://github.com/rack/rackup',
      verified: '2.2.22',
    },
    {
      name: 'Sinatra',
      packages: ['sinatra'],
      entry: {
        files: ['app.rb', 'main.rb', 'server.rb', 'web.rb'],
        says: /^[ \t]*require[ \t]*(?:\([ \t]*)?['"](sinatra)['"]/m,
        shown: "require 'sinatra'",
      },
      kind: 'server',
      starts: [{ command: 'bundle exec ruby {file} -o $HOST -p $PORT' }],
      source: 'https://sinatrarb.com/intro.html',
      verified: '3.0.5',
    },
  ],
  example: 'bundle exec puma --bind tcp://$HOST:$PORT',
  source: 'https://bundler.io/guides/getting_started.html',
};
