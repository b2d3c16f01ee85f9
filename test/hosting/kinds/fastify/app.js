export default async function app(site, _options) {
  site.get('/guests/:name', async ({ params }) => ({ name: params.name }));
  site.post('/answers', async ({ body }) => ({ got: body }));
}
