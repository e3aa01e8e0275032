import type { AlertCases } from './alert-case.ts';

const UP = (instance: string) => `up{job="rabbitmq",instance="${instance}"}`;
const at = (metric: string) => `rabbitmq_${metric}{instance="r1"}`;

export const BROKER_CASES: AlertCases = {
  RabbitMQDown: {
    series: { [UP('r1')]: '0x60', [UP('r2')]: '0x60' },
    at: '5m',
    fires: [{ labels: { job: 'rabbitmq' }, summary: 'No node of RabbitMQ answers the scrape' }],
    alsoFires: { 'none is found': { [UP('r1')]: null, [UP('r2')]: null } },
    quiet: { 'one node answers': { [UP('r2')]: '1x60' } },
  },
  RabbitMQResourceAlarm: {
    // Two at once are one alert; it stays on for five minutes after they are over.
    series: {
      [at('alarms_memory_used_watermark')]: '0x4 1x4 0x40',
      [at('alarms_free_disk_space_watermark')]: '0x4 1x4 0x40',
    },
    at: '11m',
    fires: [
      {
        labels: { instance: 'r1' },
        summary: 'r1: an alarm about memory, disk or files is on; publishers are blocked',
      },
    ],
    quiet: {
      'there is none': {
        [at('alarms_memory_used_watermark')]: '0x40',
        [at('alarms_free_disk_space_watermark')]: '0x40',
      },
      'it is long over': {
        [at('alarms_memory_used_watermark')]: '0x1 1x1 0x40',
        [at('alarms_free_disk_space_watermark')]: '0x40',
      },
    },
  },
  RabbitMQNodeDown: {
    series: { [UP('r1')]: '0x60', [UP('r2')]: '1x60' },
    at: '5m',
    fires: [
      { labels: { job: 'rabbitmq', instance: 'r1' }, summary: 'r1 does not answer the scrape' },
    ],
    quiet: { 'all answer': { [UP('r1')]: '1x60' } },
  },
  RabbitMQMemoryHigh: {
    series: {
      [at('process_resident_memory_bytes')]: '90x60',
      [at('resident_memory_limit_bytes')]: '100x60',
    },
    at: '10m',
    fires: [
      {
        labels: { instance: 'r1' },
        summary: 'r1 uses 90% of the memory at which it blocks publishers',
      },
    ],
    quiet: { 'there is room': { [at('process_resident_memory_bytes')]: '50x60' } },
  },
  RabbitMQDiskFills: {
    series: {
      [at('disk_space_available_bytes')]: '1000000-1000x480',
      [at('disk_space_available_limit_bytes')]: '500000x480',
    },
    at: '400m',
    fires: [{ labels: { instance: 'r1' }, summary: 'r1 reaches its disk limit within 4 hours' }],
    quiet: {
      'it stays': { [at('disk_space_available_bytes')]: '600000x480' },
      'it shrinks slowly': { [at('disk_space_available_bytes')]: '1000000-100x480' },
    },
  },
  RabbitMQFileDescriptorsHigh: {
    series: { [at('process_open_fds')]: '900x60', [at('process_max_fds')]: '1000x60' },
    at: '20m',
    fires: [{ labels: { instance: 'r1' }, summary: 'r1 uses 90% of its file descriptors' }],
    quiet: { 'there are enough': { [at('process_open_fds')]: '100x60' } },
  },
  RabbitMQUnroutableDropped: {
    series: {
      'rabbitmq_global_messages_unroutable_dropped_total{instance="r1",protocol="amqp091"}':
        '0+1x60',
    },
    at: '20m',
    fires: [
      {
        labels: { instance: 'r1' },
        summary: 'r1 dropped 5 messages that had no queue, in 5 minutes',
      },
    ],
    quiet: {
      'none lately': {
        'rabbitmq_global_messages_unroutable_dropped_total{instance="r1",protocol="amqp091"}':
          '5x60',
      },
    },
  },
  RabbitMQConnectionChurn: {
    series: { [at('connections_opened_total')]: '0+120x60', [at('connections')]: '10x60' },
    at: '20m',
    fires: [
      { labels: { instance: 'r1' }, summary: 'r1: 20% of the connections are new every second' },
    ],
    quiet: {
      'they stay': { [at('connections_opened_total')]: '10x60' },
      'they are many': { [at('connections')]: '1000x60' },
    },
  },
};
