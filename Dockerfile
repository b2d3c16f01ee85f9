# Simcha with its data in /data. The runtime is the node 26 of package-lock.json; the image's own only runs npm.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY client client
COPY web web
# What the console and the client are made with stays here.
RUN npm ci && npm prune --omit=dev --ignore-scripts && npm cache clean --force

FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git iproute2 libatomic1 libstdc++6 openssh-client passt tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --home-dir /data --create-home simcha
WORKDIR /app
# Sites are installed and built by npm.
COPY --from=build /usr/local/lib/node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
  && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
COPY --from=build /app/node_modules node_modules
COPY package.json LICENSE ./
COPY commands commands
COPY examples examples
COPY server server
COPY --from=build /app/web/dist web/dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data LOG_FORMAT=json \
    PATH=/app/node_modules/.bin:$PATH
USER simcha
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "server/main.ts"]
