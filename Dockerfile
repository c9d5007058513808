# docker build -t bioprocess-sql .
# The reference server and the suite in one image. examples/containers/ has a compose file and a Kubernetes manifest.
FROM node:22-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund --ignore-scripts && npm pack --pack-destination /build

FROM node:22-slim
# most options of `serve` have such a variable
ENV NODE_ENV=production
# less memory stays with threads that have ended (docs/decisions/0033)
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
ENV BIOPROCESS_SQL_LISTEN=0.0.0.0:4010
WORKDIR /app
COPY --from=build /build/*.tgz /app/
RUN npm install --no-audit --no-fund --ignore-scripts --cache /app/.npm /app/*.tgz && rm -r /app/.npm /app/*.tgz \
  && mkdir -p /work && chown node /work
# reports go to the working folder; mount it to keep them
WORKDIR /work
USER node
EXPOSE 4010
HEALTHCHECK --start-period=30s --interval=10s --timeout=3s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4010/_mock/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/bioprocess-sql-contract/dist/cli/main.js"]
CMD ["serve", "--token", "development"]
