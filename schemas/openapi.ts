import data from './generated/openapi.json' with { type: 'json' }

const { 'x-generated': _, ...document } = data

/** The endpoint in OpenAPI 3.1. */
export const openapi: Readonly<Record<string, unknown>> = document
