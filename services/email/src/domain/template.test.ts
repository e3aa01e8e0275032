import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RENDERED_LENGTH } from './liquid-engine.ts';
import { compileTemplate } from './template.ts';

const text = (source: string, data: object = {}) =>
  compileTemplate({ subject: 'Hi', text: source })(data).text;
const html = (source: string, data: object = {}) =>
  compileTemplate({ subject: 'Hi', html: source })(data).html;

describe('a template', () => {
  it('renders subject, text and html with the data of one recipient', () => {
    const render = compileTemplate({
      subject: 'Hello {{ name }}',
      text: '{% for item in items %}{{ item.title | upcase }} {% endfor %}',
      html: '<p>{{ name }}</p>',
    });
    const ada = { name: 'Ada', items: [{ title: 'one' }, { title: 'two' }] };
    expect(render(ada)).toEqual({ subject: 'Hello Ada', text: 'ONE TWO ', html: '<p>Ada</p>' });
    expect(render({ name: 'Eve', items: [] }).text).toBe('');
  });

  it('has only the parts that it was given', () => {
    expect(compileTemplate({ subject: 'Hi', text: '' })({})).toEqual({ subject: 'Hi', text: '' });
  });

  it.each<[string, object, string]>([
    ['{{ n }} {{ yes }} {{ none }}', { n: 0, yes: true, none: null }, '0 true '],
    ['{% if nick %}{{ nick }}{% else %}you{% endif %}', {}, 'you'],
    ['{{ nick | default: "you" }}', {}, 'you'],
    ['{{ d | date: "%Y-%m-%d %H:%M" }}', { d: '2026-01-02T03:04:05Z' }, '2026-01-02 03:04'],
    ['{{ list }}', { list: ['a', ['b', null]] }, 'ab'],
    ['{{ name }}', { name: '<b>&' }, '<b>&'],
  ])('renders %s with %j', (source, data, expected) => {
    expect(text(source, data)).toBe(expected);
  });

  it.each<[string, string]>([
    ['{{ name }}', 'template.text: undefined variable: name'],
    ['{{ user.name }}', 'template.text: undefined variable: user.name'],
    ['{% for a in list %}{% endfor %}', 'template.text: undefined variable: list'],
    ['{{ user.name | nothing }}', 'template.text: undefined filter: nothing'],
    ['{{ name', 'template.text: output "{{ name" not closed'],
    ['{% nothing %}', 'template.text: tag "nothing" not found'],
    ['{% include "/etc/passwd" %}', 'template.text: tag "include" not found'],
    ['{% render "x" %}', 'template.text: tag "render" not found'],
    ['{% layout "x" %}', 'template.text: tag "layout" not found'],
  ])('refuses %s, saying why', (source, problem) => {
    expect(() => text(source, { user: {} })).toThrow(problem);
  });

  it.each(['constructor', '__proto__', 'user.constructor', 'user.toString', 'name.constructor'])(
    'does not reach %s',
    (path) => {
      expect(() => text(`{{ ${path} }}`, { user: {}, name: 'x' })).toThrow('undefined variable');
    },
  );

  it('shows no data in an error, also where a name was computed from it', () => {
    expect(() => text('{{ items[key] }}', { items: {}, key: 'secret' })).toThrow(
      /^template\.text: undefined variable$/,
    );
  });

  it.each<[string, object]>([
    ['{% for i in (1..1000000000) %}x{% endfor %}', {}],
    ['{% for i in (1..3000) %}{% for j in (1..3000) %}{% endfor %}{% endfor %}', {}],
    [
      '{% assign a = "xxxxxxxxxx" %}{% for i in (1..99) %}{% assign a = a | append: a %}{% endfor %}',
      {},
    ],
    ['{% for i in (1..9999) %}{{ long }}{% endfor %}', { long: 'x'.repeat(1_000) }],
    ['{% for i in (1..9999) %}{{ long }}{% endfor %}', { long: [['x'.repeat(1_000)]] }],
    ['{% for i in (1..9999) %}{{ long | raw }}{% endfor %}', { long: 'x'.repeat(1_000) }],
    [`{% for i in (1..9999) %}${'x'.repeat(1_000)}{% endfor %}`, {}],
    [
      '{% for a in list %}{% for b in list %}{% for c in list %}{% endfor %}{% endfor %}{% endfor %}',
      { list: Array.from({ length: 100 }, () => 0) },
    ],
  ])('that would fill time or memory is given up: %s', (source, data) => {
    expect(() => text(source, data)).toThrow(/limit exceeded|is longer than/);
  });

  it('renders again after one that had too many steps, and with as many steps as before', () => {
    const render = compileTemplate({
      subject: 'Hi',
      text: '{% for i in list %}{% for j in (1..10) %}{% endfor %}{% endfor %}',
    });
    const list = (length: number) => ({ list: Array.from({ length }, () => 0) });
    expect(() => render(list(10_000))).toThrow('limit exceeded');
    for (let run = 0; run < 20; run += 1) expect(render(list(1_000)).text).toBe('');
  });

  it('renders again after one that was too long', () => {
    const render = compileTemplate({ subject: 'Hi', text: '{{ a }}' });
    expect(() => render({ a: 'x'.repeat(MAX_RENDERED_LENGTH + 1) })).toThrow('is longer than');
    expect(render({ a: 'x'.repeat(MAX_RENDERED_LENGTH) }).text).toHaveLength(MAX_RENDERED_LENGTH);
  });
});

describe('the html part', () => {
  it('has every value escaped, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const json = JSON.parse(JSON.stringify({ value }) ?? '{}') as { value?: unknown };
        const rendered = html('{{ value | default: "" }}', json) ?? '';
        expect(rendered).not.toMatch(/[<>"']/);
      }),
    );
  });

  it('prints objects, also such that cannot be made a text of', () => {
    const data = { a: { toString: 1, valueOf: null }, b: [{ toString: '<' }] };
    expect(html('{{ a }}{{ b }}', data)).toBe('[object Object][object Object]');
  });

  it.each<[string, string]>([
    ['{{ evil }}', '&lt;i&gt;&quot;&#39;&amp;'],
    ['{% echo evil %}', '&lt;i&gt;&quot;&#39;&amp;'],
    ['{% liquid\n echo evil %}', '&lt;i&gt;&quot;&#39;&amp;'],
    ['{{ list }}', '&lt;i&gt;'],
    ['{% cycle evil %}', '&lt;i&gt;&quot;&#39;&amp;'],
    ['{% for item in list %}{{ item }}{% endfor %}', '&lt;i&gt;'],
    ['{{ evil | raw }}', '<i>"\'&'],
  ])('%s', (source, expected) => {
    expect(html(source, { evil: '<i>"\'&', list: ['<i>'] })).toBe(expected);
  });
});
