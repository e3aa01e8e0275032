import type { AlertGroup } from './alert.ts';

/** `__name__` is not kept: two alarms at once would be one series. RabbitMQ 4 has no file descriptor alarm. */
const ALARMS =
  '{__name__=~"rabbitmq_alarms_(memory_used_watermark|free_disk_space_watermark|file_descriptor_limit)"}';

/** Whether RabbitMQ is well, by what its plugin rabbitmq_prometheus tells, in 3.10 and 4. */
export const BROKER: AlertGroup = {
  name: 'warren-rabbitmq',
  alerts: [
    {
      name: 'RabbitMQDown',
      severity: 'page',
      // Where nodes are found by name, there may be none that could be down.
      expr: '(sum by (job) (up{job="rabbitmq"}) == 0) or absent(up{job="rabbitmq"})',
      for: '1m',
      summary: 'No node of RabbitMQ answers the scrape',
    },
    {
      name: 'RabbitMQResourceAlarm',
      severity: 'page',
      expr: `max by (instance) (${ALARMS}) > 0`,
      keepFiringFor: '5m',
      summary: '{instance}: an alarm about memory, disk or files is on; publishers are blocked',
    },
    {
      name: 'RabbitMQNodeDown',
      severity: 'ticket',
      expr: 'up{job="rabbitmq"} == 0',
      for: '2m',
      summary: '{instance} does not answer the scrape',
    },
    {
      name: 'RabbitMQMemoryHigh',
      severity: 'ticket',
      expr: 'max by (instance) (rabbitmq_process_resident_memory_bytes) / on (instance) max by (instance) (rabbitmq_resident_memory_limit_bytes) > 0.8',
      for: '5m',
      summary:
        '{instance} uses {value|humanizePercentage} of the memory at which it blocks publishers',
    },
    {
      name: 'RabbitMQDiskFills',
      severity: 'ticket',
      expr: '(max by (instance) (predict_linear(rabbitmq_disk_space_available_bytes[6h], 14400)) < on (instance) max by (instance) (rabbitmq_disk_space_available_limit_bytes)) and on (instance) max by (instance) (count_over_time(rabbitmq_disk_space_available_bytes[6h])) > 60',
      for: '30m',
      summary: '{instance} reaches its disk limit within 4 hours',
    },
    {
      name: 'RabbitMQFileDescriptorsHigh',
      severity: 'ticket',
      expr: 'max by (instance) (rabbitmq_process_open_fds) / on (instance) max by (instance) (rabbitmq_process_max_fds) > 0.8',
      for: '10m',
      summary: '{instance} uses {value|humanizePercentage} of its file descriptors',
    },
    {
      name: 'RabbitMQUnroutableDropped',
      severity: 'ticket',
      expr: 'sum by (instance) (increase(rabbitmq_global_messages_unroutable_dropped_total[5m])) > 0',
      summary: '{instance} dropped {value} messages that had no queue, in 5 minutes',
    },
    {
      name: 'RabbitMQConnectionChurn',
      severity: 'ticket',
      expr: '(sum by (instance) (rate(rabbitmq_connections_opened_total[5m])) > 1) / on (instance) sum by (instance) (rabbitmq_connections) > 0.1',
      for: '10m',
      summary: '{instance}: {value|humanizePercentage} of the connections are new every second',
    },
  ],
};
