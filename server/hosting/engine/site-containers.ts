import type { Owner } from './archives.ts';

// How an engine's containers are found again, and where things are in them: what makes their images and what starts them agree on it.

/** Whom processes of sites and builds run as, and their files belong to. */
export const SITE_USER: Owner = { uid: 1_000, gid: 1_000 };
/** Where a release is, and the home of whatever runs of it. */
export const APP = '/app';
export const HOME = '/home/site';

/** Labels of all containers, images, networks and volumes of one platform. */
export const PLATFORM = 'simcha.platform';
export const APPLICATION = 'simcha.application';
export const ENVIRONMENT = 'simcha.environment';
/** `site`, `task` or `build`. */
export const KIND = 'simcha.kind';
/** Of an image, the build that it is. */
export const BUILD = 'simcha.build';
export const INSTANCE = 'simcha.instance';
/** All that is known of it as one, for whoever reads it again. */
export const ABOUT = 'simcha.about';
