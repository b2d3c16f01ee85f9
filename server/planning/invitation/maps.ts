import { venueLine } from '../events/place.ts';

/** Place of an event, from which links to maps are made. */
export interface MapPlace {
  venue_name: string;
  venue_address: string | null;
  map: boolean | null;
  coordinates: string | null;
}

/** Search term for a map of the event's place; undefined if the place is not known or the organizer wants no map. */
function mapSearch({ map, coordinates, ...place }: MapPlace): { point?: string; text: string } | undefined {
  if (map === false) return undefined;
  if (coordinates) {
    const point = coordinates.replaceAll(' ', '');
    return { point, text: point };
  }
  return map || place.venue_address ? { text: venueLine(place) } : undefined;
}

/** Google Maps link (https://developers.google.com/maps/documentation/urls/get-started#search-action). */
export function mapUrl(place: MapPlace): string | null {
  const where = mapSearch(place);
  return where ? `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(where.text)}` : null;
}

/** Link that opens the event's place in Waze (https://developers.google.com/waze/deeplinks). */
export function wazeUrl(place: MapPlace): string | null {
  const where = mapSearch(place);
  if (!where) return null;
  const by = where.point ? `ll=${where.point}` : `q=${encodeURIComponent(where.text)}`;
  return `https://waze.com/ul?${by}&navigate=yes`;
}
