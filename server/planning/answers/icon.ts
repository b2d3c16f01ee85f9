/** Path of the icon that browsers show in the tab of a guest's page. */
export const ICON_PATH = '/icon.svg';

export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#9c2f5b"/>' +
  '<path d="M16 5l2.8 8.2L27 16l-8.2 2.8L16 27l-2.8-8.2L5 16l8.2-2.8z" fill="#fff"/></svg>';
