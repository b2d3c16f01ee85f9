import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { campaign } from '../support/campaign.ts';
import { lackOf } from '../support/language-registries.ts';
import { newSite } from '../support/new-site.ts';
import { DATABASES_OF_SLOW_TESTS } from '../support/server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

// What Debian brings of each language, and no registry but npm's: what else a site needs is in its repository.

const SETTINGS = { APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '30' };
/** Places of Go's and Cargo's programs that the sandbox of a site sees. */
const GO = ['/usr/bin/go', '/usr/local/bin/go', '/usr/local/go/bin/go'];
const CARGO = ['/usr/bin/cargo', '/usr/local/bin/cargo', '/usr/local/cargo/bin/cargo'];
/** Installing takes a while where a machine is slow. */
const LONGEST_MS = 300_000;
const FORM = 'application/x-www-form-urlencoded';

async function world(kind: 'embedded' | 'postgres', files: Record<string, string | Uint8Array>) {
  const site = await newSite(SETTINGS, files, { kind });
  const { app } = site;
  return {
    ...site,
    /** Sends a form as a browser does, and gives what is answered. */
    async send(path: string, form: Record<string, string>) {
      const headers = { 'content-type': FORM };
      const body = new URLSearchParams(form).toString();
      return (await app.visit(path, { method: 'POST', headers, body })).text;
    },
    /** What the site writes is there before it ends, and before it has written much. */
    tells: (line: string) => until(async () => (await app.call('GET', '/logs')).text.includes(line)),
    /** Deploys, and gives the deployment's log. */
    async goLive() {
      const id = await app.ask();
      await app.expect(id, 'live', LONGEST_MS);
      return app.log(id);
    },
  };
}

/**
 * A package as pip installs it without building anything:
 * https://packaging.python.org/en/latest/specifications/binary-distribution-format/
 */
