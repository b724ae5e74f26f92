# roundsim with both sandboxes; docs/security.md says which of them a container allows.
FROM python:3.13-slim AS wheel
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
WORKDIR /source
COPY . .
RUN ROUNDSIM_COMPILE=1 pip wheel --no-cache-dir --no-deps --wheel-dir /wheel .

FROM python:3.13-slim
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends bubblewrap git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 1000 --create-home roundsim \
    && install --directory --owner 1000 /work
RUN --mount=from=wheel,source=/wheel,target=/wheel pip install --no-cache-dir /wheel/*.whl
USER 1000
WORKDIR /work
ENTRYPOINT ["roundsim"]
