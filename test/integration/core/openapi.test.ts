import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/v4-mini';

const PUBLISHED = resolve(__dirname, '../../../shared/openapi.json');
const document = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(PUBLISHED, 'utf8')));

test('its patterns work in languages without the flag u', () => {
  const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
    z.string().parse(JSON.parse(text ?? '')),
  );
  const ofEmails = patterns.filter((pattern) => pattern.includes('@'));
  expect(ofEmails.length).toBeGreaterThan(0);
  for (const pattern of ofEmails) {
    expect('peter.fischer@example.com').toMatch(new RegExp(pattern));
    expect('ada\u200b@example.com').not.toMatch(new RegExp(pattern));
  }
  for (const pattern of patterns) expect(pattern).not.toContain('\\p{');
});
