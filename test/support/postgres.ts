export { freePort, type Postgres, startPostgres } from '../../commands/cluster/postgres.ts';
