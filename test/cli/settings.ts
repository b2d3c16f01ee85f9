/** Settings of the server that tests of the command line share. */
export const HOSTING = { APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '20' };
