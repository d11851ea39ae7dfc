# mapjudge in an image: docker build -t mapjudge . && docker run --rm -v "$PWD:/data" mapjudge score map.yaml --truth truth.yaml
FROM rust:1.95-slim AS build
WORKDIR /source
COPY . .
RUN cargo build --locked --profile dist -p mapjudge-cli --bin mapjudge

FROM debian:stable-slim
COPY --from=build /source/target/dist/mapjudge /usr/local/bin/mapjudge
# A volume that is mounted here belongs to the user below.
RUN install -d -o 1000 -g 1000 /objects
# Nothing here needs to be root.
USER 1000:1000
WORKDIR /data
ENTRYPOINT ["mapjudge"]
