import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningApp, runApp } from '../../../fixtures/running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await runApp();
});
afterAll(() => app.stop());

it('/docs is a page whose every part comes from the gateway itself', async () => {
  const response = await fetch(`${app.url}/docs`);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  const page = await response.text();
  const parts = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => String(address));
  expect(parts).toHaveLength(5);
  for (const part of parts) {
    expect(part).toMatch(/^\/[^/]/);
    const { status, headers } = await fetch(`${app.url}${part}`);
    expect(status, part).toBe(200);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

it.each([
  ['start.js', 'text/javascript', 'SwaggerUIBundle({'],
  ['swagger-ui-bundle.js', 'text/javascript', 'SwaggerUIBundle'],
  ['swagger-ui.css', 'text/css', '.swagger-ui'],
])('/docs/%s is %s', async (file, type, text) => {
  const response = await fetch(`${app.url}/docs/${file}`);
  expect(response.headers.get('content-type')).toContain(type);
  expect(await response.text()).toContain(text);
});

it('allows no script in the page itself, and has none', async () => {
  const response = await fetch(`${app.url}/docs`);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toContain('unsafe-eval');
  expect(policy).not.toContain('upgrade-insecure-requests');
  expect(await response.text()).not.toMatch(/<script>|<style|style=| on\w+=/);
});

it.each(['package.json', 'swagger-initializer.js', '..%2fpackage.json', '%E0%A4%A'])(
  'serves nothing else of the viewer: %s',
  async (file) => {
    const { status } = await fetch(`${app.url}/docs/${file}`);
    expect([400, 404]).toContain(status);
  },
);
