import { PGlite } from '@electric-sql/pglite'

const settings = {
  default_transaction_read_only: 'on',
  // a prepared statement is planned with the constants that it stands for: what `1 = 0 AND ...` guards is never computed
  plan_cache_mode: 'force_custom_plan',
  // PostgreSQL warns of the ROLLBACK after each small result
  client_min_messages: 'error',
  log_min_messages: 'fatal',
  timezone: 'UTC',
  // small: the pages of a snapshot are in memory already
  shared_buffers: '4MB',
  work_mem: '16MB',
  temp_file_limit: '256MB',
  // without ORDER BY a large table is read from its beginning, not from where another statement left off
  synchronize_seqscans: 'off',
  // far below the stack of a worker thread, so that deep nesting is an error and not a trap
  max_stack_depth: '200kB',
  autovacuum: 'off',
  // the log of changes is in memory too: little of it is kept once it was written down
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '2MB',
  wal_recycle: 'off',
}

/** PGlite's own parameters without `-O`, which lets superusers change system tables. */
export const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-O'),
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]
