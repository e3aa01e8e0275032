import { describe, expect, it } from 'vitest';
import { annotationsFor, runbookUrl } from './annotations.ts';
import { RUNBOOK, RUNBOOK_SETTING, runbookAddress } from './runbook-address.ts';

const at = (address: string | undefined) => runbookAddress({ [RUNBOOK_SETTING]: address });

describe('the address of the runbook', () => {
  it('is the path in the repository, unless it is told', () => {
    expect(at(undefined)).toBe(RUNBOOK);
    expect(at('')).toBe(RUNBOOK);
    expect(at('https://git.example.org/ops/runbook')).toBe('https://git.example.org/ops/runbook');
  });

  it.each([
    'docs/runbook.md',
    'https://git.example.org/runbook#top',
    'https://git.example.org/{{ .Labels.queue }}',
    'https://git.example.org/$HOME',
    'https://',
    'ftp://git.example.org/runbook',
  ])('refuses %s by name', (address) => {
    expect(() => at(address)).toThrow(/^WARREN_RUNBOOK_URL must be/);
  });
});

it('is in what an alert tells, with the anchor of its section', () => {
  const alert = { name: 'JobOutboxLag', severity: 'page', expr: '', summary: 'late' } as const;
  const address = 'https://git.example.org/runbook';
  expect(annotationsFor('prometheus', alert, address)).toEqual({
    summary: 'late',
    runbook_url: 'https://git.example.org/runbook#joboutboxlag',
  });
  expect(runbookUrl(alert, RUNBOOK)).toBe('docs/runbook.md#joboutboxlag');
});
