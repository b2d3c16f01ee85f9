# Simcha with its data in /data. Its runtime is Node.js 26 from package-lock.json; Node.js of the base image only runs npm.
FROM node:22-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY cli/package.json cli/
COPY client/package.json client/
COPY web/package.json web/
# Runs again only if a manifest has changed, not with every change of the code.
RUN npm ci --ignore-scripts && rm -rf node_modules/node-*/include && npm cache clean --force

FROM packages AS console
COPY tsconfig.json ./
COPY cli cli
COPY client client
COPY web web
COPY commands commands
COPY server server
RUN npm run build

# Build tools of the console, the client and the command line stay out of the image.
FROM packages AS production
RUN npm prune --omit=dev --ignore-scripts && rm -f node_modules/simcha node_modules/simcha-client node_modules/simcha-web node_modules/.bin/simcha

FROM debian:bookworm-slim AS server
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git iproute2 libatomic1 libstdc++6 openssh-client passt tini \
  && apt-get clean \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --system --gid 10001 simcha \
  && useradd --system --uid 10001 --gid simcha --home-dir /data simcha \
  && install --directory --owner simcha --group simcha --mode 700 /data
WORKDIR /app
# Builds of sites need npm.
COPY --from=packages /usr/local/lib/node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
  && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
COPY --from=production /app/node_modules node_modules
COPY package.json LICENSE ./
COPY commands commands
COPY examples examples
COPY server server
COPY --from=console /app/dist dist
COPY --from=console /app/web/dist web/dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data LOG_FORMAT=json \
    PATH=/app/node_modules/.bin:$PATH

# One start stores the server's compiled code for its user, who can read it but not change it.
FROM server AS compiled
RUN install --directory --owner simcha --group simcha dist/compile-cache
USER simcha
RUN node commands/compile.ts && chmod --recursive a+rX dist/compile-cache

FROM server
COPY --from=compiled --chown=root:root /app/dist/compile-cache dist/compile-cache
USER simcha
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "server/main.js"]
LABEL org.opencontainers.image.title="Simcha" \
      org.opencontainers.image.description="Plan the event, put its site online: a self-hosted event planner and application platform." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
