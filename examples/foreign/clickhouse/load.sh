#!/bin/sh
# Creates and fills the nine tables: load.sh FOLDER-OF-EXPORTED-FIXTURES
set -eu
here=$(dirname "$0")
for file in "$1"/v_*.ndjson; do
  clickhouse-client --query "DROP TABLE IF EXISTS $(basename "$file" .ndjson)"
done
clickhouse-client --multiquery < "$here/tables.sql"
for file in "$1"/v_*.ndjson; do
  view=$(basename "$file" .ndjson)
  node "$here/json-text.mjs" < "$file" | clickhouse-client --query "INSERT INTO $view FORMAT JSONEachRow"
done
