const Koa = require('koa');
const parser = require('koa-bodyparser');

const site = new Koa();
site.use(parser());
site.use((context) => {
  context.body = context.method === 'POST' ? context.request.body : `You came to ${context.path}`;
});
site.listen(process.env.PORT);
