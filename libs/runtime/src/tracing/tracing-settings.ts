import { z } from 'zod';
import { flag, oneOf, text } from '../schemas.ts';
import { defineConfig, setting } from '../setting.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** The URL of a collector, or of its base. */
export const httpUrl = () =>
  text().refine(isHttpUrl, 'a URL such as http://collector:4318').optional();

/**
 * Variables of every process, by the names that OpenTelemetry gave them. Its SDK reads further ones by itself: of its batches
 * (`OTEL_BSP_*`), its limits, and the exporter's timeout, compression and certificates (`OTEL_EXPORTER_OTLP_*`).
 */
export const tracingSettings = defineConfig({
  OTEL_EXPORTER_OTLP_ENDPOINT: setting({
    schema: httpUrl(),
    description:
      'where traces are sent to, by OTLP over HTTP: `/v1/traces` is added; unset: no traces, and nothing is loaded for them. Metrics go there too, if OTEL_METRICS_EXPORTER asks for them',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting({
    schema: httpUrl(),
    description: 'the same as a whole, nothing is added; goes before OTEL_EXPORTER_OTLP_ENDPOINT',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting({
    schema: text().optional(),
    description: 'headers of what is sent, such as `authorization=Bearer%20abc`',
    secret: true,
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting({
    schema: oneOf(['http/json', 'http/protobuf']),
    description:
      'HTTP only; JSON is sent either way, which every receiver of OTLP over HTTP takes at the same URL',
    default: 'http/json',
  }),
  OTEL_TRACES_EXPORTER: setting({
    schema: oneOf(['otlp', 'none']),
    description: '`none`: no traces',
    default: 'otlp',
  }),
  OTEL_SDK_DISABLED: setting({
    schema: flag(),
    description: "neither traces nor OpenTelemetry's metrics",
    default: 'false',
  }),
  OTEL_TRACES_SAMPLER: setting({
    schema: oneOf(SAMPLERS),
    description: `which traces are kept, by their beginning: ${SAMPLERS.join(', ')}`,
    default: 'parentbased_always_on',
  }),
  OTEL_TRACES_SAMPLER_ARG: setting({
    schema: z
      .string()
      .regex(/^(?:0|1|0?\.\d+|[01]\.0*)$/, 'a number from 0 to 1')
      .optional(),
    description: 'which part of them, from 0 to 1, for the samplers with `traceidratio`',
  }),
  OTEL_SERVICE_NAME: setting({
    schema: text().optional(),
    description: "the service's name in traces and in OpenTelemetry's metrics; unset: its own",
  }),
  OTEL_RESOURCE_ATTRIBUTES: setting({
    schema: text().optional(),
    description:
      'what else to say of this process, such as `deployment.environment.name=production`',
  }),
});

function isHttpUrl(url: string): boolean {
  return /^https?:\/\//.test(url) && URL.canParse(url);
}
