export default defineEventHandler(async (event) => ({ got: await readBody(event) }));
