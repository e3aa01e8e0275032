# One image for every service; which one runs is the command: docs/deployment.md.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY libs libs
COPY services services
# Only what decides which packages are installed, so that a change of sources installs nothing anew.
RUN find libs services -type f ! -name package.json -delete

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY --from=manifests /app ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM ${NODE_IMAGE}
WORKDIR /app
COPY --from=dependencies /app ./
COPY libs libs
COPY services services
COPY scripts/healthcheck.mjs scripts/

# What services keep on disk; a volume that is mounted here is made with this owner.
RUN install --directory --owner=node --group=node /data

# Probes and metrics on a port of their own, which the health check asks.
ENV NODE_ENV=production OPS_PORT=8081
# Fewer collections of young objects, for some memory: docs/deployment.md.
ENV NODE_OPTIONS=--max-semi-space-size=32
EXPOSE 3000 8081
USER node
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "scripts/healthcheck.mjs"]
CMD ["node", "--import", "tsx", "services/gateway/src/main.ts"]
