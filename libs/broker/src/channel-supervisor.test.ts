import amqplib, { type Channel } from 'amqplib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ChannelPlan, ChannelSupervisor } from './channel-supervisor.ts';
import { FakeConnection } from './fake-channel.fixture.ts';

/** The longest first pause before another channel is opened. */
const REOPEN_MS = 50;

function supervise(changes: Pick<ChannelPlan<Channel>, 'prepare'> = {}) {
  const broker = new FakeConnection();
  const plan = {
    create: vi.fn<ChannelPlan<Channel>['create']>((raw) => raw.createChannel()),
    onOpen: vi.fn(),
    onClose: vi.fn(),
    onOpenFailed: vi.fn(),
    ...changes,
  };
  const supervisor = new ChannelSupervisor<Channel>(broker.asConnection, plan);
  return { broker, plan, supervisor };
}

async function opened(changes: Pick<ChannelPlan<Channel>, 'prepare'> = {}) {
  const all = supervise(changes);
  all.supervisor.start();
  all.broker.comesUp();
  await vi.advanceTimersByTimeAsync(0);
  return all;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('ChannelSupervisor', () => {
  it('opens a channel on the connection of the moment, or on the next one', async () => {
    const { broker, plan, supervisor } = await opened();
    expect(plan.onOpen).toHaveBeenCalledExactlyOnceWith(broker.channel);
    expect(supervisor.current).toBe(broker.channel);
    const late = supervise();
    late.broker.comesUp();
    late.supervisor.start();
    late.supervisor.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(late.broker.channels).toHaveLength(1);
  });

  it('opens another one after a reconnect, and hands each out once', async () => {
    const { broker, plan } = await opened();
    broker.goesDown();
    expect(plan.onClose).toHaveBeenCalledExactlyOnceWith(undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(broker.channels).toHaveLength(1);
    broker.comesUp();
    await vi.advanceTimersByTimeAsync(REOPEN_MS);
    expect(plan.onOpen.mock.calls.map(([channel]) => channel)).toEqual(broker.channels);
    expect(broker.channels).toHaveLength(2);
  });

  it('says why the broker closed the channel alone, and opens another one', async () => {
    const { broker, plan } = await opened();
    broker.channel.closes({ code: 404, text: 'NOT_FOUND' });
    expect(plan.onClose).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 404 }));
    await vi.advanceTimersByTimeAsync(REOPEN_MS);
    expect(plan.onOpen).toHaveBeenCalledTimes(2);
  });

  it('pauses longer and longer while opening fails, then starts afresh', async () => {
    const { broker, plan } = supervise();
    const supervisor = new ChannelSupervisor<Channel>(broker.asConnection, plan);
    broker.refusals = Array.from({ length: 10 }, () => new Error('no more channels'));
    supervisor.start();
    broker.comesUp();
    await vi.advanceTimersByTimeAsync(300);
    const quick = plan.create.mock.calls.length;
    expect(quick).toBeGreaterThanOrEqual(3);
    expect(quick).toBeLessThanOrEqual(6);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(plan.onOpenFailed).toHaveBeenCalledTimes(10);
    expect(plan.onOpen).toHaveBeenCalledOnce();
    broker.channel.closes();
    await vi.advanceTimersByTimeAsync(REOPEN_MS);
    expect(plan.onOpen).toHaveBeenCalledTimes(2);
  });

  it('makes a channel ready before it hands it out, and closes one that cannot be', async () => {
    const prepare = vi.fn(async (_channel: Channel) => {});
    prepare.mockRejectedValueOnce(new Error('no queue'));
    const { broker, plan } = await opened({ prepare });
    const [first] = broker.channels;
    expect(plan.onOpen).not.toHaveBeenCalled();
    expect(plan.onOpenFailed).toHaveBeenCalledOnce();
    await expect(first?.close()).rejects.toThrow('Channel closed');
    await vi.advanceTimersByTimeAsync(REOPEN_MS);
    expect(plan.onOpen).toHaveBeenCalledExactlyOnceWith(broker.channels[1]);
  });

  it('never hands out a channel that closed while it was made ready', async () => {
    const broken = { code: 404, text: 'NOT_FOUND' };
    const { broker, plan } = supervise({
      prepare: async () => {
        if (broker.channels.length === 1) broker.channel.closes(broken);
      },
    });
    new ChannelSupervisor<Channel>(broker.asConnection, plan).start();
    broker.comesUp();
    await vi.advanceTimersByTimeAsync(0);
    expect(plan.onOpenFailed).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: 404 }),
    );
    await vi.advanceTimersByTimeAsync(REOPEN_MS);
    expect(plan.onOpen).toHaveBeenCalledExactlyOnceWith(broker.channels[1]);
    expect(plan.onClose).not.toHaveBeenCalled();
  });

  it('moves on to a connection that came while a channel was made ready on the one before', async () => {
    let ready = () => {};
    const prepare = vi.fn(async () => {});
    prepare.mockReturnValueOnce(
      new Promise<void>((resolve) => {
        ready = resolve;
      }),
    );
    const { broker, plan } = await opened({ prepare });
    broker.comesUp();
    await vi.advanceTimersByTimeAsync(0);
    ready();
    await vi.advanceTimersByTimeAsync(REOPEN_MS);
    expect(plan.onOpen).toHaveBeenCalledExactlyOnceWith(broker.channels[1]);
    expect(broker.channels).toHaveLength(2);
  });

  it('gives a channel up: its owner is told at once, it is closed, another one is opened', async () => {
    const { broker, plan, supervisor } = await opened();
    const [first] = broker.channels;
    supervisor.abandon();
    expect(plan.onClose).toHaveBeenCalledOnce();
    expect(supervisor.current).toBeUndefined();
    await expect(first?.close()).rejects.toThrow('Channel closed');
    await vi.advanceTimersByTimeAsync(REOPEN_MS);
    expect(plan.onOpen).toHaveBeenCalledTimes(2);
    expect(plan.onClose).toHaveBeenCalledOnce();
  });

  it('asks for another connection where this one takes no more channels', async () => {
    const { broker, plan } = supervise();
    broker.refusals = [new amqplib.IllegalOperationError('Connection closed', '')];
    new ChannelSupervisor<Channel>(broker.asConnection, plan).start();
    broker.comesUp();
    await vi.advanceTimersByTimeAsync(0);
    expect(broker.discarded).toBe(1);
  });

  it('opens nothing more once it is stopped', async () => {
    const { broker, plan, supervisor } = await opened();
    supervisor.stop();
    broker.channel.closes();
    broker.comesUp();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(plan.create).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });
});
