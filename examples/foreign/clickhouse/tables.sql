-- Timestamps are text: DateTime of ClickHouse 18 has no fractions of a second, and prints no zone.
-- Lists are text too: beside a native Array every LEFT JOIN that fills up with nulls is refused (code 43).
CREATE TABLE v_bioprocesses (
  id String,
  external_id String,
  name String,
  parent_id Nullable(String),
  scheduled_start_timestamp Nullable(String),
  scheduled_end_timestamp Nullable(String),
  start_timestamp String,
  run_start_timestamp Nullable(String),
  run_end_timestamp Nullable(String),
  end_timestamp String,
  duration_ms Float64,
  status String,
  qc String,
  data String,
  events String,
  induction_event Nullable(String),
  attachments String,
  lineage Nullable(String),
  last_updated_at String
) ENGINE = MergeTree ORDER BY (id);

CREATE TABLE v_bioprocess_quantity_data (
  id String,
  bioprocess_id String,
  quantity_id String,
  value String,
  unit String,
  measurement_info Nullable(String),
  last_updated_at String
) ENGINE = MergeTree ORDER BY (id);

CREATE TABLE v_timeseries (
  id String,
  bioprocess_id String,
  quantity_id String,
  start_timestamp String,
  end_timestamp String,
  duration_ms Float64,
  unit String,
  statistics String,
  last_updated_at String
) ENGINE = MergeTree ORDER BY (id);

CREATE TABLE v_timeseries_data (
  id String,
  timestamp String,
  value Nullable(Float64),
  data_item_id Nullable(String),
  last_updated_at String
) ENGINE = MergeTree ORDER BY (id, timestamp);

CREATE TABLE v_quantities (
  id String,
  name String,
  alternative_names String,
  is_timeseries UInt8,
  data_type String,
  default_unit String,
  default_ingestion_unit String,
  base_units String,
  molar_mass Nullable(Float64),
  notes Nullable(String),
  last_updated_at String
) ENGINE = MergeTree ORDER BY (id);

CREATE TABLE v_formulas (
  id String,
  name String,
  formula String,
  log_scale UInt8,
  disable_interpolation UInt8,
  default_unit Nullable(String),
  run_phase Nullable(String),
  notes Nullable(String),
  state String,
  last_updated_at String
) ENGINE = MergeTree ORDER BY (id);

CREATE TABLE v_formula_results (
  id String,
  formula_id String,
  bioprocess_id String,
  unit String,
  data Nullable(String),
  timeseries Nullable(String),
  timeseries_start_timestamp String,
  timeseries_offset_ms Float64,
  timeseries_statistics_min Float64,
  timeseries_statistics_max Float64,
  timeseries_statistics_arithmetic_mean Float64,
  timeseries_statistics_standard_deviation Float64,
  timeseries_statistics_sum Float64,
  timeseries_statistics_first Float64,
  timeseries_statistics_last Float64,
  timeseries_statistics_count Float64,
  last_updated_at String
) ENGINE = MergeTree ORDER BY (id);

CREATE TABLE v_archived_records (
  record_id String,
  table_name String,
  archived_at String
) ENGINE = MergeTree ORDER BY (record_id, table_name);

CREATE TABLE v_experiments (
  id String,
  external_id String,
  scheduled_start_timestamp Nullable(String),
  scheduled_end_timestamp Nullable(String),
  last_updated_at String
) ENGINE = MergeTree ORDER BY (id);
