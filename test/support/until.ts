export { until } from '../../commands/cluster/until.ts';
