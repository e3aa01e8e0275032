import type { Section } from './dashboard.ts';
import { lines, stat } from './panel.ts';

const AT = '{{instance}}';
const rate = (metric: string): string => `sum(rate(${metric}[$__rate_interval]))`;

/** What RabbitMQ's plugin rabbitmq_prometheus tells, by names that 3.10 and 4 have. */
export const BROKER: Section = {
  title: 'RabbitMQ',
  panels: [
    stat({
      title: 'Nodes down',
      description: 'That do not answer the scrape.',
      unit: 'short',
      expr: 'sum(up{job="rabbitmq"} == bool 0)',
      badFrom: 1,
    }),
    stat({
      title: 'Alarms',
      description: 'Memory, disk or files. While one is on, publishers are blocked.',
      unit: 'short',
      expr: 'sum({__name__=~"rabbitmq_alarms_(memory_used_watermark|free_disk_space_watermark|file_descriptor_limit)"})',
      badFrom: 1,
    }),
    stat({
      title: 'Connections',
      description: 'Each process has one or two.',
      unit: 'short',
      expr: 'sum(rabbitmq_connections)',
    }),
    stat({
      title: 'Channels',
      description: 'About one for each queue that a process consumes, and a few more.',
      unit: 'short',
      expr: 'sum(rabbitmq_channels)',
    }),
    stat({
      title: 'Queues',
      description: 'Three for each job type, one for each retry tier, and a few more.',
      unit: 'short',
      expr: 'sum(rabbitmq_queues)',
    }),
    stat({
      title: 'Dropped as unroutable',
      description:
        'Messages that had no queue and whose publisher did not ask to have them back, in the last hour. Warren always asks.',
      unit: 'short',
      expr: 'sum(increase(rabbitmq_global_messages_unroutable_dropped_total[1h]))',
      badFrom: 1,
    }),
    lines({
      title: 'Memory until publishers are blocked',
      description: 'At 0 the broker raises its memory alarm.',
      unit: 'bytes',
      width: 8,
      queries: [
        {
          expr: 'rabbitmq_resident_memory_limit_bytes - rabbitmq_process_resident_memory_bytes',
          legend: AT,
        },
      ],
    }),
    lines({
      title: 'Disk until publishers are blocked',
      description: 'At 0 the broker raises its disk alarm.',
      unit: 'bytes',
      width: 8,
      queries: [
        {
          expr: 'rabbitmq_disk_space_available_bytes - rabbitmq_disk_space_available_limit_bytes',
          legend: AT,
        },
      ],
    }),
    lines({
      title: 'File descriptors left',
      description: 'At 0 the broker takes no more connections.',
      unit: 'short',
      width: 8,
      queries: [{ expr: 'rabbitmq_process_max_fds - rabbitmq_process_open_fds', legend: AT }],
    }),
    lines({
      title: 'Messages',
      description: 'Through the whole broker, not only Warren’s.',
      unit: 'ops',
      queries: [
        { expr: rate('rabbitmq_global_messages_received_total'), legend: 'received' },
        { expr: rate('rabbitmq_global_messages_delivered_total'), legend: 'delivered' },
        { expr: rate('rabbitmq_global_messages_acknowledged_total'), legend: 'acknowledged' },
        { expr: rate('rabbitmq_global_messages_redelivered_total'), legend: 'delivered again' },
      ],
    }),
    lines({
      title: 'Connections opened and closed',
      description: 'Many in a short time: clients that open one for each message.',
      unit: 'ops',
      queries: [
        { expr: rate('rabbitmq_connections_opened_total'), legend: 'opened' },
        { expr: rate('rabbitmq_connections_closed_total'), legend: 'closed' },
      ],
    }),
  ],
};
