import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const site = new Hono();
site.get('/guests/:name', (context) => context.text(`Guest ${context.req.param('name')}`));
serve({ fetch: site.fetch, port: 3000 });
