export { Broker, type BrokerEvents, type BrokerOptions } from './broker.ts';
export { MAX_BROWSE } from './browse.ts';
export type { TopologyDifference } from './compare-topology.ts';
export { type ConnectionSettings, credentialsOf } from './connection-settings.ts';
export type { Consumer, ConsumerOptions } from './consumer.ts';
export { isDeletedUnder } from './deleted-under.ts';
export type { Delivery } from './delivery.ts';
export { foreignHeaders } from './foreign-headers.ts';
export type {
  MigrateOptions,
  MigrationReport,
  MigrationState,
  MigrationStep,
} from './migrate-queue.ts';
export { copyMessage, type Move, type Original } from './move-message.ts';
export { NewestReader, type NewestReaderOptions } from './newest-reader.ts';
export type { MessageProperties, OutgoingMessage, SafeProperties } from './outgoing-message.ts';
export type { PublishedMessage } from './pending-publish.ts';
export type { PrefetchRange } from './prefetch-policy.ts';
export type { PublishCheck } from './publish-check.ts';
export type { WhenFull } from './publish-queue.ts';
export type { PublisherOptions, PublishOutcome } from './publisher-options.ts';
export type { QueueFigures } from './queue-figures.ts';
export { previousErrorOf, type ReceivedMessage, readMessage } from './received-message.ts';
export { isAtLeast } from './server-version.ts';
export { BrokerSession, type SessionOptions } from './session.ts';
export type { StreamMessage } from './stream-message.ts';
export type { StreamStart } from './stream-position.ts';
export type { StreamReader, StreamReaderOptions } from './stream-reader.ts';
export type { TlsSettings } from './tls-settings.ts';