async function wheel(name: string, module: string, program: string): Promise<Uint8Array> {
  const about = `${name}-1.0.dist-info`;
  const files = {
    [`${name}.py`]: module,
    [`${about}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
    [`${about}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${about}/entry_points.txt`]: `[console_scripts]\n${program} = ${name}:main\n`,
  };
  const zip = new ZipFile();
  for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), path);
  zip.addBuffer(
    Buffer.from([...Object.keys(files), `${about}/RECORD`].map((path) => `${path},,\n`).join('')),
    `${about}/RECORD`,
  );
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream);
}

const GUESTS = `
import importlib, os, sys
from wsgiref.simple_server import make_server

def main():
    module, _, name = sys.argv[1].partition(':')
    sys.path.insert(0, os.getcwd())
    app = getattr(importlib.import_module(module), name)
    print('the hall is open')
    make_server(os.environ['HOST'], int(os.environ['PORT']), app).serve_forever()
`;
const PYTHON_APP = `
from urllib.parse import parse_qs

def app(environ, start_response):
    length = int(environ.get('CONTENT_LENGTH') or 0)
    form = parse_qs(environ['wsgi.input'].read(length).decode())
    name = form.get('name', ['nobody'])[0]
    print('answered ' + name)
    start_response('200 OK', [('Content-Type', 'text/plain; charset=utf-8')])
    return [('shalom ' + name).encode()]
`;

for (const kind of DATABASES_OF_SLOW_TESTS) {
  testInLane(`a site in Python is installed, and finds its programs (${kind})`, async () => {
    await using at = await world(kind, {
      'requirements.txt': '--no-index\n--find-links wheels\nguests==1.0\n',
      'wheels/guests-1.0-py3-none-any.whl': await wheel('guests', GUESTS, 'serve-guests'),
      '.python-version': '3.1\n',
      'app.py': PYTHON_APP,
      Procfile: 'web: serve-guests app:app\nrelease: .venv/bin/python -c "import guests"\n',
    });
    const log = await at.goLive();
    assert.match(log, /Recognised Python by requirements\.txt/);
    // pip keeps what it downloads for the next build.
    assert.doesNotMatch(log, /cache has been disabled|not owned/);
    assert.match(log, /Python: 3\.\d+\.\d+/);
    assert.match(log, /\.python-version asks for Python 3\.1; this machine has 3\.\d+/);
    assert.equal(await at.send('/', { name: 'נועה' }), 'shalom נועה');
    await at.tells('answered נועה');
    await at.tells('the hall is open');
  });

  testInLane(`a site is installed by Poetry (${kind})`, async (test) => {
    const findLack = campaign(
      async () => 'npm run test:long tries it',
      () => lackOf('python'),
    );
    const lack = await findLack();
    if (lack !== undefined) return test.skip(lack);
    await using at = await world(kind, {
      'pyproject.toml':
        '[tool.poetry]\npackage-mode = false\n\n[tool.poetry.dependencies]\npython = ">=3.9"\n' +
        'guests = { path = "wheels/guests-1.0-py3-none-any.whl" }\n',
      'wheels/guests-1.0-py3-none-any.whl': await wheel('guests', GUESTS, 'serve-guests'),
      'app.py': PYTHON_APP,
      Procfile: 'web: serve-guests app:app\n',
    });
    const log = await at.goLive();
    assert.match(log, /There is no lockfile: .* pyproject\.toml allows/);
    assert.equal(await at.send('/', { name: 'נועה' }), 'shalom נועה');
  });

  testInLane(`a site in PHP is served, with what Composer installs (${kind})`, async () => {
    await using at = await world(kind, {
      'composer.json': JSON.stringify({
        require: { 'wedding/greeting': '1.0' },
        repositories: [{ type: 'path', url: 'greeting' }, { 'packagist.org': false }],
      }),
      'greeting/composer.json': JSON.stringify({
        name: 'wedding/greeting',
        version: '1.0',
        autoload: { files: ['greeting.php'] },
      }),
      'greeting/greeting.php': '<?php function greeting($name) { return "shalom $name"; }',
      'public/index.php': `<?php
require '../vendor/autoload.php';
error_log('answered ' . ($_POST['name'] ?? 'nobody'));
header('Content-Type: text/plain; charset=utf-8');
echo $_SERVER['REQUEST_URI'], ' ', greeting($_POST['name'] ?? 'nobody');`,
      'public/site.css': 'p { margin: 0 }',
    });
    const log = await at.goLive();
    assert.match(log, /Recognised PHP by composer\.json/);
    assert.match(log, /install: composer install .*\(composer\.json\)/);
    assert.equal(await at.send('/guests/7', { name: 'נועה' }), '/guests/7 shalom נועה');
    assert.equal((await at.app.visit('/site.css')).text, 'p { margin: 0 }');
    await at.tells('answered נועה');
  });

  testInLane(`a site in Ruby is installed by Bundler (${kind})`, async () => {
    await using at = await world(kind, {
      Gemfile: "gem 'hall', path: 'hall'\n",
      'hall/hall.gemspec': `Gem::Specification.new do |s|
  s.name, s.version, s.summary, s.authors = 'hall', '1.0', 'A hall', ['Noa']
  s.files, s.bindir, s.executables = ['lib/hall.rb'], 'bin', ['hall']
end`,
      'hall/lib/hall.rb': `require 'socket'
def serve
  $stdout.sync = true
  server = TCPServer.new(ENV['HOST'], ENV['PORT'].to_i)
  loop do
    client = server.accept
    length = 0
    while (line = client.gets) && line != "\\r\\n"
      length = line.split(':')[1].to_i if line =~ /^content-length/i
    end
    body = yield client.read(length)
    client.write "HTTP/1.1 200 OK\\r\\nContent-Length: #{body.bytesize}\\r\\nConnection: close\\r\\n\\r\\n#{body}"
    client.close
  end
end`,
      'hall/bin/hall': "#!/usr/bin/env ruby\nrequire 'hall'\nload ARGV[0]\n",
      'site.rb': `require 'uri'
serve do |form|
  name = URI.decode_www_form(form).to_h['name'] || 'nobody'
  puts "answered #{name}"
  "shalom #{name} in #{ENV['RACK_ENV']}"
end`,
      Procfile: 'web: bundle exec hall site.rb\n',
    });
    const log = await at.goLive();
    assert.match(log, /Recognised Ruby by Gemfile/);
    assert.match(log, /Bundler: /);
    assert.equal(await at.send('/', { name: 'noa' }), 'shalom noa in production');
    await at.tells('answered noa');
  });

  testInLane(`a site of Deno has Deno beside it (${kind})`, async () => {
    await using at = await world(kind, {
      'deno.json': '{\n  // ours\n  "tasks": { "start": "deno run -A main.ts" },\n}',
      'main.ts': `Deno.serve(async (request: Request) => {
  const name = request.method === 'POST' ? (await request.formData()).get('name') : 'nobody';
  console.log('answered', name);
  return new Response('shalom ' + name);
});`,
    });
    const log = await at.goLive();
    assert.match(log, /Recognised Deno by deno\.json/);
    assert.doesNotMatch(log, /starting it again/);
    assert.equal(await at.send('/', { name: 'noa' }), 'shalom noa');
    await at.tells('answered noa');
  });

  const noGo = GO.some((file) => existsSync(file))
    ? campaign<string | false>('npm run test:long tries it', false)
    : 'Go is not installed';
  testInLane(`a site in Go is built (${kind})`, { skip: noGo }, async () => {
    await using at = await world(kind, {
      'go.mod': 'module wedding\n\ngo 1.19\n',
      'cmd/site/main.go': `package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/", func(answer http.ResponseWriter, request *http.Request) {
		log.Println("answered", request.FormValue("name"))
		fmt.Fprint(answer, "shalom ", request.FormValue("name"))
	})
	log.Fatal(http.ListenAndServe(os.Getenv("HOST")+":"+os.Getenv("PORT"), nil))
}
`,
    });
    const log = await at.goLive();
    assert.match(log, /Recognised Go by go\.mod/);
    assert.match(log, /go build -o bin\/ \.\/cmd\/\.\.\./);
    assert.equal(await at.send('/', { name: 'noa' }), 'shalom noa');
    await at.tells('answered noa');
  });

  const noRust = CARGO.some((file) => existsSync(file)) ? false : 'Rust is not installed';
  testInLane(`a site in Rust is built, and its workers beside it (${kind})`, { skip: noRust }, async () => {
    await using at = await world(kind, {
      'Cargo.toml': '[package]\nname = "wedding"\nedition = "2021"\ndefault-run = "wedding"\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "wedding"\nversion = "0.0.0"\n',
      'rust-toolchain.toml': '[toolchain]\nchannel = "1.31.0"\n',
      'src/main.rs': `use std::io::{Read, Write};

