const { createServer } = require('node:http');
const { homedir } = require('node:os');
const { DatabaseSync } = require('node:sqlite');
const bcrypt = require('bcrypt');

const [here, kept] = ['data.db', `${homedir()}/data.db`].map((file) => {
  const database = new DatabaseSync(file);
  database.exec('create table if not exists visits (hash text)');
  return database;
});
createServer(async (request, response) => {
  if (request.url !== '/visits') return response.end('ready');
  const hash = await bcrypt.hash('secret', 4);
  const count = (database) => {
    database.prepare('insert into visits values (?)').run(hash);
    return database.prepare('select count(*) as count from visits').get().count;
  };
  response.end(JSON.stringify({ here: count(here), kept: count(kept), fits: await bcrypt.compare('secret', hash) }));
}).listen(process.env.PORT);
