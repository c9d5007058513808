/** Receives sentences for users while a snapshot is built. */
export type ProgressListener = (message: string) => void
