/** Defects that turned out to be permitted, and why. */
export const permitted: Readonly<Record<string, string>> = {
  'blind-archived-at-without-name': 'The contract does not show the members of a row (rows.shape).',
  'blind-event-nulls-removed': 'Nulls may be left out (decisions/0027).',
  'blind-experiments-empty': 'That a parent has a row is only a should.',
  'blind-join-named-refused': 'The documented join selects all columns.',
  'blind-literal-with-named-columns': 'No sentence combines named columns with a filter.',
  'blind-named-milliseconds': 'No sentence says how a value is spelled (decisions/0027).',
  'blind-named-with-row-number': 'Further members of a row are no columns (decisions/0027).',
  'blind-qc-empty-before-review': 'Nulls may be left out (decisions/0027).',
  'blind-qc-failure-mode-when-passed': 'Nulls may be left out (decisions/0027).',
  'blind-qc-nulls-stripped-in-join': 'Nulls may be left out (decisions/0027).',
  'blind-star-join-ambiguous': 'The documented join has no LIMIT (decisions/0027).',
  'blind-statistics-nulls-removed': 'Nulls may be left out (decisions/0027).',
  'blind-token-letter-case-ignored': 'Tokens are opaque, and a UUID has no letter case.',
  'blind-unknown-view-upper-case':
    'An identifier without quotes has no letter case in SQL (comparisons/relation-message.ts).',
  'blind-unknown-column-dropped': 'No sentence says that an unknown column is an error (decisions/0027).',
  'blind-unknown-column-filter-ignored':
    'No sentence says that an unknown column is an error (decisions/0027).',
  'blind-unknown-column-null': 'No sentence says that an unknown column is an error (decisions/0027).',
  'blind-unknown-column-success-sometimes':
    'No sentence says that an unknown column is an error (decisions/0027).',
}

/** Defects that a run does not always find, and why. */
export const missed: Readonly<Record<string, string>> = {
  'blind-delta-unfiltered-sometimes': 'Found in most runs only.',
  'blind-experiments-are-children': 'A warning: that a parent has a row is only a should.',
  'blind-join-partner-lost-sometimes': 'Found in most runs only.',
  'blind-quantity-list-object-every-third': 'Found in most runs only.',
  'blind-series-start-without-zone-sometimes': 'Found in most runs only.',
}

/** Defects that a service which is overloaded may show too: a run ends incomplete, and so never passes. */
export const incomplete: Readonly<Record<string, string>> = {
  'blind-ninth-bad-gateway':
    'The page of a gateway is asked for again, and what gets no answer is not exercised.',
  'blind-timeout-service-unavailable': 'A service that is overloaded answers a statement with 503 too.',
  'blind-token-locked-while-in-use': 'Its token is refused.',
}
