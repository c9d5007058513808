#!/usr/bin/env bash
# Builds the image, starts the server, and lets the suite judge it. Needs docker with compose. Exit code 0: conformant.
set -euo pipefail
cd "$(dirname "$0")"

docker compose build mock
trap 'docker compose --profile gate down' EXIT
docker compose up --detach --wait mock
test "$(docker compose exec -T mock id -un)" = node
docker compose run --rm gate
docker image inspect bioprocess-sql --format 'image: {{.Size}} bytes'
