const { mkdirSync, readdirSync, writeFileSync } = require('node:fs');
const express = require('express');

const site = express();
mkdirSync('uploads', { recursive: true });
site.use(express.urlencoded());
site.get('/', (_request, response) => response.send('<form method="post" action="/answers"><input name="name"></form>'));
site.post('/answers', (request, response) => {
  writeFileSync(`uploads/${encodeURIComponent(request.body.name)}`, 'yes');
  response.redirect(303, '/answers');
});
site.get('/answers', (_request, response) => response.json(readdirSync('uploads').map(decodeURIComponent)));
site.listen(process.env.PORT);
