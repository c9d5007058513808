-- The writes of a plant: each function is one write and, if called separately, one transaction. As in a plant, recently
-- written rows are written again; old records do not change.

CREATE SCHEMA writer;
CREATE TABLE writer.runs (id text PRIMARY KEY, started timestamptz NOT NULL DEFAULT now());

CREATE FUNCTION writer.new_id() RETURNS text LANGUAGE sql AS
  $$ SELECT substr(md5(gen_random_uuid()::text), 1, 24) $$;

CREATE FUNCTION writer.hot_series() RETURNS text LANGUAGE sql AS $$
  SELECT id FROM (SELECT id FROM plant.timeseries ORDER BY last_updated_at DESC, id LIMIT 12) AS hot
  ORDER BY random() LIMIT 1 $$;

CREATE FUNCTION writer.hot_run() RETURNS text LANGUAGE sql AS $$
  SELECT id FROM (SELECT id FROM plant.bioprocesses ORDER BY last_updated_at DESC, id LIMIT 5) AS hot
  ORDER BY random() LIMIT 1 $$;

CREATE FUNCTION writer.statistics_of(series text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object(
    'max', max(value), 'min', min(value), 'sum', coalesce(sum(value), 0), 'count', count(value),
    'first', (array_agg(value ORDER BY timestamp) FILTER (WHERE value IS NOT NULL))[1],
    'last', (array_agg(value ORDER BY timestamp DESC) FILTER (WHERE value IS NOT NULL))[1],
    'arithmetic_mean', avg(value), 'standard_deviation', stddev_pop(value))
  FROM plant.timeseries_data WHERE id = series $$;

-- A new point: it becomes visible together with the statistics of its series.
CREATE FUNCTION writer.point() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  series text := writer.hot_series();
BEGIN
  INSERT INTO plant.timeseries_data
    SELECT id, end_timestamp + interval '30 s', round((10 * random())::numeric, 2), NULL, now()
    FROM plant.timeseries WHERE id = series;
  UPDATE plant.timeseries
    SET end_timestamp = end_timestamp + interval '30 s', duration_ms = duration_ms + 30000,
      statistics = writer.statistics_of(series), last_updated_at = now()
    WHERE id = series;
END $$;

CREATE FUNCTION writer.value_corrected() RETURNS void LANGUAGE sql AS $$
  UPDATE plant.bioprocess_quantity_data
  SET value = to_jsonb(round((10 * random())::numeric, 2)), last_updated_at = now()
  WHERE id = (
    SELECT id FROM (
      SELECT id FROM plant.bioprocess_quantity_data WHERE jsonb_typeof(value) = 'number'
      ORDER BY last_updated_at DESC, id LIMIT 20) AS hot
    ORDER BY random() LIMIT 1) $$;

CREATE FUNCTION writer.value_added() RETURNS void LANGUAGE sql AS $$
  INSERT INTO plant.bioprocess_quantity_data
  SELECT writer.new_id(), run.id, quantity.id, to_jsonb(round((10 * random())::numeric, 2)),
    quantity.default_unit, NULL, now()
  FROM (SELECT writer.hot_run() AS id) AS run, plant.quantities AS quantity
  WHERE NOT EXISTS (
    SELECT FROM plant.bioprocess_quantity_data WHERE bioprocess_id = run.id AND quantity_id = quantity.id)
  ORDER BY random() LIMIT 1 $$;

CREATE FUNCTION writer.value_removed() RETURNS void LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM plant.bioprocess_quantity_data
    WHERE id = (SELECT id FROM plant.bioprocess_quantity_data ORDER BY last_updated_at DESC, id OFFSET 5 LIMIT 1)
    RETURNING id)
  INSERT INTO plant.archived_records SELECT id, 'bioprocess_quantity_data', now() FROM gone $$;

CREATE FUNCTION writer.observed() RETURNS void LANGUAGE sql AS $$
  UPDATE plant.bioprocesses
  SET name = regexp_replace(name, ' \(.*\)$', '') || ' (' || to_char(clock_timestamp(), 'HH24:MI:SS.MS') || ')',
    events = CASE WHEN jsonb_array_length(events) > 60 THEN events - -1 ELSE events || jsonb_build_object(
      'id', writer.new_id(), 'type', 'DbObservationEvent', 'timestamp', now(), 'note', 'Foam on the probe.') END,
    last_updated_at = now()
  WHERE id = (SELECT writer.hot_run()) $$;

