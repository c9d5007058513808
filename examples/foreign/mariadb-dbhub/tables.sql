-- JSON columns reach the client as JSON: the driver is told which they are. BIT(1) is read as true or false.
DROP DATABASE IF EXISTS plant;
CREATE DATABASE plant CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE OR REPLACE USER service@'127.0.0.1' IDENTIFIED BY 'service';
GRANT SELECT ON plant.* TO service@'127.0.0.1';
USE plant;

CREATE TABLE v_bioprocesses (
  id VARCHAR(64) NOT NULL,
  external_id VARCHAR(64) NOT NULL,
  name TEXT NOT NULL,
  parent_id VARCHAR(64),
  scheduled_start_timestamp DATETIME(6),
  scheduled_end_timestamp DATETIME(6),
  start_timestamp DATETIME(6) NOT NULL,
  run_start_timestamp DATETIME(6),
  run_end_timestamp DATETIME(6),
  end_timestamp DATETIME(6) NOT NULL,
  duration_ms DOUBLE NOT NULL,
  status TEXT NOT NULL,
  qc JSON NOT NULL,
  data JSON NOT NULL,
  events JSON NOT NULL,
  induction_event JSON,
  attachments JSON NOT NULL,
  lineage JSON,
  last_updated_at DATETIME(6) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE v_bioprocess_quantity_data (
  id VARCHAR(64) NOT NULL,
  bioprocess_id VARCHAR(64) NOT NULL,
  quantity_id VARCHAR(64) NOT NULL,
  value JSON NOT NULL,
  unit TEXT NOT NULL,
  measurement_info JSON,
  last_updated_at DATETIME(6) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE v_timeseries (
  id VARCHAR(64) NOT NULL,
  bioprocess_id VARCHAR(64) NOT NULL,
  quantity_id VARCHAR(64) NOT NULL,
  start_timestamp DATETIME(6) NOT NULL,
  end_timestamp DATETIME(6) NOT NULL,
  duration_ms DOUBLE NOT NULL,
  unit TEXT NOT NULL,
  statistics JSON NOT NULL,
  last_updated_at DATETIME(6) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE v_timeseries_data (
  id VARCHAR(64) NOT NULL,
  timestamp DATETIME(6) NOT NULL,
  value DOUBLE,
  data_item_id VARCHAR(64),
  last_updated_at DATETIME(6),
  INDEX (id, timestamp)
);

CREATE TABLE v_quantities (
  id VARCHAR(64) NOT NULL,
  name TEXT NOT NULL,
  alternative_names JSON NOT NULL,
  is_timeseries BIT(1) NOT NULL,
  data_type TEXT NOT NULL,
  default_unit TEXT NOT NULL,
  default_ingestion_unit TEXT NOT NULL,
  base_units JSON NOT NULL,
  molar_mass DOUBLE,
  notes TEXT,
  last_updated_at DATETIME(6) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE v_formulas (
  id VARCHAR(64) NOT NULL,
  name TEXT NOT NULL,
  formula TEXT NOT NULL,
  log_scale BIT(1) NOT NULL,
  disable_interpolation BIT(1) NOT NULL,
  default_unit TEXT,
  run_phase TEXT,
  notes TEXT,
  state TEXT NOT NULL,
  last_updated_at DATETIME(6) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE v_formula_results (
  id VARCHAR(64) NOT NULL,
  formula_id VARCHAR(64) NOT NULL,
  bioprocess_id VARCHAR(64) NOT NULL,
  unit TEXT NOT NULL,
  data JSON,
  timeseries JSON,
  timeseries_start_timestamp DATETIME(6),
  timeseries_offset_ms DOUBLE,
  timeseries_statistics_min DOUBLE,
  timeseries_statistics_max DOUBLE,
  timeseries_statistics_arithmetic_mean DOUBLE,
  timeseries_statistics_standard_deviation DOUBLE,
  timeseries_statistics_sum DOUBLE,
  timeseries_statistics_first DOUBLE,
  timeseries_statistics_last DOUBLE,
  timeseries_statistics_count DOUBLE,
  last_updated_at DATETIME(6) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE v_archived_records (
  record_id VARCHAR(64) NOT NULL,
  table_name VARCHAR(64) NOT NULL,
  archived_at DATETIME(6) NOT NULL,
  INDEX (record_id, table_name)
);

CREATE TABLE v_experiments (
  id VARCHAR(64) NOT NULL,
  external_id VARCHAR(64) NOT NULL,
  scheduled_start_timestamp DATETIME(6),
  scheduled_end_timestamp DATETIME(6),
  last_updated_at DATETIME(6) NOT NULL,
  PRIMARY KEY (id)
);
