import { placeOf } from '../events/place.ts';

/** Where an event is, as far as maps are concerned. */
export interface Place {
  venue_name: string;
  venue_address: string | null;
  map: boolean | null;
  coordinates: string | null;
}

/** What a map is asked for; undefined where there is no place to be found, or none to be shown. */
function sought({ map, coordinates, ...place }: Place): { point?: string; text: string } | undefined {
  if (map === false) return undefined;
  if (coordinates) {
    const point = coordinates.replaceAll(' ', '');
    return { point, text: point };
  }
  return map || place.venue_address ? { text: placeOf(place) } : undefined;
}

/** https://developers.google.com/maps/documentation/urls/get-started#search-action */
export function mapUrl(place: Place): string | null {
  const where = sought(place);
  return where ? `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(where.text)}` : null;
}

/** https://developers.google.com/waze/deeplinks */
export function wazeUrl(place: Place): string | null {
  const where = sought(place);
  if (!where) return null;
  const by = where.point ? `ll=${where.point}` : `q=${encodeURIComponent(where.text)}`;
  return `https://waze.com/ul?${by}&navigate=yes`;
}
