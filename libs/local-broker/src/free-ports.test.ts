import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePorts, isPortFree } from './free-ports.ts';

describe('free ports', () => {
  it('are ports', async () => {
    expect(await isPortFree(70_000)).toBe(false);
  });

  it('are different and below those of outgoing connections', async () => {
    const ports = await freePorts(20);
    expect(new Set(ports).size).toBe(20);
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });

  it('can be listened on', async () => {
    const [port] = (await freePorts(1)) as [number];
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect(await isPortFree(port)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
    expect(await isPortFree(port)).toBe(true);
  });
});
