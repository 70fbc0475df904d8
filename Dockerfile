# syntax=docker/dockerfile:1
# docker build -t nod .
# The release that `npm run build` leaves in .next/standalone, and Node: no shell, no package manager, no sources.

FROM node:24-bookworm-slim AS build
WORKDIR /src
ENV CI=true NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json ./
COPY bench/package.json bench/
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY . .
# The path that everything is served under, such as /nod: it is in the files that browsers get.
ARG NOD_BASE_PATH=
RUN npm run build && mkdir /data

FROM gcr.io/distroless/cc-debian12:nonroot
# The Node that the build compiled for.
COPY --from=build /src/node_modules/node/bin/node /usr/local/bin/node
COPY --from=build /src/.next/standalone /app
COPY --from=build --chown=65532:65532 --chmod=700 /data /data
WORKDIR /app
# Reached through the container's own network; who gets in: docs/hosting/access.md.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 NOD_DATA_DIR=/data
# As it was built for; who asks for its health needs it, too.
ARG NOD_BASE_PATH=
ENV NOD_BASE_PATH=$NOD_BASE_PATH
VOLUME /data
EXPOSE 3000
USER 65532:65532
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10m --retries=3 \
  CMD ["/usr/local/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}${(process.env.NOD_BASE_PATH ?? '').replace(/[/]+$/, '')}/api/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["/usr/local/bin/node", "/app/serve.cjs"]
