import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeAt } from './place.ts';
import { JERUSALEM } from './sun.ts';

test('an event in Israel has its own sun, and candles by the custom of the town', () => {
  const minutes = (coordinates: string) => placeAt(coordinates)?.candleLighting;
  assert.equal(minutes('31.7683, 35.2137'), JERUSALEM.candleLighting);
  assert.equal(minutes('31.8290,35.2420'), JERUSALEM.candleLighting, 'Pisgat Zeev');
  assert.equal(minutes('32.7767, 35.0232'), 30, 'the Technion');
  assert.deepEqual(
    ['32.0853, 34.7818', '29.5577, 34.9519', '31.8044, 35.1039', '33.2774, 35.5771'].map(minutes),
    [20, 20, 20, 20],
    'Tel Aviv, Eilat, outside Jerusalem, Metula',
  );
  assert.deepEqual(placeAt('29.5577, 34.9519'), {
    latitude: 29.5577,
    longitude: 34.9519,
    candleLighting: 20,
  });
});

test('far away, or nowhere, it is Jerusalem’s sun', () => {
  for (const coordinates of [null, '', '40.7128, -74.006', '-31.77, 35.21', '90, 35', '31.77']) {
    assert.equal(placeAt(coordinates), undefined, String(coordinates));
  }
});