CREATE FUNCTION writer.result_computed() RETURNS void LANGUAGE sql AS $$
  UPDATE plant.formula_results SET last_updated_at = now()
  WHERE id = (
    SELECT id FROM (SELECT id FROM plant.formula_results ORDER BY last_updated_at DESC, id LIMIT 12) AS hot
    ORDER BY random() LIMIT 1) $$;

-- Manual edits: always of the same few records.
CREATE FUNCTION writer.notes_edited() RETURNS void LANGUAGE sql AS $$
  UPDATE plant.quantities SET notes = 'Edited at ' || now(), last_updated_at = now()
    WHERE id = (SELECT max(id) FROM plant.quantities);
  UPDATE plant.formulas SET notes = 'Edited at ' || now(), last_updated_at = now()
    WHERE id = (SELECT max(id) FROM plant.formulas) $$;

CREATE FUNCTION writer.experiment_rescheduled() RETURNS void LANGUAGE sql AS $$
  UPDATE plant.experiments SET scheduled_end_timestamp = now() + interval '7 d', last_updated_at = now()
  WHERE id = (SELECT max(id) FROM plant.experiments) $$;

-- A new run, copied from another one: two series with their first points, values and results. The series are written
-- after their run, so the run has an older update.
CREATE FUNCTION writer.run_started() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  template text := (SELECT bioprocess_id FROM plant.formula_results ORDER BY id LIMIT 1);
  run text := writer.new_id();
  series text;
  copy text;
BEGIN
  INSERT INTO writer.runs VALUES (run);
  INSERT INTO plant.bioprocesses
    SELECT (jsonb_populate_record(b, jsonb_build_object(
      'id', run, 'external_id', 'BR-' || run, 'name', 'Run ' || run, 'status', 'In-progress',
      'last_updated_at', now()))).*
    FROM plant.bioprocesses AS b WHERE id = template;
  FOR series IN SELECT id FROM plant.timeseries WHERE bioprocess_id = template ORDER BY id LIMIT 2 LOOP
    copy := writer.new_id();
    INSERT INTO plant.timeseries_data
      SELECT copy, timestamp, value, NULL, now() FROM plant.timeseries_data
      WHERE id = series ORDER BY timestamp LIMIT 20;
    INSERT INTO plant.timeseries
      SELECT (jsonb_populate_record(t, jsonb_build_object(
        'id', copy, 'bioprocess_id', run, 'statistics', writer.statistics_of(copy),
        'last_updated_at', clock_timestamp()))).*
      FROM plant.timeseries AS t WHERE id = series;
  END LOOP;
  INSERT INTO plant.bioprocess_quantity_data
    SELECT (jsonb_populate_record(v, jsonb_build_object(
      'id', writer.new_id(), 'bioprocess_id', run, 'last_updated_at', now()))).*
    FROM plant.bioprocess_quantity_data AS v
    WHERE id IN (SELECT id FROM plant.bioprocess_quantity_data WHERE bioprocess_id = template ORDER BY id LIMIT 5);
  INSERT INTO plant.formula_results
    SELECT (jsonb_populate_record(r, jsonb_build_object(
      'id', writer.new_id(), 'bioprocess_id', run, 'last_updated_at', now()))).*
    FROM plant.formula_results AS r
    WHERE id IN (SELECT id FROM plant.formula_results WHERE bioprocess_id = template ORDER BY id LIMIT 3);
END $$;

-- Keeps three of the new runs; deletes an older one with its references and archives the deleted records.
CREATE FUNCTION writer.run_archived() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  run text := (SELECT id FROM writer.runs ORDER BY started LIMIT 1);
BEGIN
  IF (SELECT count(*) FROM writer.runs) < 4 THEN RETURN; END IF;
  DELETE FROM plant.timeseries_data
    WHERE id IN (SELECT id FROM plant.timeseries WHERE bioprocess_id = run);
  WITH gone AS (DELETE FROM plant.timeseries WHERE bioprocess_id = run RETURNING id)
    INSERT INTO plant.archived_records SELECT id, 'timeseries', now() FROM gone;
  WITH gone AS (DELETE FROM plant.bioprocess_quantity_data WHERE bioprocess_id = run RETURNING id)
    INSERT INTO plant.archived_records SELECT id, 'bioprocess_quantity_data', now() FROM gone;
  WITH gone AS (DELETE FROM plant.formula_results WHERE bioprocess_id = run RETURNING id)
    INSERT INTO plant.archived_records SELECT id, 'formula_results', now() FROM gone;
  WITH gone AS (DELETE FROM plant.bioprocesses WHERE id = run RETURNING id)
    INSERT INTO plant.archived_records SELECT id, 'bioprocesses', now() FROM gone;
  DELETE FROM writer.runs WHERE id = run;
END $$;
