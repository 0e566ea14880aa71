# The emulator, as a service of a CI or of a team:
#
#   docker build -t fleetwave .
#   docker run --rm -p 8443:8443 -v fleetwave:/data fleetwave
#
# Its world is kept in the volume. Whoever reaches the port controls the simulator, too
# (--enable-sim-control); secrets are told at the first start, on standard output.

FROM node:24-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund
RUN npm pack --ignore-scripts --silent

FROM node:24-slim
WORKDIR /app
COPY --from=build /src/fleetwave-*.tgz ./fleetwave.tgz
RUN npm install --omit=dev --no-audit --no-fund --no-save ./fleetwave.tgz && rm fleetwave.tgz
RUN mkdir -p /data && chown node /data
USER node
VOLUME /data
EXPOSE 8443
ENV FLEETWAVE_DATA=/data FLEETWAVE_HOST=0.0.0.0 FLEETWAVE_PORT=8443 FLEETWAVE_ENABLE_SIM_CONTROL=true
HEALTHCHECK --interval=10s --start-period=10s CMD NODE_EXTRA_CA_CERTS=/data/tls/ca.pem node -e "fetch('https://localhost:8443/sim/v1/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["node", "/app/node_modules/fleetwave/dist/fleetwave.js"]
CMD ["serve"]
