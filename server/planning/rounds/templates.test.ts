import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import { ROUND_KINDS } from './kinds.ts';
import { letterWords } from './letter-words.ts';
import { allTemplates, LONGEST_BUTTON, renderMessage, templateText, whatsAppMessageTo } from './templates.ts';

const PLACE = /\{\{(\w+)\}\}/g;

function longGuest(language: (typeof LANGUAGE_NAMES)[number]) {
  const long = 'מ'.repeat(2000);
  return {
    id: '1',
    event_id: '2',
    link_version: 1,
    name: long,
    rsvp_status: 'confirmed',
    coming: 100,
    waiting: false,
    maybe: false,
    registration: false,
    hebrew_date: null,
    coordinates: null,
    language,
    language_pref: language,
    event_date: new Date('2099-06-15T16:30:00Z'),
    venue_name: long,
    venue_address: long,
    description: null,
    status: 'published',
    lasts_minutes: null,
    sequence: 1,
    has_calendar_entry: false,
    title: long,
    hosts: null,
    reply_to: null,
    answer_until: null,
    phone: '+972501234567',
  } as never;
}

test('each template keeps to WhatsApp’s rules, with its places filled to the brim', () => {
  for (const kind of ROUND_KINDS) {
    for (const language of LANGUAGE_NAMES) {
      const text = templateText(kind, language);
      const places = [...text.matchAll(PLACE)].map(([, name]) => name);
      assert.ok(places.includes('name') && places.includes('details'), text);
      // Meta rejects a placeholder at either end, and two side by side.
      assert.doesNotMatch(text, /^\{\{|\}\}$|\}\}\s*\{\{/);
      assert.ok((letterWords[language][kind].action ?? '').length <= LONGEST_BUTTON);
      const circumstances = { url: 'https://x/r/token', before: {}, now: Temporal.Now.instant() };
      const message = whatsAppMessageTo(
        longGuest(language),
        { kind, subject: null, message: null },
        circumstances,
      );
      assert.deepEqual(Object.keys(message.parameters).sort(), [...places].sort());
      const shown = renderMessage(message, kind, language);
      assert.doesNotMatch(shown, PLACE);
      assert.ok(shown.length <= 1024, `${kind} ${language}: ${shown.length}`);
    }
  }
});

test('what is handed in for approval has an example for each place', () => {
  const templates = allTemplates('https://simcha.example.com') as {
    name: string;
    components: { text: string; example: { body_text_named_params: { param_name: string }[] } }[];
  }[];
  assert.equal(templates.length, 30);
  for (const { name, components } of templates) {
    assert.match(name, /^simcha_[a-z_]+$/);
    const [body] = components;
    const places = [...(body?.text ?? '').matchAll(PLACE)].map(([, place]) => place);
    assert.deepEqual(
      body?.example.body_text_named_params.map(({ param_name }) => param_name).sort(),
      places.sort(),
    );
  }
});
