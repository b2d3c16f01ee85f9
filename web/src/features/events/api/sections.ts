/** Sections of an event in the order of the navigation. The sections' names are in section-words.ts. */
export const SECTIONS = [
  { to: '/events/$eventId', name: 'overview', exact: true },
  { to: '/events/$eventId/invitation', name: 'invitation', exact: false },
  { to: '/events/$eventId/guests', name: 'guestList', exact: false },
  { to: '/events/$eventId/waiting', name: 'waitingAndRequests', exact: false },
  { to: '/events/$eventId/questions', name: 'questionsAndMeals', exact: false },
  { to: '/events/$eventId/messages', name: 'messages', exact: false },
  { to: '/events/$eventId/vendors', name: 'vendors', exact: false },
  { to: '/events/$eventId/checklist', name: 'checklist', exact: false },
  { to: '/events/$eventId/history', name: 'history', exact: false },
  { to: '/events/$eventId/details', name: 'details', exact: false },
  { to: '/events/$eventId/sharing', name: 'sharing', exact: false },
] as const;
