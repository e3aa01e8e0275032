import { catalog } from '@warren/catalog';
import {
  brokerSettings,
  type ConfigOf,
  defineConfig,
  flag,
  historySettings,
  opsSettings,
  setting,
  text,
  wholeNumber,
  workerSettings,
} from '@warren/runtime';

const MIB = 1024 * 1024;
/** Below the timeout of the job types, so that a failure says what took so long. */
const MAX_SECONDS = 280;

/** Environment variables of the documents service. */
export const documentsSettings = defineConfig({
  ...opsSettings,
  ...brokerSettings,
  ...historySettings,
  ...workerSettings(catalog),
  WARREN_DATA_DIR: setting({
    schema: text(),
    description: 'folder for what is kept on disk; documents are in its folder `documents`',
    default: '.warren',
  }),
  DOCUMENT_MAX_BYTES: setting({
    schema: wholeNumber({ min: 1_024, max: 512 * MIB }),
    description: 'largest document that is downloaded',
    default: String(50 * MIB),
  }),
  DOCUMENT_STORE_MAX_BYTES: setting({
    schema: wholeNumber({ min: 1_024, max: 1024 ** 4 }),
    description:
      'all documents on disk together; analysed ones are removed for new ones, and without any a download waits',
    default: String(2_048 * MIB),
  }),
  DOCUMENT_FETCH_SECONDS: setting({
    schema: wholeNumber({ min: 1, max: MAX_SECONDS }),
    description: 'longest download, redirects included',
    default: '120',
  }),
  DOCUMENT_ANALYSE_SECONDS: setting({
    schema: wholeNumber({ min: 1, max: MAX_SECONDS }),
    description: 'longest reading of one document; one that takes longer is refused',
    default: '60',
  }),
  DOCUMENT_ALLOW_PRIVATE: setting({
    schema: flag(),
    description:
      'whether documents may be fetched from addresses that are not public: loopback, private networks, link-local',
    default: 'false',
  }),
});

export type DocumentsConfig = ConfigOf<typeof documentsSettings>;