fn main() {
    let port = std::env::var("PORT").unwrap();
    let listener = std::net::TcpListener::bind(format!("0.0.0.0:{port}")).unwrap();
    for connection in listener.incoming() {
        let mut connection = connection.unwrap();
        let mut request = [0; 4096];
        let count = connection.read(&mut request).unwrap();
        let text = String::from_utf8_lossy(&request[..count]);
        let name = text.split("name=").nth(1).unwrap_or("nobody");
        println!("answered {name}");
        let body = format!("shalom {name}");
        let length = body.len();
        write!(connection, "HTTP/1.1 200 OK\\r\\ncontent-length: {length}\\r\\nconnection: close\\r\\n\\r\\n{body}").unwrap();
    }
}
`,
      'src/bin/migrate.rs': 'fn main() {\n    println!("migrated");\n}\n',
      Procfile: 'release: ./target/release/migrate\n',
    });
    const log = await at.goLive();
    assert.match(log, /Recognised Rust by Cargo\.lock/);
    assert.match(log, /rust-toolchain\.toml asks for Rust 1\.31\.0; this machine has rustc 1\.\d+/);
    assert.match(log, /\[release\] migrated/);
    assert.equal((await at.app.visit('/?name=noa')).text.split(' ').slice(0, 2).join(' '), 'shalom noa');
    await at.tells('answered noa');
  });
}
